// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <stdexcept>
#include <thread>

#include <tutti/communicator.hpp>
#include <tutti/execution/mailroom.hpp>
#include <tutti/execution/shared_mailrooms.hpp>

namespace tutti {

/// The place of one correspondent in a mailroom, and how threads wait there.
///
/// It is in the mailroom of the thread that began to post; a thread that waits in that mailroom makes progress for it,
/// too. A thread that is at home elsewhere looks in for this correspondent alone: another's operator is not its
/// business.
template <communicator C>
class mailbox {
public:
    mailbox(C& world, correspondent& owner) : world_{world}, room_{&mailroom_at(world)}, owner_{owner} {}

    /// Belongs to the calling thread from now on. Requires that nothing is under way.
    mailroom<C>& move_here() {
        if (!room_->is_home()) { room_ = &mailroom_at(world_); }
        return *room_;
    }

    [[nodiscard]] auto enter() { return room_->enter(); }

    /// Hands out what has ended as long as `pending()`.
    template <class Pending>
    void test_while(Pending pending) {
        if (!room_->is_home()) { return look_in(pending); }
        auto const inside = enter();
        while (pending() && room_->test(world_)) {}
    }

    /// Until `pending()` is false. Throws if it can never be.
    template <class Pending>
    void wait_while(Pending pending) {
        if (room_->is_home()) {
            auto const inside = enter();
            [[maybe_unused]] waiting_scope<C> const prepared{world_};
            while (pending()) { expect(room_->wait(world_)); }
            return;
        }
        auto& home = mailroom_at(world_);
        while (pending()) {
            look_in(pending);
            {
                auto const inside = home.enter();
                home.test(world_);
            }
            std::this_thread::yield();
        }
    }

    /// Makes progress without dispatching completions.
    void progress() noexcept { room_->progress(world_); }

    void cancel(int tag) { room_->cancel(world_, owner_, tag); }

private:
    // A thread that holds the lock makes progress for this correspondent as well.
    template <class Pending>
    void look_in(Pending pending) {
        auto const inside = room_->try_enter();
        if (inside && pending()) { expect(room_->test_for(world_, owner_)); }
    }

    static void expect(bool something_under_way) {
        if (!something_under_way) {
            throw std::logic_error{"tutti: a collective waits for messages of which none is under way; did another "
                                   "one on this communicator fail before?"};
        }
    }

    C& world_;
    mailroom<C>* room_;
    correspondent& owner_;
};

}  // namespace tutti
