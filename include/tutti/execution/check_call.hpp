// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <tutti/communicator.hpp>
#include <tutti/communicator/call.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/error.hpp>
#include <tutti/execution/control_requests.hpp>
#include <tutti/text.hpp>

namespace tutti::engine {

/// Compares the calls of neighbours in the order of ranks, the last one's with the first one's: where all neighbours
/// agree, all ranks do. A rank need not know with whom the others think that they communicate.
///
/// Cost: one message of 16 bytes to each of the two neighbours, before the call; more where the communicator's messages
/// are shorter, and one between the root and each other rank where the root alone knows the counts. Those that disagree
/// exchange a text of each.
class call_checks {
public:
    /// Of all comparisons, whatever tags ranks have taken for calls and plans that differ. Where calls have this one as
    /// well, the data of one comes after its comparison.
    static constexpr int tag = 0;

    /// Throws mismatched_calls where this rank and a neighbour, or the root of a call whose counts it alone knows,
    /// differ in the `number` of their calls or in what has been `entered`.
    template <communicator C>
    [[gnu::cold]] void compare(C& ranks, int number, control::call const& entered) {
        if (ranks.size() == 1) { return; }
        auto const refused = std::exchange(refused_, {});  // numbers come again after `recover`
        compare_with(neighbours_of(ranks), ranks, number, entered, refused);
        if (entered.elements == control::call::known_to_root) {
            compare_with(partners_of(ranks, entered), ranks, number, entered, refused);
        }
    }

    /// This rank leaves a call out because its arguments are wrong, and may make another one.
    void refuse(int number, std::string_view why) {
        refused_.number = number;
        write(refused_.why, text::quoted(why));
    }

private:
    struct record {
        std::uint64_t digest = 0;
        std::int64_t number = 0;

        friend bool operator==(record const&, record const&) = default;
    };
    static_assert(sizeof(record) == 16);

    template <std::size_t size>
    static void write(std::array<char, size>& to, std::string_view text) {
        to = {};
        std::copy_n(text.data(), std::min(text.size(), size - 1), to.data());
    }

    /// The newest call that a rank has left out because its arguments were wrong.
    struct refusal {
        int number = 0;
        std::array<char, 240> why{};
    };

    /// A call as text: in short, and in full with what seldom differs.
    struct description {
        int number = 0;
        refusal refused;
        std::array<char, 240> in_short{};
        std::array<char, 480> in_full{};

        description() = default;
        description(control::call const& entered, int this_number, refusal const& before)
            : number{this_number}, refused{before} {
            write(in_short, control::text_of(entered, false));
            write(in_full, control::text_of(entered, true));
        }
    };

    template <class T>
    struct answer {
        int peer;
        T record;
    };

    template <communicator C>
    [[nodiscard]] static dynamic_array<int> neighbours_of(C& ranks) {
        auto const size = ranks.size();
        dynamic_array<int> result{(ranks.rank() + size - 1) % size};
        if (size > 2) { result.push_back((ranks.rank() + 1) % size); }
        return result;
    }

    /// The root's are all others, and theirs the root.
    template <communicator C>
    [[nodiscard]] static dynamic_array<int> partners_of(C& ranks, control::call const& entered) {
        if (ranks.rank() != *entered.root) { return {*entered.root}; }
        dynamic_array<int> result;
        for (int peer = 0; peer != ranks.size(); ++peer) {
            if (peer != ranks.rank()) { result.push_back(peer); }
        }
        return result;
    }

    template <communicator C>
    [[gnu::cold]] void compare_with(dynamic_array<int> const& peers, C& ranks, int number, control::call const& entered,
                                    refusal const& refused) {
        auto const record_for = [&](int peer) {
            return record{control::digest_of(control::between(ranks.rank(), peer, entered)), number};
        };
        dynamic_array<int> others;
        for (auto const& [peer, theirs] : exchanged<record>(ranks, peers, record_for, number, entered)) {
            if (theirs != record_for(peer)) { others.push_back(peer); }
        }
        if (others.empty()) { return; }
        auto const described_for = [&](int peer) {
            return description{control::between(ranks.rank(), peer, entered), number, refused};
        };
        auto const [peer, theirs] = exchanged<description>(ranks, others, described_for, number, entered).front();
        throw mismatched_calls{disagreement(ranks.rank(), described_for(peer), peer, theirs)};
    }

