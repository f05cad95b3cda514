// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <tutti/accelerator/watch/known_communicators.hpp>
#include <tutti/accelerator/watch/last_words.hpp>
#include <tutti/accelerator/watch/rank_state.hpp>
#include <tutti/accelerator/watch/watcher.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/text.hpp>

namespace tutti::accelerator::watch {

/// Numbers of bytes that a call has for or from each rank, where ranks need not have the same.
struct part_lengths {
    enum class shape {
        none,
        of_all,      ///< every rank has the lengths of all parts
        gathered,    ///< the root has, and every rank its own; the same of what is scattered
        all_to_all,  ///< every rank has those that it sends, and those that it receives
    };

    shape how = shape::none;
    std::vector<std::int64_t> whole;     ///< for each rank
    std::vector<std::int64_t> received;  ///< of all to all
    std::int64_t own = 0;
};

/// Compares calls of all ranks of a communicator before data moves, by a collective of MPI that is the same for all
/// calls: so ranks in different calls meet in it.
class comparison {
public:
    /// A blocking call: MPI's error code, after the rank with the lowest number has said what differs.
    [[nodiscard]] static int compare(known_communicator const& on, call_note const& note, part_lengths const& lengths) {
        look_at_earlier(false);
        auto state = watcher::state_of(note, on);
        auto const mine = digest(state, lengths);
        bool are_alike = true;
        int code = all_have(mine, on.comm, are_alike);
        if (code == MPI_SUCCESS && are_alike && lengths.how > part_lengths::shape::of_all) {  // on all ranks, then
            code = all_have(parts_fit(on, note, lengths) ? 1 : static_cast<std::uint64_t>(on.rank) + 2, on.comm,
                            are_alike);
        }
        if (code != MPI_SUCCESS || are_alike) { return code; }
        state.site = source_lines{}.of(note.returns_to);
        std::vector<rank_state> all(on.members.size());
        PMPI_Allgather(&state, sizeof state, MPI_BYTE, all.data(), sizeof state, MPI_BYTE, on.comm);
        explain(on, all);
        PMPI_Barrier(on.comm);  // an error handler may end the ranks before one has said why
        return refuse(on);
    }

    /// A nonblocking call: what differs is said in a later call, once all ranks have come to this one.
    static void compare_later(known_communicator const& on, call_note const& note, part_lengths const& lengths) {
        look_at_earlier(false);
        auto const lock = std::lock_guard{guard_};
        auto& one = under_way_.emplace_back();
        one.on = &on;
        one.mine = watcher::state_of(note, on);
        one.mine.site = source_lines{}.of(note.returns_to);
        one.mine.asked_calls = digest(one.mine, lengths);
        one.all.resize(on.members.size());
        PMPI_Iallgather(&one.mine, sizeof one.mine, MPI_BYTE, one.all.data(), sizeof one.mine, MPI_BYTE, on.comm,
                        &one.request);
    }

    /// Before MPI_Finalize, or before the communicator is freed.
    static void look_at_earlier(bool waits) {
        auto const lock = std::lock_guard{guard_};
        for (auto each = under_way_.begin(); each != under_way_.end();) {
            int is_done = 1;
            if (waits) {
                PMPI_Wait(&each->request, MPI_STATUS_IGNORE);
            } else {
                PMPI_Test(&each->request, &is_done, MPI_STATUS_IGNORE);
            }
            if (is_done == 0) {
                ++each;
                continue;
            }
            auto const same = [&](rank_state const& other) { return other.asked_calls == each->mine.asked_calls; };
            if (!std::all_of(each->all.begin(), each->all.end(), same)) {
                explain(*each->on, each->all);
                if (each->on->rank != 0) { std::this_thread::sleep_for(time_to_explain); }
                static_cast<void>(refuse(*each->on));
            }
            each = under_way_.erase(each);
        }
    }

private:
    struct later {
        known_communicator const* on = nullptr;
        rank_state mine;
        std::vector<rank_state> all;
        MPI_Request request = MPI_REQUEST_NULL;
    };

    [[nodiscard]] static std::uint64_t digest(rank_state const& state, part_lengths const& lengths) {
        std::string text{state.name.view()};
        text += '|' + std::to_string(state.peer) + '|' + std::string{state.op.view()} + '|';
        if (!state.op.empty()) { text += state.type.view(); }
        if (state.equal != 0) { text += '|' + std::to_string(state.bytes); }
        if (lengths.how == part_lengths::shape::of_all) {
            for (auto const each : lengths.whole) { text += ',' + std::to_string(each); }
        }
        return text::hash_of_name(text);
    }

    [[nodiscard]] static int all_have(std::uint64_t mine, MPI_Comm comm, bool& are_alike) {
        std::uint64_t const both[2] = {mine, ~mine};
        std::uint64_t greatest[2] = {0, 0};
        int const code = PMPI_Allreduce(both, greatest, 2, MPI_UINT64_T, MPI_MAX, comm);
        are_alike = greatest[0] == ~greatest[1];
        return code;
    }

    /// Whether what this rank has for or from others is as long as they say.
    [[nodiscard]] static bool parts_fit(known_communicator const& on, call_note const& note,
                                        part_lengths const& lengths) {
        auto const ranks = on.members.size();
        auto const is_root = note.peer == on.rank;
        std::vector<std::int64_t> other(ranks, 0);
        switch (lengths.how) {
        case part_lengths::shape::none:
        case part_lengths::shape::of_all: return true;
        case part_lengths::shape::gathered:
            PMPI_Allgather(&lengths.own, 1, MPI_INT64_T, other.data(), 1, MPI_INT64_T, on.comm);
            if (!is_root || lengths.whole.size() != ranks) { return true; }
            for (std::size_t r = 0; r != ranks; ++r) {
                if (other[r] >= 0 && other[r] != lengths.whole[r]) { return false; }
            }
            return true;
        case part_lengths::shape::all_to_all: {
            auto sent = lengths.whole;
            sent.resize(ranks, -1);
            PMPI_Alltoall(sent.data(), 1, MPI_INT64_T, other.data(), 1, MPI_INT64_T, on.comm);
            for (std::size_t r = 0; r != std::min(ranks, lengths.received.size()); ++r) {
                if (other[r] >= 0 && other[r] != lengths.received[r]) { return false; }
            }
            return true;
        }
        }
        return true;
    }

    static void explain(known_communicator const& on, std::vector<rank_state> const& all) {
        if (on.rank != 0) { return; }
        std::vector<std::pair<int, std::string>> lines;
        char const* differ = nullptr;
        for (auto const& each : all) {
            lines.emplace_back(each.rank, each.call_text());
            if (differ == nullptr) { differ = each.differs_from(all.front()); }
        }
        std::string const text = "tutti: these calls do not match: " +
                                 std::string{differ != nullptr ? differ : "the lengths of parts differ"} + '\n' +
                                 lines_by_ranks(lines);
        std::fwrite(text.data(), 1, text.size(), stderr);
    }

    [[nodiscard]] static int refuse(known_communicator const& on) {
        last_words::end();  // these are
        PMPI_Comm_call_errhandler(on.comm, MPI_ERR_OTHER);
        return MPI_ERR_OTHER;
    }

    static constexpr std::chrono::seconds time_to_explain{2};

    inline static std::mutex guard_;
    inline static auto& under_way_ = *new std::list<later>;
};

}  // namespace tutti::accelerator::watch
