// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <tutti/communicator/backoff.hpp>
#include <tutti/communicator/call.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/text.hpp>
#include <watch/known_communicators.hpp>
#include <watch/exit_report.hpp>
#include <watch/packed.hpp>
#include <watch/rank_state.hpp>
#include <watch/ticks.hpp>
#include <watch/watcher.hpp>

namespace tutti::watch {

/// Numbers of bytes that a call has for or from each rank, where ranks need not have the same; negative, or missing at
/// the end: not known.
struct part_lengths {
    enum class shape : std::uint64_t {
        none,
        of_all,      ///< every rank has given the lengths of all parts, which are the same
        gathered,    ///< what a rank gives to another is what that takes from it
        scattered,   ///< the same
        all_to_all,  ///< the same
    };

    shape how = shape::none;
    std::vector<std::int64_t> given{};
    std::vector<std::int64_t> taken{};

    static void members_of(auto& one, auto use) { use(one.how, one.given, one.taken); }

    [[nodiscard]] static std::int64_t at(std::vector<std::int64_t> const& these, std::size_t place) {
        return place < these.size() ? these[place] : -1;
    }
    [[nodiscard]] static bool differ(std::int64_t given, std::int64_t taken) {
        return given >= 0 && taken >= 0 && given != taken;
    }
};

/// Compares calls of all ranks of a communicator before data moves.
///
/// A blocking call begins once a digest of it has travelled between all ranks, by dissemination. Of nonblocking calls,
/// and of blocking ones that differ or have waited, each rank sends what it calls to the lowest rank of the
/// communicator, which compares and reports. All messages travel in a communicator of their own: in the program's they
/// could meet its own calls, and it may be freed meanwhile. What is under way is tested, never waited for: a program's
/// wait is a loop until that which it waits for has ended, and no lock is held in a call that waits.
class comparison {
public:
    /// On all ranks, after MPI_Init.
    static void begin() {
        PMPI_Comm_dup(MPI_COMM_WORLD, &own_);
        PMPI_Comm_set_errhandler(own_, MPI_ERRORS_RETURN);
        room_.resize(most_state_bytes + 2 * comm_size(own_) * sizeof(std::int64_t));
        receive();
    }

    /// A blocking call: MPI's error code, after the lowest rank has written what differs.
    [[nodiscard]] static int compare(known_communicator& on, call_record const& note, part_lengths const& lengths) {
        look();
        unsigned const before = on.refused;
        auto mine = call_of(on, note, lengths);
        mine.is_blocking = true;
        bool is_told = false;
        auto result = all_have(mine.digest, 0, on, mine, before, is_told);
        if (result == outcome::alike && lengths.how > part_lengths::shape::of_all) {  // on all ranks, then
            auto const fits = parts_fit(on, lengths) ? 1 : static_cast<std::uint64_t>(on.rank) + 2;
            result = all_have(fits, 1, on, mine, before, is_told);
        }
        if (result == outcome::alike) {
            settle(on, note.number);
            return MPI_SUCCESS;
        }
        if (result == outcome::different && !is_told) { tell(std::move(mine)); }
        wait_until([&] { return on.refused != before; });
        return MPI_ERR_OTHER;
    }

    /// A nonblocking call: what differs is reported in a later call, once all ranks have begun this one.
    static void begun(known_communicator const& on, call_record const& note, part_lengths const& lengths) {
        tell(call_of(on, note, lengths));
    }

    /// Compares what has come. The error handlers of communicators with calls that differ are called.
    static void look() {
        std::vector<std::uint64_t> found;
        {
            auto const lock = std::unique_lock{guard_, std::try_to_lock};  // or another thread looks
            if (!lock || own_ == MPI_COMM_NULL) { return; }
            take_messages();
            sent_.remove_if([](sent& each) { return has_ended(each.request); });
            found.swap(to_refuse_);
        }
        for (auto const each : found) { refuse(each); }
    }

    /// Looks until `has_ended()`: MPI's error code, since calls may be found that differ.
    template <class HasEnded>
    [[nodiscard]] static int look_until(HasEnded has_ended) {
        unsigned const before = refused_;
        wait_until([&] { return refused_ != before || has_ended(); });
        return refused_ == before ? MPI_SUCCESS : MPI_ERR_OTHER;
    }

