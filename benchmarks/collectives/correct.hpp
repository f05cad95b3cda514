// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>

#include "contenders.hpp"
#include "measure.hpp"
#include "operators.hpp"
#include "vectors.hpp"

namespace tutti::benchmark {

/// What a block holds that nobody has written.
inline constexpr double untouched = -2;

/// What element i of the whole vector must become in `out` on a rank.
template <class Collective, class Operator>
[[nodiscard]] double expected(ranks const& world, vectors const& v, std::size_t i) {
    auto const rank = static_cast<std::size_t>(world.rank);
    if constexpr (std::same_as<Collective, collective::inclusive_scan>) {
        return Operator::expected(rank + 1, i);
    } else if constexpr (std::same_as<Collective, collective::exclusive_scan> ||
                         std::same_as<Collective, collective::scan_reduce>) {
        return Operator::expected(rank, i);
    } else if constexpr (collective::combines<Collective>) {
        return Operator::expected(static_cast<std::size_t>(world.size), i);
    } else if constexpr (std::same_as<Collective, collective::all_gather> ||
                         std::same_as<Collective, collective::gather>) {
        return Operator::operand(v.parts->owner(i), i);
    } else {
        return Operator::operand(static_cast<std::size_t>(root), i);
    }
}

/// Whether MPI says what `out` has to be on this rank: a prefix of no operands is left open.
template <class Collective>
[[nodiscard]] bool is_defined(ranks const& world) {
    if constexpr (std::same_as<Collective, collective::reduce>) { return world.rank == root; }
    if constexpr (std::same_as<Collective, collective::exclusive_scan> ||
                  std::same_as<Collective, collective::scan_reduce>) {
        return !world.is_first();
    }
    return true;
}

/// Runs once and compares the results with what they must be.
template <class Collective, class Operator>
[[nodiscard]] bool is_correct(contender const& candidate, ranks const& world, vectors const& v) {
    auto const rank = static_cast<std::size_t>(world.rank);
    auto const give = [&](std::span<double> block, std::size_t begins) {
        for (std::size_t i = 0; i != block.size(); ++i) { block[i] = Operator::operand(rank, begins + i); }
    };
    give(v.in, v.in_begins);
    std::fill(v.out.begin(), v.out.end(), untouched);
    std::fill(v.total.begin(), v.total.end(), untouched);
    if (std::same_as<Collective, collective::broadcast> && world.rank == root) { give(v.out, 0); }

    candidate.run();

    if (is_defined<Collective>(world)) {
        for (std::size_t i = 0; i != v.out.size(); ++i) {
            if (v.out[i] != expected<Collective, Operator>(world, v, v.out_begins + i)) { return false; }
        }
    }
    if constexpr (std::same_as<Collective, collective::scan_reduce>) {
        for (std::size_t i = 0; i != v.total.size(); ++i) {
            if (v.total[i] != Operator::expected(static_cast<std::size_t>(world.size), i)) { return false; }
        }
    }
    return true;
}

}  // namespace tutti::benchmark
