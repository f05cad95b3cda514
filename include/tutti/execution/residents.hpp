// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>

#include <tutti/dynamic_array.hpp>

namespace tutti {

class residents;

/// An object with requests under way on a communicator, which is told before the communicator is freed.
class resident {
public:
    resident(resident const&) = delete;
    resident& operator=(resident const&) = delete;

protected:
    explicit resident(residents& here);
    ~resident();

private:
    friend class residents;

    /// The last moment at which the communicator can be used.
    virtual void communicator_ends() noexcept = 0;

    /// What is under way is lost.
    virtual void communicator_recovers() noexcept {}

    residents* here_;
};

/// All who live on one communicator, as an attachment of it. When it ends they are told, the last to come first; who
/// leaves later leaves nothing.
class residents {
public:
    residents() = default;
    residents(residents const&) = delete;
    residents& operator=(residents const&) = delete;
    ~residents() {
        while (!all_.empty()) {
            auto* const last = all_.back();
            all_.pop_back();
            last->here_ = nullptr;
            last->communicator_ends();
        }
    }

    /// The communicator is about to be used anew, after a failure.
    void communicator_recovers() noexcept {
        for (auto* const each : all_) { each->communicator_recovers(); }
    }

private:
    friend class resident;

    dynamic_array<resident*> all_;
};

inline resident::resident(residents& here) : here_{&here} { here.all_.push_back(this); }

inline resident::~resident() {
    if (here_ != nullptr) { here_->all_.erase_if([this](resident const* each) { return each == this; }); }
}

}  // namespace tutti