    /// On all ranks, before MPI_Finalize. Once all messages of a rank have been taken, and all ranks have come so far,
    /// none is under way.
    static void end() {
        if (own_ == MPI_COMM_NULL) { return; }
        wait_until(is_all_taken);
        MPI_Request all_have_come = MPI_REQUEST_NULL;
        PMPI_Ibarrier(own_, &all_have_come);
        wait_until([&] { return has_ended(all_have_come); });
        PMPI_Cancel(&arriving_);
        PMPI_Wait(&arriving_, MPI_STATUS_IGNORE);
        for (auto const& each : open_) { report_missing(each.second); }
        PMPI_Comm_free(&own_);
    }

private:
    using call_key = std::array<std::uint64_t, 2>;  // communicator, number of the call
    using step_key = std::array<std::uint64_t, 4>;  // the same, stage of the comparison, and distance of the ranks
    using extremes = std::array<std::uint64_t, 2>;  // the greatest number, and the complement of the least

    enum class outcome { alike, different, refused };

    /// What begins every message.
    enum class subject : std::uint64_t {
        call,     ///< what a rank calls: a `call` follows
        refusal,  ///< calls of a communicator differ: its id follows
        step,     ///< of the comparison of a blocking call: `step_key` and `extremes` follow
    };

    /// What a rank calls.
    struct call {
        rank_state state;
        part_lengths lengths;
        std::uint64_t digest = 0;  ///< of what has to be the same
        std::int64_t place = 0;    ///< rank in the communicator
        std::uint64_t ranks = 0;   ///< of the communicator
        std::int64_t lowest = 0;   ///< of these, in MPI_COMM_WORLD: it compares
        bool is_blocking = false;

        static void members_of(auto& one, auto use) {
            use(one.state, one.lengths, one.digest, one.place, one.ranks, one.lowest, one.is_blocking);
        }
        [[nodiscard]] call_key key() const { return {state.communicator, state.number}; }
    };
    struct sent {
        std::string bytes;
        MPI_Request request = MPI_REQUEST_NULL;
    };

    /// Looks until `is_done()`. Where ranks share processors, others need this one's meanwhile.
    template <class IsDone>
    static void wait_until(IsDone is_done) {
        control::backoff how{{.few = 10, .most = 100, .yields = 1000, .always_sleeps = true}};
        for (look(); !is_done(); look()) {
            if (how.next() == control::backoff::step::sleep) {
                std::this_thread::sleep_for(std::chrono::microseconds{50});
            }
        }
    }

    [[nodiscard]] static call call_of(known_communicator const& on, call_record const& note,
                                      part_lengths const& lengths) {
        call result{{watcher::rank(), note}, lengths};
        result.state.communicator_name = shortened(on.name);
        result.state.site = shortened(line_of(note.returns_to));
        result.place = on.rank;
        result.ranks = on.members.size();
        result.lowest = *std::min_element(on.members.begin(), on.members.end());
        result.digest = control::digest_with(control::digest_of(result.state.entered()), note.number);
        if (lengths.how != part_lengths::shape::of_all) { return result; }
        for (auto const each : lengths.given) {
            result.digest = control::digest_with(result.digest, static_cast<std::uint64_t>(each));
        }
        return result;
    }

    [[nodiscard]] static std::string line_of(void const* returns_to) {
        static std::mutex guard;
        static auto& known = *new std::map<void const*, std::string>;
        auto const lock = std::lock_guard{guard};
        auto& line = known[returns_to];
        if (line.empty()) { line = source_lines{}.of(returns_to); }
        return line;
    }

