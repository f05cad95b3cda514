// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <tutti/communicator.hpp>

namespace tutti {

/// A message, or a piece of one, that is under way for an instruction: elements [first, first + count).
struct posting {
    std::uint32_t instruction = 0;
    bool outgoing = false;
    std::size_t first = 0;
    std::size_t count = 0;
    std::size_t slot = 0;  ///< the sender's or receiver's own mark
};

/// Whoever has messages under way.
class correspondent {
public:
    virtual void ended(posting const& what, completion const& how) = 0;

protected:
    ~correspondent() = default;
};

/// All requests of one communicator. Whoever waits, waits for the messages of everybody: a plan that was
/// started and not waited for makes progress while the rank waits for another one, as MPI demands of
/// collectives in flight together.
template <communicator C>
class mailroom {
public:
    // How many messages are under way at once depends on timing: room for more than that, so that a plan which has run
    // once allocates nothing.
    mailroom() { make_room(usual); }

    void post(typename C::request request, correspondent& owner, posting const& what) {
        if (requests_.size() == done_.size()) { make_room(2 * done_.size()); }
        requests_.push_back(request);
        entries_.push_back({&owner, what});
    }

    /// Hands out what has ended; false if nothing has.
    bool test(C& world) { return dispatch(world.test_some(requests_, done_)); }

    /// Waits until something has ended and hands it out; false if nothing is under way.
    [[nodiscard]] bool wait(C& world) { return dispatch(world.wait_some(requests_, done_)); }

    /// Gives up all messages of `owner`, who hears of none any more.
    void cancel(C& world, correspondent const& owner) {
        for (auto i = entries_.size(); i-- != 0;) {
            if (entries_[i].owner == &owner) {
                world.cancel(requests_[i]);
                remove(i);
            }
        }
        auto const untold = ended_.begin() + static_cast<std::ptrdiff_t>(told_);
        ended_.erase(std::remove_if(untold, ended_.end(), [&](auto const& each) { return each.first.owner == &owner; }),
                     ended_.end());
    }

private:
    static constexpr std::size_t usual = 256;

    struct entry {
        correspondent* owner;
        posting what;
    };

    void make_room(std::size_t messages) {
        requests_.reserve(messages);
        entries_.reserve(messages);
        done_.resize(messages);
        ended_.reserve(messages);
    }

    // Owners post again while they are told, and an operator may even enter another collective: what has ended
    // leaves the list of requests before anybody hears of it.
    bool dispatch(std::size_t count) {
        auto const done = std::span{done_}.first(count);
        std::sort(done.begin(), done.end(), [](auto const& a, auto const& b) { return a.index > b.index; });
        for (auto const& how : done) {
            ended_.push_back({entries_[how.index], how});
            remove(how.index);
        }
        bool const any = told_ != ended_.size();
        while (told_ != ended_.size()) {
            auto const [who, how] = ended_[told_++];
            if (told_ == ended_.size()) {
                ended_.clear();
                told_ = 0;
            }
            who.owner->ended(who.what, how);
        }
        return any;
    }

    void remove(std::size_t i) {
        requests_[i] = requests_.back();
        entries_[i] = entries_.back();
        requests_.pop_back();
        entries_.pop_back();
    }

    std::vector<typename C::request> requests_;
    std::vector<entry> entries_;
    std::vector<completion> done_;
    std::vector<std::pair<entry, completion>> ended_;
    std::size_t told_ = 0;
};

}  // namespace tutti
