// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <vector>

#include <tutti/generator.hpp>

#include "subject.hpp"

namespace tutti::generation {

/// What it costs to generate and read the schedule of one rank: medians over ranks 0, 1, p/2 and p-1; root 0.
struct point {
    std::size_t size;
    std::size_t blocks;
    double work;  ///< steps of the rank; where it waits for the root, the blocks of the root's steps too
    double seconds;
    double peak_bytes;
    double allocations;
};

/// `spent` grows by the time that the measurement took.
[[nodiscard]] point measure(subject const& of, std::size_t size, std::size_t blocks, double& spent);

/// One point after another, until one takes longer than `budget` seconds.
[[nodiscard]] std::vector<point> measure_against_size(subject const& of, std::size_t largest, double budget);
[[nodiscard]] std::vector<point> measure_against_blocks(subject const& of, std::size_t most, double budget);

/// What the other of the two numbers is meanwhile. A vector of 32 default segments has 32 blocks in a pipeline; a
/// generator that shares blocks out among the ranks cuts it into as many as it needs.
inline constexpr std::size_t bytes_meanwhile = 32 * default_segment;
inline constexpr std::size_t size_meanwhile = 64;

}  // namespace tutti::generation
