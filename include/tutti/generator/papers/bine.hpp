// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <bit>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/hypercube.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// The whole vector moves up a binomial tree over distances 1, 1, 3, 5, 11, ...: these are a third shorter than in
/// `binomial`, so that fewer messages share the links between distant ranks.
///
/// Ranks are counted from the root on, on a circle; neighbours fold until there are 2^s groups. A group whose last u
/// digits to the base -2 are equal, and the next one is not, sends in round u to the group in which these u digits are
/// the other ones: |1 - (-2)^u| / 3 away.
/// Source: D. De Sensi and others: Bine Trees, SC 2025, DOI 10.1145/3712285.3759835, for powers of two.
/// Counts of reduce: L | m | L m.
struct bine {
    friend bool operator==(bine const&, bine const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<bine>) {
    return {.name = "bine", .requires_commutative = true};
}

[[nodiscard]] inline lazy_schedule generate(collective::reduce, bine const&, problem const& at) {
    block_list const whole{block_range{0, at.blocks.blocks()}};
    power_of_two_fold const fold{at.size};
    auto const position = (at.rank + at.size - at.root) % at.size;
    auto const group = fold.group_of(position);
    auto const representative = [&](std::size_t of) { return (fold.representative(of, 0) + at.root) % at.size; };
    bool const acts = at.rank == representative(group);
    dynamic_array<step> steps;
    if (!acts) {
        steps.push_back(step::send(0, representative(group), buffer::result(), whole));
    } else if (fold.is_paired(position)) {
        steps.push_back(step::receive_combine(0, (at.rank + 1) % at.size, buffer::result(), whole, side::right));
    }
    constexpr auto odd = ~std::size_t{0} / 3 * 2;  // the digits of negative weight
    auto const digits = (group + odd) ^ odd;
    auto const equal = static_cast<std::size_t>(std::countr_zero(digits) + std::countr_one(digits));  // one is 0
    for (std::size_t level = 1; acts && level <= fold.levels(); ++level) {
        auto const others = ((digits ^ ((std::size_t{1} << level) - 1)) ^ odd) - odd;
        auto const peer = representative(others % fold.groups);
        bool const sends = group != 0 && (level == equal || level == fold.levels());
        auto const round = level - (fold.pairs == 0 ? 1 : 0);
        steps.push_back(sends ? step::send(round, peer, buffer::result(), whole)
                              : step::receive_combine(round, peer, buffer::result(), whole, side::right));
        if (sends) { break; }
    }
    return without_empty_blocks(at.blocks, stored_schedule(schedules::bit_width(at.size - 1), std::move(steps)));
}

}  // namespace tutti::generators

namespace tutti {
using generators::bine;
}  // namespace tutti
