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
#include <tutti/communicator/mpi/cancellation.hpp>
#include <tutti/communicator/mpi/deferred_free.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/liveness.hpp>
#include <tutti/communicator/mpi/notice_channel.hpp>
#include <tutti/communicator/mpi/rendezvous_barrier.hpp>
#include <tutti/communicator/mpi/running.hpp>
#include <tutti/communicator/mpi/shared_memory/channel.hpp>
#include <tutti/communicator/mpi/tag_pool.hpp>
#include <tutti/communicator/notices.hpp>
#include <tutti/communicator/supervisor.hpp>
#include <tutti/communicator/tag_sequence.hpp>
#include <tutti/communicator/zero_count_calls.hpp>
#include <tutti/error.hpp>
#include <tutti/text.hpp>

namespace tutti::mpi {

/// What the ranks of a communicator send each other beside the data of collectives: failures, questions and answers
/// about what they wait for, their end. Used by a rank that has waited without success for a while, when it has failed,
/// and at the end of the communicator.
class control_plane {
public:
    /// For the ranks of `own` from now on.
    void open(MPI_Comm own) { notices_.channel().open(own); }

    /// All ranks have to call, and say the same.
    [[gnu::cold]] void begin(MPI_Comm own, control::notices<notice_channel>::identity identity) {
        notices_.identify(identity);
        deaths_.begin(own);
    }

    void notify_all(control::failure_kind what, int tag, std::int64_t number, std::string_view why) {
        if (!is_finalised()) { notices_.notify_all(what, tag, number, why); }
    }

    /// Called by rank `self` when it has waited without success; arguments as of `notices::poll`. Answers the questions
    /// of other ranks, and throws what has failed on them.
    void poll_notices(int self, control::tag_sequence const& calls, std::int64_t plans, std::size_t waits,
                      control::supervisor const& here, node::channel const& node) {
        deferred_frees::progress();
        notices_.poll(calls, plans, here, zero_count_calls_, waits);
        zero_count_calls_.look(
            self, [&](std::span<int const> tags) { return find(tags, node); },
            [&](int tag) { return here.under_way(tag) != nullptr; });
        auto const dead = deaths_.find();
        if (dead == death_watch::no_rank) { return; }
        cancellation_.give_up_on_dead_rank();
        throw rank_is_dead{dead};
    }

    /// See `cancellation`.
    void give_up(std::span<request> requests, bool has_failed) noexcept {
        auto const discard = [this] { return discard_message(); };
        if (!cancellation_.give_up(requests, has_failed, discard)) {
            notices_.notify_all(control::failure_kind::sends_abandoned, 0, 0, "");
        }
    }

    void discard_unmatched(int tag) { notices_.channel().discard_unmatched(tag); }
    void note_zero_count(int tag, control::call const& entered) { zero_count_calls_.add(tag, entered); }

    /// At the end of a call that had elements; see `zero_count_calls`. Whether there is still something to look for.
    [[nodiscard]] bool find_unmatched_messages(int self, node::channel const& node) {
        zero_count_calls_.end_call(self, [&](std::span<int const> tags) { return find(tags, node); });
        return !zero_count_calls_.empty();
    }

    /// Waits until all ranks of `own` recover: others may still wait in a call, or for a receiver of what they have
    /// sent. If some are at its end instead, it is no longer there.
    [[gnu::cold]] void meet_for_recovery(MPI_Comm& own, int self) {
        returned_errors const scope;
        rendezvous_barrier all{own, rendezvous_barrier::entered_by::recover, true};
        do {
            std::this_thread::yield();
            notices_.answer_all(zero_count_calls_, "in tutti::recover");
            deferred_frees::progress();
            if (auto const dead = deaths_.find(); dead != death_watch::no_rank) { throw rank_is_dead{dead}; }
        } while (discard_message() || !all.test());
        if (all.all_entered_alike()) { return; }
        own = MPI_COMM_NULL;
        throw mismatched_calls{text::joined({"tutti: recover on rank ", self,
                                             " meets ranks at MPI_Comm_free or MPI_Finalize; call recover on all ranks "
                                             "before, also where a call has failed for its own arguments"})};
    }

    /// Forgets all notices, and calls without elements, from before.
    [[gnu::cold]] void recover() {
        notices_.forget();
        notices_.channel().forget();
        zero_count_calls_.clear();
        cancellation_.recover();
    }

    /// Frees `own`, whose shared memory is `node`, once all ranks have called, see `deferred_free`. Not in a
    /// simulation: there other ranks may have ended.
    [[gnu::cold]] void defer_free(MPI_Comm own, tag_pool&& tags, node::channel& node, bool is_sound) noexcept {
        if (is_smpi || is_finalised()) { return; }
        try {
            deferred_frees::add(own, std::move(notices_), std::move(zero_count_calls_), std::move(deaths_),
                                std::move(tags), node, is_sound);
            deferred_frees::progress();
        } catch (...) {}  // no caller is left to catch it
    }

private:
    [[nodiscard]] control::unmatched_message find(std::span<int const> tags, node::channel const& node) const {
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
    control::zero_count_calls zero_count_calls_;
    death_watch deaths_;
    cancellation cancellation_;
};

}  // namespace tutti::mpi