    /// The records of the peers, which send them at the same time, for `mine(peer)` of this rank.
    template <class T, communicator C, class Mine>
    [[nodiscard, gnu::cold]] dynamic_array<answer<T>> exchanged(C& ranks, dynamic_array<int> const& peers, Mine mine,
                                                                int number, control::call const& entered) {
        dynamic_array<answer<T>> result, sent;
        for (int const peer : peers) {
            result.push_back({peer, {}});
            sent.push_back({peer, mine(peer)});
        }
        control_requests<C> all{ranks, tag, number, entered};
        auto const longest = std::min(sizeof(T), static_cast<std::size_t>(ranks.message_limit()));
        for (auto& each : result) {
            auto const memory = std::as_writable_bytes(std::span{&each.record, 1});
            for (std::size_t i = 0; i < sizeof(T); i += longest) {
                auto const part = memory.subspan(i, std::min(longest, sizeof(T) - i));
                all.add(ranks.receive(each.peer, tag, part), each.peer);
            }
        }
        for (auto const& [peer, record_for_peer] : sent) {
            auto const data = std::as_bytes(std::span{&record_for_peer, 1});
            for (std::size_t i = 0; i < sizeof(T); i += longest) {
                all.add(ranks.send(peer, tag, data.subspan(i, std::min(longest, sizeof(T) - i))), peer);
            }
        }
        all.finish();
        return result;
    }

    /// The same sentence on both ranks.
    [[nodiscard, gnu::cold]] static std::string disagreement(int rank, description const& mine, int peer,
                                                             description const& theirs) {
        bool const in_full = std::strcmp(mine.in_short.data(), theirs.in_short.data()) == 0;
        auto const text = [&](description const& one) {
            std::string result = in_full ? one.in_full.data() : one.in_short.data();
            return in_full && mine.number != theirs.number ? text::joined({result, " as number ", one.number}) : result;
        };
        auto const has_refused = [](description const& one, description const& other) {
            return one.refused.number == other.number && one.refused.why.front() != '\0';
        };
        auto const refusal_of = [](std::string const& one, int one_rank, int other_rank, description const& other) {
            return text::joined(
                {one, " on rank ", one_rank, " was refused on rank ", other_rank, ": ", other.refused.why.data()});
        };
        if (has_refused(theirs, mine)) { return refusal_of(text(mine), rank, peer, theirs); }
        if (has_refused(mine, theirs)) { return refusal_of(text(theirs), peer, rank, mine); }
        return control::mismatch_sentence(text(mine), rank, text(theirs), peer);
    }

    refusal refused_;
};

/// Throws `mismatched_calls` on all ranks unless all have the same `entered.arguments`. `number` is the call's.
template <communicator C>
void require_same_arguments(C& ranks, int number, control::call const& entered) {
    auto const argument = static_cast<std::int64_t>(entered.arguments);
    std::array<std::int64_t, 2> least{argument, ~argument};  // and the complement of the greatest
    control_exchange<C>{ranks, call_checks::tag, number, entered}.all_reduce(least, std::less{});
    if (least[0] == ~least[1]) { return; }
    throw mismatched_calls{
        text::joined({entered.collective, " is not the same on all ranks; give all ranks the same arguments"})};
}

}  // namespace tutti::engine

template <class C>
void tutti::control::enter_together(C& ranks, call const& entered) {
    if constexpr (C::compares_calls) {
        ranks.enter(entered);
    } else {
        auto const number = ranks.new_call_tag();
        engine::beside_data(ranks, number, [&] { engine::require_same_arguments(ranks, number, entered); });
    }
}
