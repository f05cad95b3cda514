// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include <tutti/collective/counts.hpp>

/// Boost.MPI's calls with the suffix v, whose parts may lie anywhere in memory: `displacements[r]` elements behind its
/// beginning begins the part of rank r. tutti's own take parts that follow one another.
namespace tutti::boost_mpi_shapes {

/// Elements of all parts.
template <argument::counts Sizes>
[[nodiscard]] std::size_t total_of(Sizes const& sizes) {
    return counts_of_ranks{sizes}.total();
}

/// Calls `visit(first, displaced, count)` for every part: of `count` elements, it begins at `first` where parts follow
/// one another, and at `displaced` in the caller's memory.
template <argument::counts Sizes, argument::counts Displacements, class Visit>
void for_each_part(Sizes const& sizes, Displacements const& displacements, Visit visit) {
    counts_of_ranks const counts{sizes};
    counts_of_ranks const places{displacements};
    if (places.size() != counts.size()) {
        throw std::invalid_argument{"tutti: there must be as many displacements as sizes of parts"};
    }
    std::size_t first = 0;
    for (std::size_t rank = 0; rank != counts.size(); ++rank) {
        visit(first, places[rank], counts[rank]);
        first += counts[rank];
    }
}

/// The parts one after the other, of `count` elements together.
template <class T>
[[nodiscard]] std::unique_ptr<T[]> memory_for(std::size_t count) {
    return std::make_unique_for_overwrite<T[]>(count);
}

/// Copies the parts from the places where the caller has them to memory where they follow one another.
template <class T, argument::counts Sizes, argument::counts Displacements>
[[nodiscard]] std::unique_ptr<T[]> packed(T const* from, Sizes const& sizes, Displacements const& displacements) {
    auto result = memory_for<T>(total_of(sizes));
    for_each_part(sizes, displacements, [&](std::size_t first, std::size_t displaced, std::size_t count) {
        std::copy_n(from + displaced, count, result.get() + first);
    });
    return result;
}

/// Moves the parts to the places where the caller wants them.
template <class T, argument::counts Sizes, argument::counts Displacements>
void unpack(T* from, T* to, Sizes const& sizes, Displacements const& displacements) {
    for_each_part(sizes, displacements, [&](std::size_t first, std::size_t displaced, std::size_t count) {
        std::move(from + first, from + first + count, to + displaced);
    });
}

/// In place of sizes where they are not known.
[[nodiscard]] inline std::vector<int> no_sizes() { return {}; }

}  // namespace tutti::boost_mpi_shapes
