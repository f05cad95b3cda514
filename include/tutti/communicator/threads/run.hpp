// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <exception>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <tutti/communicator/threads/communicator.hpp>
#include <tutti/communicator/threads/error.hpp>
#include <tutti/communicator/threads/posted_operation.hpp>
#include <tutti/communicator/threads/options.hpp>
#include <tutti/communicator/threads/team.hpp>
#include <tutti/error.hpp>
#include <tutti/text.hpp>

namespace tutti::threads {

/// Collects the operations that have not ended, and describes them.
class unfinished_operations {
public:
    void add(posted_operation const& left) {
        auto& found = groups_[{left.owner, left.peer, left.tag, left.is_send(), leak_of(left)}];
        ++found.count;
        found.bytes += left.size;
    }

    [[nodiscard]] bool empty() const { return groups_.empty(); }

    /// "tutti: leak: rank 0 sent 2 messages to rank 1 with tag 5, 16 bytes in all, that were never received"
    [[nodiscard]] std::string text() const {
        std::string text;
        for (auto const& [key, found] : groups_) {
            auto const& [owner, peer, tag, sent, met] = key;
            text += text.empty() ? "tutti: leak: " : "; ";
            bool const is_one = found.count == 1;
            text += text::joined({"rank ", owner, sent ? " sent " : " posted ",
                                  text::word(found.count, sent ? "message" : "receive"), sent ? " to" : " from",
                                  " rank ", peer, " with tag ", tag, ", ", text::word(found.bytes, "byte"),
                                  is_one ? ", that was never " : " in all, that were never ", verb(sent, met)});
        }
        return text + "; wait for all messages before the ranks return";
    }

private:
    enum class leak_kind { unmatched, lent, unreported };
    struct group {
        std::size_t count = 0;
        std::size_t bytes = 0;
    };

    [[nodiscard]] static leak_kind leak_of(posted_operation const& left) {
        if (left.is_complete()) { return leak_kind::unreported; }
        return left.matched.load(std::memory_order_relaxed) ? leak_kind::lent : leak_kind::unmatched;
    }

    [[nodiscard]] static char const* verb(bool sent, leak_kind met) {
        switch (met) {
        case leak_kind::unmatched: return sent ? "received" : "matched by a message";
        case leak_kind::lent: return "given back";
        case leak_kind::unreported: return "waited for";
        }
        return "";
    }

    std::map<std::tuple<int, int, int, bool, leak_kind>, group> groups_;
};

/// One rank from its first statement to its last, whatever leaves it.
template <class Body>
void live(team& shared, communicator& world, Body& body) {
    // Others must not meet what this rank has left behind: its memory is gone.
    auto const withdraw = [&] {
        shared.messages.release_leases(world.rank());
        std::size_t unfinished = 0;
        world.for_each_unfinished([&](posted_operation const& each) {
            shared.messages.withdraw(each);
            ++unfinished;
        });
        return unfinished;
    };
    auto const rank = world.rank();
    try {
        body(world);
        shared.guard.returned(rank, withdraw());
    } catch (control::secondary_error const& thrown) {
        withdraw();
        auto const* const known = dynamic_cast<std::exception const*>(&thrown);
        shared.guard.threw(rank, std::current_exception(), true, known != nullptr ? known->what() : "unknown");
    } catch (std::exception const& thrown) {
        shared.guard.threw(rank, std::current_exception(), false, thrown.what());
    } catch (...) {
        shared.guard.threw(rank, std::current_exception(), false, "not a std::exception");
    }
}

/// Waits until all ranks have left, and ends the team if that takes too long.
inline void attend(team& shared) {
    if (shared.guard.wait_until_left(shared.chosen.timeout)) { return; }
    auto const why = shared.guard.time_out();
    if (shared.guard.wait_until_left(std::min(shared.chosen.timeout, options::grace))) {
        return;
    }
    std::cerr << why << "; waiting for the ranks that are running to come back\n" << std::flush;
    static_cast<void>(shared.guard.wait_until_left(options::forever));
}

/// run(p, body) = body(world) on p ranks, each a thread of this process; returns when all have ended.
///
/// Requires: `size` > 0. `body` takes a `communicator&`. All ranks call it at once and share what it captures by
/// reference.
/// Result: messages and bytes, for each pair of ranks. With `options::perturb` messages are delayed, and requests
/// reported late and out of order, by decisions that each rank draws from the seed. All guarantees of the concept
/// remain.
/// Errors: the exception of the rank that first threw one of its own, unchanged. `deadlock` if every rank waits or has
/// left (ranks that poll `test_some` are left to the timeout). `mismatch` if the ranks' collective calls differ:
/// detected before a message of one is received by another, or when all wait or one returns. `leak` if messages,
/// receives or leases remain. `timed_out` if the ranks have not ended in `options::timeout`. Each ends every rank that
/// uses its communicator. A thread that never does so cannot be ended: `run` then writes the positions of the ranks to
/// standard error, and waits, since the thread may use the caller's variables.
/// Cost: p threads, memory for p^2 pairs of ranks.
template <class Body>
report run(int size, Body&& body, options const& how = {}) {
    if (size < 1) { throw error{"tutti: a team needs at least one rank, not " + std::to_string(size)}; }
    team shared{size, how};
    std::deque<communicator> worlds;
    for (int rank = 0; rank < size; ++rank) { worlds.emplace_back(shared, rank); }
    {
        std::vector<std::jthread> ranks;
        ranks.reserve(worlds.size());
        try {
            for (auto& world : worlds) {
                ranks.emplace_back([&] { threads::live(shared, world, body); });
            }
        } catch (std::exception const& thrown) {
            auto const first = static_cast<int>(ranks.size());
            error const wrong{"tutti: a team of " + std::to_string(size) + " ranks has threads for " +
                              std::to_string(first) + " only: " + thrown.what() +
                              "; start fewer, or let the process have more threads and memory for their stacks"};
            for (auto rank = first; rank < size; ++rank) {
                shared.guard.threw(rank, std::make_exception_ptr(wrong), false, wrong.what());
            }
        }
        attend(shared);
    }
    if (auto const cause = shared.guard.cause()) { std::rethrow_exception(cause); }
    unfinished_operations left;
    for (auto& world : worlds) {
        world.for_each_unfinished([&](posted_operation const& each) { left.add(each); });
    }
    if (!left.empty()) { throw leak{left.text()}; }
    return report{shared.all_traffic()};
}

}  // namespace tutti::threads
