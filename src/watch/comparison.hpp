// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/communicator/agreement.hpp>
#include <tutti/communicator/backoff.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/text.hpp>
#include <watch/known_communicators.hpp>
#include <watch/last_words.hpp>
#include <watch/rank_state.hpp>
#include <watch/ticks.hpp>
#include <watch/watcher.hpp>

namespace tutti::watch {

/// Numbers of bytes that a call has for or from each rank, where ranks need not have the same.
struct part_lengths {
    enum class shape : std::int64_t {
        none,
        of_all,      ///< every rank has the lengths of all parts
        gathered,    ///< the root has, and every rank its own
        scattered,   ///< the same
        all_to_all,  ///< every rank has those that it sends, and those that it receives
    };

    shape how = shape::none;
    std::vector<std::int64_t> whole;     ///< for each rank
    std::vector<std::int64_t> received;  ///< of all to all
    std::int64_t own = -1;               ///< negative: not known
};

/// Compares calls of all ranks of a communicator before data moves.
///
/// A blocking call begins once a digest of it has travelled up and down a tree of the ranks. Of nonblocking calls, and
/// of blocking ones that differ or have waited, each rank sends what it calls to the lowest rank of the communicator,
/// which compares and reports. All messages travel in a communicator of their own: in the program's they could meet its
/// own calls, and it may be freed meanwhile. What is under way is tested, never waited for: a program's wait is a loop
/// until that which it waits for has ended, and no lock is held in a call that waits.
class comparison {
public:
    /// On all ranks, after MPI_Init.
    static void begin() {
        PMPI_Comm_dup(MPI_COMM_WORLD, &own_);
        PMPI_Comm_set_errhandler(own_, MPI_ERRORS_RETURN);
        int size = 0;
        PMPI_Comm_size(own_, &size);
        room_.resize(sizeof(letter) + sizeof(head) + 2 * static_cast<std::size_t>(size) * sizeof(std::int64_t));
        receive();
    }

    /// A blocking call: MPI's error code, after the lowest rank has written what differs.
    [[nodiscard]] static int compare(known_communicator& on, call_note const& note, part_lengths const& lengths) {
        look();
        auto const before = differing();
        auto mine = call_of(on, note, lengths);
        mine.about.is_blocking = 1;
        bool is_told = false;
        auto result = all_have(mine.about.digest, 0, on, mine, before, is_told);
        if (result == outcome::alike && lengths.how > part_lengths::shape::of_all) {  // on all ranks, then
            auto const fits = parts_fit(on, note, lengths) ? 1 : static_cast<std::uint64_t>(on.rank) + 2;
            result = all_have(fits, 1, on, mine, before, is_told);
        }
        if (result == outcome::alike) {
            settle(on, note.number);
            return MPI_SUCCESS;
        }
        if (result == outcome::different && !is_told) { tell(std::move(mine)); }
        pauses wait;
        while (!differ(on.id, before)) {
            wait();
            look();
        }
        return MPI_ERR_OTHER;
    }

    /// A nonblocking call: what differs is reported in a later call, once all ranks have begun this one.
    static void begun(known_communicator const& on, call_note const& note, part_lengths const& lengths) {
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
        auto const before = differing();
        pauses wait;
        for (;;) {
            look();
            if (differing() != before) { return MPI_ERR_OTHER; }
            if (has_ended()) { return MPI_SUCCESS; }
            wait();
        }
    }

    /// On all ranks, before MPI_Finalize. Once all messages of a rank have been taken, and all ranks have come so far,
    /// none is under way.
    static void end() {
        if (own_ == MPI_COMM_NULL) { return; }
        pauses wait;
        MPI_Request all_have_come = MPI_REQUEST_NULL;
        for (bool is_last = false;;) {
            look();
            if (!is_last && is_all_taken()) {
                PMPI_Ibarrier(own_, &all_have_come);
                is_last = true;
            }
            if (is_last && has_ended(all_have_come)) { break; }
            wait();
        }
        PMPI_Cancel(&arriving_);
        PMPI_Wait(&arriving_, MPI_STATUS_IGNORE);
        for (auto const& [key, calls] : open_) { report_missing(key, calls); }
        PMPI_Comm_free(&own_);
    }

private:
    using call_key = std::pair<std::uint64_t, std::uint64_t>;  // communicator, number of the call

