// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>

#include <tutti/dynamic_array.hpp>

namespace tutti {

class close_handlers;

/// An object with requests under way on a communicator, which is told before the communicator is freed.
class close_handler {
public:
    close_handler(close_handler const&) = delete;
    close_handler& operator=(close_handler const&) = delete;

protected:
    explicit close_handler(close_handlers& here);
    ~close_handler();

private:
    friend class close_handlers;

    /// The last moment at which the communicator can be used.
    virtual void on_close() noexcept = 0;

    /// The communicator recovers: requests under way are lost.
    virtual void on_recover() noexcept {}

    close_handlers* here_;
};

/// The close handlers of one communicator, as an attachment of it. When it ends it calls them, the newest first; those
/// that are destroyed later have nothing to leave.
class close_handlers {
public:
    close_handlers() = default;
    close_handlers(close_handlers const&) = delete;
    close_handlers& operator=(close_handlers const&) = delete;
    ~close_handlers() {
        while (!all_.empty()) {
            auto* const last = all_.back();
            all_.pop_back();
            last->here_ = nullptr;
            last->on_close();
        }
    }

    /// The communicator is about to be used anew, after a failure.
    void on_recover() noexcept {
        for (auto* const each : all_) { each->on_recover(); }
    }

private:
    friend class close_handler;

    dynamic_array<close_handler*> all_;
};

inline close_handler::close_handler(close_handlers& here) : here_{&here} { here.all_.push_back(this); }

inline close_handler::~close_handler() {
    if (here_ != nullptr) { here_->all_.erase_if([this](close_handler const* each) { return each == this; }); }
}

}  // namespace tutti
