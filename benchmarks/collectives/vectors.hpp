// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>

#include <tutti/ownership.hpp>
#include <tutti/problem.hpp>

#include "counts.hpp"

namespace tutti::benchmark {

/// The rank that sends or receives for all, where a collective has one.
inline constexpr int root = 0;

/// The vectors of one call on this rank. What it does not give or get is empty.
struct vectors {
    std::span<double> in;     ///< what the rank gives; a broadcast has `out` alone
    std::span<double> out;    ///< what it gets
    std::span<double> total;  ///< what it gets besides, of a scan_reduce
    counts const* parts;      ///< of the ranks
    std::size_t in_begins;    ///< where in the whole vector the first element of `in` stands
    std::size_t out_begins;   ///< the same of `out`
};

/// Memory of this rank for each of the vectors, each as long as the whole vector.
struct memories {
    std::span<double> in;
    std::span<double> out;
    std::span<double> total;
};

/// What a rank gives and gets in a call of `Collective`.
template <class Collective>
[[nodiscard]] vectors vectors_of(memories whole, counts const& parts, std::size_t rank) {
    constexpr bool gathers =
        std::same_as<Collective, collective::all_gather> || std::same_as<Collective, collective::gather>;
    bool const is_root = rank == static_cast<std::size_t>(root);
    vectors v{whole.in, whole.out, {}, &parts, 0, 0};
    if (std::same_as<Collective, collective::broadcast> ||
        (std::same_as<Collective, collective::scatter> && !is_root)) {
        v.in = {};
    }
    if (std::same_as<Collective, collective::gather> && !is_root) { v.out = {}; }
    if (std::same_as<Collective, collective::scan_reduce>) { v.total = whole.total; }
    if constexpr (collective::divides<Collective>) {
        auto& part = gathers ? v.in : v.out;
        part = part.first(parts.of(rank));
        (gathers ? v.in_begins : v.out_begins) = parts.offset(rank);
    }
    return v;
}

}  // namespace tutti::benchmark
