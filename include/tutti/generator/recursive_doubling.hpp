// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/hypercube.hpp>

namespace tutti::generators {

/// Groups of ranks exchange their whole vectors over distances 1, 2, 4, ... and each combines for itself.
///
/// With P = 2^⌊log2 p⌋ and r = p - P, the first r pairs of neighbours fold into one group each, so that P groups
/// exchange; the even rank of a pair stands for it and passes the result on in the end.
/// Cost: (⌊log2 p⌋ + (2 if p > P)) (α + (β+γ)m). Source: [bae98]: the direct algorithm, folded.
/// Counts of all_reduce: L, one more unless p is a power of two | L m | L m.
struct recursive_doubling {
    friend bool operator==(recursive_doubling const&, recursive_doubling const&) = default;
};

constexpr facts describe(collective::all_reduce, std::type_identity<recursive_doubling>) {
    return {.name = "recursive_doubling"};
}

[[nodiscard, gnu::cold]] inline lazy_schedule generate(collective::all_reduce, recursive_doubling const&,
                                                       problem const& at) {
    block_list const whole{block_range{0, at.blocks.blocks()}};
    auto const result = buffer::result();
    power_of_two_fold const fold{at.size};
    auto const group = fold.group_of(at.rank);
    bool const paired = fold.is_paired(at.rank);
    bool const folded = paired && at.rank != fold.representative(group, 0);
    bool const silent = at.blocks.elements() == 0;

    std::size_t round = 0;
    dynamic_array<step> steps;
    if (fold.pairs != 0) {
        if (folded) {
            steps.push_back(step::send(round, at.rank - 1, result, whole));
        } else if (paired) {
            steps.push_back(step::receive_combine(round, at.rank + 1, result, whole, side::right));
        }
        ++round;
    }
    for (std::size_t distance = 1; distance < fold.groups; distance *= 2, ++round) {
        if (folded) { continue; }
        auto const peer = fold.representative(group ^ distance, 0);
        steps.push_back(step::send(round, peer, result, whole));
        steps.push_back(step::receive_combine(round, peer, result, whole, peer < at.rank ? side::left : side::right));
    }
    if (fold.pairs != 0) {
        if (folded) {
            steps.push_back(step::receive(round, at.rank - 1, result, whole));
        } else if (paired) {
            steps.push_back(step::send(round, at.rank + 1, result, whole));
        }
        ++round;
    }
    if (silent) { steps.clear(); }
    return stored_schedule(round, std::move(steps));
}

}  // namespace tutti::generators

namespace tutti {
using generators::recursive_doubling;
}  // namespace tutti