    enum class outcome { alike, different, refused };

    /// What begins every message.
    struct letter {
        enum class kind : std::uint64_t {
            call,     ///< what a rank calls: a `head` follows
            refusal,  ///< calls of the communicator differ
            up,       ///< greatest digests of a branch of the tree
            down,     ///< those of all ranks
        };
        kind what = kind::call;
        std::uint64_t communicator = 0;
        std::uint64_t number = 0;  ///< of the call; in the tree, of its round
        std::array<std::uint64_t, 2> greatest{};
    };

    /// The tree of a blocking call, on one rank.
    struct round {
        std::array<std::uint64_t, 2> greatest{};  ///< of the branches that have come
        std::size_t branches = 0;
        bool is_over = false;
    };

    /// What a rank calls: the numbers of `whole` and `received` follow.
    struct head {
        rank_state state;
        std::uint64_t digest = 0;  ///< of what has to be the same
        std::int32_t place = 0;    ///< rank in the communicator
        std::int32_t ranks = 0;    ///< of the communicator
        std::int32_t lowest = 0;   ///< of these, in MPI_COMM_WORLD: it compares
        std::int32_t is_blocking = 0;
        part_lengths::shape how = part_lengths::shape::none;
        std::int64_t own = -1;
        std::uint64_t whole = 0;
        std::uint64_t received = 0;

        [[nodiscard]] call_key key() const { return {state.communicator, state.number}; }
    };
    static_assert(std::is_trivially_copyable_v<head>);
    struct call {
        head about;
        part_lengths lengths;
    };
    struct sent {
        std::vector<std::byte> bytes;
        MPI_Request request = MPI_REQUEST_NULL;
    };

    /// Between two looks. Where ranks share processors, others need this one's.
    class pauses {
    public:
        void operator()() {
            if (how_.next() == control::backoff::step::sleep) {
                std::this_thread::sleep_for(std::chrono::microseconds{50});
            }
        }

    private:
        control::backoff how_{{.few = 10, .most = 100, .yields = 1000, .always_sleeps = true}};
    };

