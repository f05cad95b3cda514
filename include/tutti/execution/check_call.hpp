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

#include <tutti/communicator.hpp>
#include <tutti/communicator/call_text.hpp>
#include <tutti/communicator/conversation.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/error.hpp>
#include <tutti/execution/failure.hpp>

namespace tutti {

/// Compares the calls of neighbours in the order of ranks, the last one's with the first one's: where all neighbours
/// agree, all ranks do. A rank need not know with whom the others think that they communicate.
///
/// Cost: one message of 16 bytes to each of the two neighbours, before the call. Those that disagree exchange a text of
/// each.
class call_checks {
public:
    /// Throws mismatched_calls where this rank and a neighbour differ in the `number` of their calls, in what has been
    /// `entered` or in the operator, whose type's name is `combine`.
    template <communicator C>
    [[gnu::cold]] void compare(C& ranks, int number, call const& entered, std::string_view combine) {
        if (ranks.size() == 1) { return; }
        if (tag_ == 0) { tag_ = ranks.new_tag(); }
        record const mine{digest_with(digest_of(entered), std::hash<std::string_view>{}(combine)), number};
        std::array<record, 2> digests;
        auto const neighbours = neighbours_of(ranks.rank(), ranks.size());
        exchange(ranks, neighbours, std::as_bytes(std::span{&mine, 1}), std::as_writable_bytes(std::span{digests}));
        dynamic_array<int> others;
        for (std::size_t i = 0; i != neighbours.size(); ++i) {
            if (digests[i] != mine) { others.push_back(neighbours[i]); }
        }
        if (others.empty()) { return; }
        description const own{entered, combine, number};
        std::array<description, 2> texts;
        exchange(ranks, others, std::as_bytes(std::span{&own, 1}), std::as_writable_bytes(std::span{texts}));
        throw mismatched_calls{disagreement(ranks.rank(), own, others.front(), texts.front())};
    }

private:
    struct record {
        std::uint64_t digest = 0;
        std::int64_t number = 0;

        friend bool operator==(record const&, record const&) = default;
    };
    static_assert(sizeof(record) == 16);

    /// A call in words, the second time with what seldom differs.
    struct description {
        std::array<char, 240> in_short{};
        std::array<char, 480> in_full{};

        description() = default;
        [[gnu::cold]] description(call const& entered, std::string_view combine, int number) {
            write(in_short, text_of(entered, false));
            write(in_full,
                  joined({text_of(entered, true), combine.empty() ? "" : " with ", combine, " as number ", number}));
        }

        static void write(std::span<char> to, std::string_view text) {
            std::memcpy(to.data(), text.data(), std::min(text.size(), to.size() - 1));
        }
    };

    [[nodiscard, gnu::cold]] static dynamic_array<int> neighbours_of(int rank, int size) {
        dynamic_array<int> result{(rank + size - 1) % size};
        if (size > 2) { result.push_back((rank + 1) % size); }
        return result;
    }

    /// Tells each of the peers what is `mine`, and gets what is theirs, one after the other: as many bytes of each.
    template <communicator C>
    [[gnu::cold]] void exchange(C& ranks, dynamic_array<int> const& peers, std::span<std::byte const> mine,
                                std::span<std::byte> theirs) {
        dynamic_array<typename C::request> requests;
        for (int const peer : peers) {
            requests.push_back(ranks.receive(peer, tag_, theirs.first(mine.size())));
            theirs = theirs.subspan(mine.size());
        }
        for (int const peer : peers) { requests.push_back(ranks.send(peer, tag_, mine)); }
        dynamic_array<completion> done(requests.size());
        messaging::finish(ranks, std::span{requests}, std::span{done});
    }

    /// The same sentence on both ranks.
    [[nodiscard, gnu::cold]] static std::string disagreement(int rank, description const& mine, int peer,
                                                             description const& theirs) {
        bool const is_first = rank < peer;
        auto const& first = is_first ? mine : theirs;
        auto const& second = is_first ? theirs : mine;
        bool const in_full = std::strcmp(mine.in_short.data(), theirs.in_short.data()) == 0;
        auto const text = [&](description const& one) { return in_full ? one.in_full.data() : one.in_short.data(); };
        return joined({text(first), " on rank ", std::min(rank, peer), " meets ", text(second), " on rank ",
                       std::max(rank, peer)});
    }

    int tag_ = 0;
};

}  // namespace tutti
