// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <thread>
#include <utility>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/call.hpp>
#include <tutti/communicator/empty_calls.hpp>
#include <tutti/communicator/mpi/cancellation.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/farewell.hpp>
#include <tutti/communicator/mpi/liveness.hpp>
#include <tutti/communicator/mpi/meeting.hpp>
#include <tutti/communicator/mpi/notice_channel.hpp>
#include <tutti/communicator/mpi/running.hpp>
#include <tutti/communicator/mpi/shared_memory/channel.hpp>
#include <tutti/communicator/mpi/tag_pool.hpp>
#include <tutti/communicator/notices.hpp>
#include <tutti/communicator/supervisor.hpp>
#include <tutti/communicator/tag_sequence.hpp>
#include <tutti/error.hpp>
#include <tutti/text.hpp>

namespace tutti::mpi {

/// What the ranks of a communicator tell each other beside the data of collectives: of failures, of what they wait for,
/// of ranks that are dead or have left. No data passes here; a rank comes here when it has waited without success for a
/// while, when it has failed, and at the end of the communicator.
class control_plane {
public:
    /// For the ranks of `own` from now on.
    void open(MPI_Comm own) { notices_.channel().open(own); }

    /// All ranks have to call, and say the same.
    [[gnu::cold]] void begin(MPI_Comm own, control::notices<notice_channel>::identity identity) {
        notices_.identify(identity);
        deaths_.begin(own);
    }

    void tell_all(control::failure_kind what, int tag, std::int64_t number, std::string_view why) {
        if (!is_finalised()) { notices_.tell_all(what, tag, number, why); }
    }

    /// A rank with the number `self`, which has taken `calls` and the tags of `plans`, has waited without success;
    /// before it has waited `waits` times. Answers the questions of others, and throws what has failed elsewhere.
    void hear(int self, control::tag_sequence const& calls, std::int64_t plans, std::size_t waits,
              control::supervisor const& here, node::channel const& node) {
        farewells::go_on();
        notices_.hear(calls, plans, here, empty_calls_, waits);
        empty_calls_.look(
            self, [&](std::span<int const> tags) { return find(tags, node); },
            [&](int tag) { return here.under_way(tag) != nullptr; });
        auto const dead = deaths_.find();
        if (dead == death_watch::no_rank) { return; }
        cancellation_.despair();
        throw rank_is_dead{dead};
    }

    /// See `cancellation`.
    void give_up(std::span<request> requests, bool has_failed) noexcept {
        auto const discard = [this] { return discard_message(); };
        if (!cancellation_.give_up(requests, has_failed, discard)) {
            notices_.tell_all(control::failure_kind::sends_abandoned, 0, 0, "");
        }
    }

    void leave_empty(int tag, control::call const& entered) { empty_calls_.add(tag, entered); }

    /// At the end of a call that had elements; see `empty_calls`. Whether there is still something to look for.
    [[nodiscard]] bool look_for_messages_of_empty_calls(int self, node::channel const& node) {
        empty_calls_.end_call(self, [&](std::span<int const> tags) { return find(tags, node); });
        return !empty_calls_.empty();
    }

    /// Waits until all ranks of `own` recover: others may still wait in a call, or for a receiver of what they have
    /// sent. If some are at its end instead, it is no longer there.
    [[gnu::cold]] void meet_for_recovery(MPI_Comm& own, int self) {
        returned_errors const scope;
        meeting all{own, meeting::purpose::recovery, true};
        do {
            std::this_thread::yield();
            notices_.answer_all(empty_calls_, "in tutti::recover");
            farewells::go_on();
            if (auto const dead = deaths_.find(); dead != death_watch::no_rank) { throw rank_is_dead{dead}; }
        } while (discard_message() || !all.test());
        if (all.has_one_purpose()) { return; }
        own = MPI_COMM_NULL;
        throw mismatched_calls{text::joined({"tutti: recover on rank ", self,
                                             " meets ranks at MPI_Comm_free or MPI_Finalize; call recover on all ranks "
                                             "before, also where a call has failed for its own arguments"})};
    }

    /// Nothing from before is heard of any more.
    [[gnu::cold]] void recover() {
        notices_.forget();
        notices_.channel().forget();
        empty_calls_.clear();
        cancellation_.recover();
    }

    /// This rank makes no more calls on `left`, whose memory is `node`. In a simulation others may have ended, so that
    /// nothing can be agreed on with them.
    [[gnu::cold]] void leave(MPI_Comm left, tag_pool&& tags, node::channel& node, bool is_sound) noexcept {
        if (is_smpi || is_finalised()) { return; }
        try {
            farewells::add(left, std::move(notices_), std::move(empty_calls_), std::move(deaths_), std::move(tags),
                           node, is_sound);
            farewells::go_on();
        } catch (...) {}  // no caller is left to catch it
    }

private:
    // The first message with such a tag that no receive waits for.
    [[nodiscard]] control::stray_message find(std::span<int const> tags, node::channel const& node) const {
        auto const local = node.find(tags);
        return local.from >= 0 ? local : notices_.channel().find(tags);
    }

    // After a failure; see `notice_channel::discard`.
    [[nodiscard]] bool discard_message() noexcept {
        try {
            return notices_.channel().discard(notices_.abandoned());
        } catch (...) { return false; }  // MPI has failed
    }

    control::notices<notice_channel> notices_;
    control::empty_calls empty_calls_;
    death_watch deaths_;
    cancellation cancellation_;
};

}  // namespace tutti::mpi