    [[nodiscard]] static call call_of(known_communicator const& on, call_note const& note,
                                      part_lengths const& lengths) {
        call result{{}, lengths};
        auto& about = result.about;
        about.state = watcher::state_of(note, on);
        about.state.site = line_of(note.returns_to);
        about.place = on.rank;
        about.ranks = static_cast<std::int32_t>(on.members.size());
        about.lowest = *std::min_element(on.members.begin(), on.members.end());
        about.how = lengths.how;
        about.own = lengths.own;
        about.whole = lengths.whole.size();
        about.received = lengths.received.size();
        about.digest = digest(about.state, lengths);
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

    [[nodiscard]] static std::uint64_t digest(rank_state const& state, part_lengths const& lengths) {
        std::string text{state.function()};
        text += '|' + std::to_string(state.number) + '|' + std::to_string(state.peer) + '|';
        text += std::string{state.op.view()} + '|' + std::to_string(state.type_kind);
        if (state.equal != 0) { text += '|' + std::to_string(state.bytes); }
        if (lengths.how == part_lengths::shape::of_all) {
            for (auto const each : lengths.whole) { text += ',' + std::to_string(each); }
        }
        return text::hash_of_name(text);
    }

    [[nodiscard]] static bool has_ended(MPI_Request& request) {
        int is_done = 0;
        return PMPI_Test(&request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS || is_done != 0;
    }

    /// Whether all ranks of a communicator have the same number in this stage of a call. One that has waited tells what
    /// it calls, since others may be in another call, or a nonblocking one.
    [[nodiscard]] static outcome all_have(std::uint64_t mine, std::uint64_t stage, known_communicator const& on,
                                          call const& what, std::size_t before, bool& is_told) {
        control::binomial_tree const tree{on.rank, static_cast<int>(on.members.size())};
        auto const rank_of = [&](int place) { return on.members[static_cast<std::size_t>(place)]; };
        call_key const key{on.id, 2 * what.about.state.number + stage};
        auto const children = tree.children();
        auto const branches = children.size();
        std::array<std::uint64_t, 2> greatest{mine, ~mine};
        auto const begun = ticks::nanoseconds();
        bool is_sent = false;
        for (pauses wait;; wait()) {
            {
                auto const lock = std::lock_guard{guard_};
                auto& all = rounds_[key];
                if (!is_sent && all.branches == branches) {
                    for (std::size_t i = 0; i != greatest.size(); ++i) {
                        greatest[i] = std::max(greatest[i], all.greatest[i]);
                    }
                    all = {greatest, 0, !tree.has_parent()};
                    if (tree.has_parent()) {
                        send({letter::kind::up, key.first, key.second, greatest}, rank_of(tree.parent()));
                    }
                    is_sent = true;
                }
                if (all.is_over) {
                    greatest = all.greatest;
                    rounds_.erase(key);
                    for (int const child : children) {
                        send({letter::kind::down, key.first, key.second, greatest}, rank_of(child));
                    }
                    return greatest[0] == ~greatest[1] ? outcome::alike : outcome::different;
                }
            }
            look();
            if (differ(on.id, before)) {
                auto const lock = std::lock_guard{guard_};
                rounds_.erase(key);
                return outcome::refused;
            }
            if (!is_told && ticks::nanoseconds() - begun > until_told) {
                tell(what);
                is_told = true;
            }
        }
    }

    /// Whether what this rank has for or from others is as long as they state.
    [[nodiscard]] static bool parts_fit(known_communicator const& on, call_note const& note,
                                        part_lengths const& lengths) {
        auto const ranks = on.members.size();
        std::vector<std::int64_t> other(ranks, -1);
        auto const* expected = &lengths.whole;
        if (lengths.how == part_lengths::shape::all_to_all) {
            auto sent = lengths.whole;
            sent.resize(ranks, -1);
            PMPI_Alltoall(sent.data(), 1, MPI_INT64_T, other.data(), 1, MPI_INT64_T, on.comm);
            expected = &lengths.received;
        } else {
            PMPI_Allgather(&lengths.own, 1, MPI_INT64_T, other.data(), 1, MPI_INT64_T, on.comm);
            if (note.peer != on.rank) { return true; }
        }
        for (std::size_t r = 0; r != std::min(ranks, expected->size()); ++r) {
            if (other[r] >= 0 && (*expected)[r] >= 0 && other[r] != (*expected)[r]) { return false; }
        }
        return true;
    }

    // ---- messages --------------------------------------------------------------------------------------------------

    /// Sends a call to the rank that compares.
    static void tell(call what) {
        auto const lock = std::lock_guard{guard_};
        if (own_ == MPI_COMM_NULL) { return; }
        if (what.about.lowest == watcher::rank()) {
            meet(std::move(what));
        } else {
            send({}, what.about.lowest, &what);
        }
    }

    /// `guard_` is held where anything is sent.
    static void send(letter const& what, int to, call const* with = nullptr) {
        auto& one = sent_.emplace_back();
        auto const add = [&](auto const* first, std::size_t number) {
            auto const* const bytes = reinterpret_cast<std::byte const*>(first);
            one.bytes.insert(one.bytes.end(), bytes, bytes + number * sizeof *first);
        };
        add(&what, 1);
        if (with != nullptr) {
            add(&with->about, 1);
            add(with->lengths.whole.data(), with->lengths.whole.size());
            add(with->lengths.received.data(), with->lengths.received.size());
        }
        PMPI_Issend(one.bytes.data(), static_cast<int>(one.bytes.size()), MPI_BYTE, to, 0, own_, &one.request);
    }

    static void receive() {
        PMPI_Irecv(room_.data(), static_cast<int>(room_.size()), MPI_BYTE, MPI_ANY_SOURCE, 0, own_, &arriving_);
    }

    static void take_messages() {
        int has_come = 0;
        while (PMPI_Test(&arriving_, &has_come, MPI_STATUS_IGNORE) == MPI_SUCCESS && has_come != 0) {
            letter about;
            std::memcpy(&about, room_.data(), sizeof about);
            call_key const key{about.communicator, about.number};
            switch (about.what) {
            case letter::kind::call: {
                auto got = call_in(room_.data() + sizeof about);
                receive();
                meet(std::move(got));
                continue;
            }
            case letter::kind::refusal: to_refuse_.push_back(about.communicator); break;
            case letter::kind::up: {
                auto& all = rounds_[key];
                ++all.branches;
                for (std::size_t i = 0; i != all.greatest.size(); ++i) {
                    all.greatest[i] = std::max(all.greatest[i], about.greatest[i]);
                }
                break;
            }
            case letter::kind::down: rounds_[key] = {about.greatest, 0, true}; break;
            }
            receive();
        }
    }

    [[nodiscard]] static call call_in(std::byte const* bytes) {
        call got;
        std::memcpy(&got.about, bytes, sizeof got.about);
        bytes += sizeof got.about;
        auto const take = [&](std::vector<std::int64_t>& to, std::uint64_t number) {
            to.resize(number);
            if (number != 0) { std::memcpy(to.data(), bytes, number * sizeof(std::int64_t)); }
            bytes += number * sizeof(std::int64_t);
        };
        take(got.lengths.whole, got.about.whole);
        take(got.lengths.received, got.about.received);
        got.lengths.how = got.about.how;
        got.lengths.own = got.about.own;
        return got;
    }

    [[nodiscard]] static bool is_all_taken() {
        auto const lock = std::lock_guard{guard_};
        return sent_.empty();
    }

    // ---- on the rank that compares ---------------------------------------------------------------------------------

    /// A call of a rank has become known; `guard_` is held.
    static void meet(call what) {
        auto const key = what.about.key();
        if (what.about.is_blocking != 0) {  // it may have been compared meanwhile
            bool is_settled = false;
            known_communicators::get().with(
                key.first, [&](known_communicator const& each) { is_settled = each.compared >= key.second; });
            if (is_settled) { return; }
        }
        auto& all = open_[key];
        auto const ranks = static_cast<std::size_t>(what.about.ranks);
        all.push_back(std::move(what));
        if (all.size() < ranks) { return; }
        auto const calls = std::move(all);
        open_.erase(key);
        judge(calls);
    }

    static void judge(std::vector<call> calls) {
        std::sort(calls.begin(), calls.end(),
                  [](auto const& a, auto const& b) { return a.about.place < b.about.place; });
        auto const& first = calls.front().about;
        char const* differ = nullptr;
        for (auto const& each : calls) {
            if (differ == nullptr) { differ = each.about.state.differs_from(first.state); }
        }
        auto const same = [&](call const& each) { return each.about.digest == first.digest; };
        auto text = differ != nullptr ? std::string{differ} : different_parts(calls);
        if (text.empty() && std::all_of(calls.begin(), calls.end(), same)) { return; }
        if (text.empty()) { text = "their arguments differ"; }
        explain("these calls do not match: " + text, calls);
        for (auto const& each : calls) {
            if (each.about.state.rank == first.lowest) { continue; }
            send({letter::kind::refusal, first.state.communicator}, each.about.state.rank);
        }
        to_refuse_.push_back(first.state.communicator);
    }

    /// "the lengths of parts differ: rank 1 has 32 bytes for rank 2, which takes 40"; empty if they do not.
    [[nodiscard]] static std::string different_parts(std::vector<call> const& all) {
        std::string text;
        std::size_t others = 0;
        auto const differ = [&](std::int64_t had, std::size_t from, std::int64_t taken, std::size_t to) {
            if (had < 0 || taken < 0 || had == taken) { return; }
            if (!text.empty()) {
                ++others;
                return;
            }
            auto const rank = [&](std::size_t place) { return std::to_string(all[place].about.state.rank); };
            text = "the lengths of parts differ: rank " + rank(from) + " has " + std::to_string(had) +
                   " bytes for rank " + rank(to) + ", which takes " + std::to_string(taken);
        };
        auto const at = [](std::vector<std::int64_t> const& these, std::size_t place) {
            return place < these.size() ? these[place] : -1;
        };
        auto const& first = all.front();
        auto const root = static_cast<std::size_t>(std::max(first.about.state.peer, 0));
        for (std::size_t r = 0; r != all.size(); ++r) {
            auto const& one = all[r].lengths;
            if (one.how == part_lengths::shape::of_all) {
                for (std::size_t part = 0; part != all.size() && text.empty(); ++part) {
                    auto const due = at(first.lengths.whole, part);
                    auto const own = at(one.whole, part);
                    if (due == own) { continue; }
                    auto const rank = [&](std::size_t place) { return std::to_string(all[place].about.state.rank); };
                    text = "the lengths of parts differ: that of rank " + rank(part) + " has " + std::to_string(due) +
                           " bytes on rank " + rank(0) + ", and " + std::to_string(own) + " on rank " + rank(r);
                }
            } else if (one.how == part_lengths::shape::gathered && root < all.size()) {
                differ(one.own, r, at(all[root].lengths.whole, r), root);
            } else if (one.how == part_lengths::shape::scattered && root < all.size()) {
                differ(at(all[root].lengths.whole, r), root, one.own, r);
            } else if (one.how == part_lengths::shape::all_to_all) {
                for (std::size_t to = 0; to != all.size(); ++to) {
                    differ(at(one.whole, to), r, at(all[to].lengths.received, r), to);
                }
            }
        }
        return others == 0 ? text : text + " (and " + std::to_string(others) + " more)";
    }

    /// A nonblocking call that not all ranks have begun: it is known at the end alone.
    static void report_missing(call_key const& key, std::vector<call> const& calls) {
        if (std::all_of(calls.begin(), calls.end(), [](auto const& each) { return each.about.is_blocking != 0; })) {
            return;
        }
        std::vector<int> missing;
        known_communicators::get().with(key.first, [&](known_communicator const& each) { missing = each.members; });
        for (auto const& each : calls) { std::erase(missing, each.about.state.rank); }
        explain("not all ranks have begun this call" +
                    (missing.empty() ? "" : ", which is missing on " + text_of_ranks(missing)),
                calls);
    }

    static void explain(std::string const& what, std::vector<call> const& calls) {
        std::vector<std::pair<int, std::string>> lines;
        for (auto const& each : calls) { lines.emplace_back(each.about.state.rank, each.about.state.call_text()); }
        auto const text = "tutti: " + what + '\n' + lines_by_ranks(lines);
        std::fwrite(text.data(), 1, text.size(), stderr);
    }

    /// All ranks have found that they are in this blocking call: what some have sent of it is not needed.
    static void settle(known_communicator& on, std::uint64_t number) {
        auto const lock = std::lock_guard{guard_};
        on.compared = number;
        open_.erase({on.id, number});
    }

    // ---- errors ----------------------------------------------------------------------------------------------------

    static void refuse(std::uint64_t communicator) {
        last_words::end();  // what differs has been written
        MPI_Comm comm = MPI_COMM_WORLD;
        known_communicators::get().with(communicator, [&](known_communicator const& each) { comm = each.comm; });
        {
            auto const lock = std::lock_guard{guard_};
            differing_.push_back(communicator);
        }
        PMPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
    }

    /// How often calls have been found that differ.
    [[nodiscard]] static std::size_t differing() {
        auto const lock = std::lock_guard{guard_};
        return differing_.size();
    }
    /// Whether those of this communicator have been since.
    [[nodiscard]] static bool differ(std::uint64_t communicator, std::size_t since) {
        auto const lock = std::lock_guard{guard_};
        return std::find(differing_.begin() + static_cast<std::ptrdiff_t>(since), differing_.end(), communicator) !=
               differing_.end();
    }

    static constexpr std::int64_t until_told = 200'000'000;  // ns

    inline static std::mutex guard_;
    inline static MPI_Comm own_ = MPI_COMM_NULL;
    inline static MPI_Request arriving_ = MPI_REQUEST_NULL;
    // not destroyed, since a program may call MPI while it ends
    inline static auto& room_ = *new std::vector<std::byte>;
    inline static auto& sent_ = *new std::list<sent>;
    inline static auto& rounds_ = *new std::map<call_key, round>;
    inline static auto& open_ = *new std::map<call_key, std::vector<call>>;
    inline static auto& to_refuse_ = *new std::vector<std::uint64_t>;  // whose error handlers are called next
    inline static auto& differing_ = *new std::vector<std::uint64_t>;  // those for which that was done
};

}  // namespace tutti::watch