    [[nodiscard]] static bool has_ended(MPI_Request& request) {
        int is_done = 0;
        return PMPI_Test(&request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS || is_done != 0;
    }

    /// Whether all ranks of a communicator have the same number in this stage of a call: in each step a rank sends what
    /// it knows to the one that is further by a power of two. One that has waited sends what it calls, since others may
    /// be in another call, or a nonblocking one.
    /// Cost: ⌈log2 p⌉ messages one after the other.
    [[nodiscard]] static outcome all_have(std::uint64_t mine, std::uint64_t stage, known_communicator const& on,
                                          call const& what, unsigned before, bool& is_told) {
        auto const begun = ticks::nanoseconds();
        auto const ranks = on.members.size();
        extremes known{mine, ~mine};
        for (std::size_t distance = 1; distance < ranks; distance *= 2) {
            step_key const key{on.id, what.state.number, stage, distance};
            {
                auto const lock = std::lock_guard{guard_};
                send(on.members[(static_cast<std::size_t>(on.rank) + distance) % ranks], subject::step, key, known);
            }
            bool has_come = false;
            wait_until([&] {
                if (!is_told && ticks::nanoseconds() - begun > until_told) {
                    tell(what);
                    is_told = true;
                }
                has_come = take_step(key, known);
                return has_come || on.refused != before;
            });
            if (!has_come) { return outcome::refused; }
        }
        return known[0] == ~known[1] ? outcome::alike : outcome::different;
    }
    /// What another rank knows, if its message has come.
    [[nodiscard]] static bool take_step(step_key const& key, extremes& known) {
        auto const lock = std::lock_guard{guard_};
        auto const found = steps_.extract(key);
        if (found.empty()) { return false; }
        for (std::size_t i = 0; i != known.size(); ++i) { known[i] = std::max(known[i], found.mapped()[i]); }
        return true;
    }

    /// Whether what this rank takes from others is as long as they state.
    [[nodiscard]] static bool parts_fit(known_communicator const& on, part_lengths const& lengths) {
        auto const ranks = on.members.size();
        auto given = lengths.given;
        given.resize(ranks, -1);
        std::vector<std::int64_t> theirs(ranks, -1);
        PMPI_Alltoall(given.data(), 1, MPI_INT64_T, theirs.data(), 1, MPI_INT64_T, on.comm);
        for (std::size_t r = 0; r != ranks; ++r) {
            if (part_lengths::differ(theirs[r], part_lengths::at(lengths.taken, r))) { return false; }
        }
        return true;
    }

    // ---- messages --------------------------------------------------------------------------------------------------

    /// Sends a call to the rank that compares.
    static void tell(call what) {
        auto const lock = std::lock_guard{guard_};
        if (own_ == MPI_COMM_NULL) { return; }
        auto const lowest = static_cast<int>(what.lowest);
        lowest == watcher::rank() ? meet(std::move(what)) : send(lowest, subject::call, what);
    }

    /// `guard_` is held where anything is sent.
    template <class... Values>
    static void send(int to, Values const&... values) {
        auto& one = sent_.emplace_back(sent{packed(values...)});
        PMPI_Issend(one.bytes.data(), static_cast<int>(one.bytes.size()), MPI_BYTE, to, 0, own_, &one.request);
    }

    static void receive() {
        PMPI_Irecv(room_.data(), static_cast<int>(room_.size()), MPI_BYTE, MPI_ANY_SOURCE, 0, own_, &arriving_);
    }

    static void take_messages() {
        for (; has_ended(arriving_); receive()) {
            std::string_view bytes = room_;
            subject about{};
            call what;
            std::uint64_t communicator = 0;
            std::pair<step_key, extremes> step;
            if (!unpack(bytes, about)) { continue; }
            if (about == subject::call && unpack(bytes, what)) { meet(std::move(what)); }
            if (about == subject::refusal && unpack(bytes, communicator)) { to_refuse_.push_back(communicator); }
            if (about == subject::step && unpack(bytes, step)) { steps_.insert(step); }
        }
    }

    [[nodiscard]] static bool is_all_taken() {
        auto const lock = std::lock_guard{guard_};
        return sent_.empty();
    }

    // ---- on the rank that compares ---------------------------------------------------------------------------------

    /// A call of a rank has become known; `guard_` is held.
    static void meet(call what) {
        auto const key = what.key();
        bool is_settled = false;  // a blocking one may have been compared meanwhile
        known_communicators::get().with(
            key[0], [&](known_communicator const& each) { is_settled = what.is_blocking && each.compared >= key[1]; });
        if (is_settled) { return; }
        auto& all = open_[key];
        all.push_back(std::move(what));
        if (all.size() < all.back().ranks) { return; }
        judge(std::move(all));
        open_.erase(key);
    }

    static void judge(std::vector<call> calls) {
        std::sort(calls.begin(), calls.end(), [](auto const& a, auto const& b) { return a.place < b.place; });
        auto const& first = calls.front();
        char const* differ = nullptr;
        bool is_same = true;
        for (auto const& each : calls) {
            if (differ == nullptr) { differ = each.state.differs_from(first.state); }
            is_same = is_same && each.digest == first.digest;
        }
        auto text = differ != nullptr ? std::string{differ} : different_parts(calls);
        if (text.empty() && is_same) { return; }
        explain("these calls do not match: " + (text.empty() ? "their arguments differ" : text), calls);
        for (auto const& each : calls) {
            if (each.state.rank == first.lowest) { continue; }
            send(static_cast<int>(each.state.rank), subject::refusal, first.state.communicator);
        }
        to_refuse_.push_back(first.state.communicator);
    }

    /// "the lengths of parts differ: rank 1 has 32 bytes for rank 2, which takes 40"; empty if they do not.
    [[nodiscard]] static std::string different_parts(std::vector<call> const& all) {
        std::string text;
        std::size_t others = 0;
        auto const rank_at = [&](std::size_t place) { return all[place].state.rank; };
        for (std::size_t from = 0; from != all.size(); ++from) {
            auto const& one = all[from].lengths;
            for (std::size_t to = 0; to != all.size(); ++to) {
                auto const given = part_lengths::at(one.given, to);
                if (one.how == part_lengths::shape::of_all) {
                    auto const first = part_lengths::at(all.front().lengths.given, to);
                    if (first == given || !text.empty()) { continue; }
                    text = text::joined({"that of rank ", rank_at(to), " has ", text::word(first, "byte"), " on rank ",
                                         rank_at(0), ", and ", given, " on rank ", rank_at(from)});
                } else if (auto const taken = part_lengths::at(all[to].lengths.taken, from);
                           part_lengths::differ(given, taken)) {
                    others += text.empty() ? 0 : 1;
                    if (!text.empty()) { continue; }
                    text = text::joined({"rank ", rank_at(from), " has ", text::word(given, "byte"), " for rank ",
                                         rank_at(to), ", which takes ", taken});
                }
            }
        }
        if (text.empty()) { return text; }
        return "the lengths of parts differ: " + text + (others == 0 ? "" : text::joined({" (and ", others, " more)"}));
    }

    /// A nonblocking call that not all ranks have begun: it is known at the end alone.
    static void report_missing(std::vector<call> const& calls) {
        if (std::all_of(calls.begin(), calls.end(), [](auto const& each) { return each.is_blocking; })) { return; }
        auto missing = known_communicators::get().members_of(calls.front().state.communicator);
        for (auto const& each : calls) { std::erase(missing, each.state.rank); }
        explain("not all ranks have begun this call" +
                    (missing.empty() ? "" : ", which is missing on " + text_of_ranks(missing)),
                calls);
    }

    static void explain(std::string const& what, std::vector<call> const& calls) {
        rank_lines lines;
        for (auto const& each : calls) { lines.add(each.state.rank, each.state.call_text()); }
        auto const text = "tutti: " + what + '\n' + lines.text();
        std::fwrite(text.data(), 1, text.size(), stderr);
    }

    /// All ranks have found that they are in this blocking call: what some have sent of it is not needed.
    static void settle(known_communicator& on, std::uint64_t number) {
        auto const lock = std::lock_guard{guard_};
        on.compared = number;
        open_.erase(call_key{on.id, number});
    }

    // ---- errors ----------------------------------------------------------------------------------------------------

    static void refuse(std::uint64_t communicator) {
        exit_report::end();  // what differs has been written
        MPI_Comm comm = MPI_COMM_WORLD;
        known_communicators::get().with(communicator, [&](known_communicator& each) {
            comm = each.comm;
            ++each.refused;
        });
        ++refused_;
        PMPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
    }

    static constexpr std::int64_t until_told = 200'000'000;  // ns

    inline static std::mutex guard_;
    inline static MPI_Comm own_ = MPI_COMM_NULL;
    inline static MPI_Request arriving_ = MPI_REQUEST_NULL;
    // not destroyed, since a program may call MPI while it ends
    inline static auto& room_ = *new std::string;
    inline static auto& sent_ = *new std::list<sent>;
    inline static auto& steps_ = *new std::map<step_key, extremes>;
    inline static auto& open_ = *new std::map<call_key, std::vector<call>>;
    inline static auto& to_refuse_ = *new std::vector<std::uint64_t>;  // whose error handlers are called next
    inline static std::atomic<unsigned> refused_{0};                   // of all communicators
};

}  // namespace tutti::watch
