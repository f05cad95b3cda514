// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/skips.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// Partial results walk to their owners over halving distances, shortest first, so that they stay products of
/// neighbouring ranks.
///
/// Such neighbours may lie on both sides of the seam between ranks p-1 and 0. The product behind the seam is kept
/// apart, in scratch, until the end, and travels as a message of its own: a rank may send two messages of one round to
/// the same rank, and is not one-ported.
/// Each part is combined in one place. Reversed, it is an all_gather, but one that sends parts twice.
/// A rank combines at most p parts and sends p-1, some in two pieces: at most 1.5 (p-1) pieces.
/// Cost, for equal parts, at most: 2⌈log2 p⌉ α + (1.5 β + γ) m. To generate: O(p).
/// Counts of reduce_scatter: L | at most 3/2 m (p - 1)/p | at most m.
struct ordered {
    friend bool operator==(ordered const&, ordered const&) = default;
};

constexpr facts describe(collective::reduce_scatter, std::type_identity<ordered>) {
    return {.name = "ordered", .one_ported = false};
}

/// A partial result that leaves its rank r: it is for rank r + distance and comprises the ranks r - width + 1 .. r.
struct leaving_part {
    std::size_t distance;
    std::size_t width;
    friend bool operator==(leaving_part const&, leaving_part const&) = default;
};

/// The partial results that leave every rank over the distance s_k, k = 0, 1, ..., by distance: the parts whose way
/// consists of skips from s_k on, with s_k the last one. Cost: O(p).
[[nodiscard]] inline std::vector<std::vector<leaving_part>> leaving_parts(halving_skips const& skips) {
    auto const size = skips.size();
    std::vector<std::size_t> shortest(size, skips.count());  // the last skip on the way of each distance
    for (std::size_t k = 0; k < skips.count(); ++k) {
        shortest[skips[k]] = k;
        for (auto d = skips[k] + 1; d < skips[k + 1]; ++d) { shortest[d] = shortest[d - skips[k]]; }
    }
    std::vector<std::size_t> held(size);
    std::iota(held.begin(), held.end(), std::size_t{0});
    std::vector<std::vector<leaving_part>> result(skips.count());
    for (std::size_t k = 0; k < skips.count(); ++k) {
        std::vector<std::size_t> stay;
        for (std::size_t i = 0; i < held.size(); ++i) {
            auto const next = i + 1 < held.size() ? held[i + 1] : size;
            if (shortest[held[i]] == k) {
                result[k].push_back({held[i], next - held[i]});
            } else {
                stay.push_back(held[i]);
            }
        }
        held = std::move(stay);
    }
    return result;
}

[[nodiscard]] inline lazy_schedule generate(collective::reduce_scatter, ordered const&, problem const& at) {
    halving_skips const skips{at.size};
    auto const leaving = leaving_parts(skips);
    auto const up_to_rank = buffer::result();
    auto const behind_seam = buffer::scratch(0);
    auto const blocks_of = [&](std::size_t rank) {
        return ownership::blocks_of(rank, at.size, at.blocks.blocks());
    };
    std::vector<step> steps;
    for (std::size_t k = 0; k < skips.count(); ++k) {
        auto const sent_by = [&](std::size_t rank, bool both_sides) {
            block_list parts;
            for (auto const& part : leaving[k]) {
                if (!both_sides || part.width > rank + 1) { parts.append(blocks_of((rank + part.distance) % at.size)); }
            }
            return parts;
        };
        auto const to = (at.rank + skips[k]) % at.size;
        auto const from = (at.rank + at.size - skips[k]) % at.size;
        steps.push_back(step::send(k, to, up_to_rank, sent_by(at.rank, false)));
        steps.push_back(step::send(k, to, behind_seam, sent_by(at.rank, true)));
        // a sender behind the seam has all its operands on one side; into an empty block this is a copy
        steps.push_back(step::receive_combine(k, from, from < at.rank ? up_to_rank : behind_seam, sent_by(from, false),
                                              side::left));
        steps.push_back(step::receive(k, from, behind_seam, sent_by(from, true)));
    }
    if (at.rank + 1 < at.size) {
        steps.push_back(step::combine(skips.count() - 1, behind_seam, up_to_rank, blocks_of(at.rank), side::right));
    }
    return without_empty_blocks(at.blocks, stored_schedule(skips.count(), std::move(steps)));
}

/// The all_reduce that `ordered` begins: its parts are gathered by `circulant` reversed, since finished parts have no
/// order left to keep and travel whole.
///
/// Source: [traeff05], with other skips. Counts of all_reduce: 2 L | at most 5/2 m (p - 1)/p | at most m.
[[nodiscard]] inline auto ordered_all_reduce() { return then(ordered{}, reverse(circulant{})); }

constexpr facts describe(collective::all_reduce, std::type_identity<ordered>) {
    auto result = facts_of<collective::all_reduce, decltype(ordered_all_reduce())>;
    result.name = "ordered";
    return result;
}

[[nodiscard]] inline std::size_t blocks_for(collective::all_reduce, ordered const&, std::size_t size, std::size_t) {
    return size;
}

[[nodiscard]] inline lazy_schedule generate(collective::all_reduce which, ordered const&, problem const& at) {
    return schedules::lazy(generate(which, ordered_all_reduce(), at));
}

}  // namespace tutti::generators

namespace tutti {
using generators::ordered;
}  // namespace tutti
