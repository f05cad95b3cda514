// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "growth.hpp"
#include "measure.hpp"
#include "subject.hpp"

namespace tutti::generation {

/// The two series of a generator.
struct result {
    subject of;
    std::vector<point> against_size;
    std::vector<point> against_blocks;

    [[nodiscard]] verdict size_verdict() const { return judge(against_size, &point::size, of.made.ranks); }
    [[nodiscard]] verdict blocks_verdict() const { return judge(against_blocks, &point::blocks, of.made.blocks); }
};

/// A table for each collective and each of the two numbers, and how many series grow faster than promised.
void print_tables(std::ostream& out, std::vector<result> const& all);

/// A row for each point.
[[nodiscard]] std::string to_csv(std::vector<result> const& all);

/// Names of files, and charts of time and memory for them.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> charts_of(std::vector<result> const& all);

}  // namespace tutti::generation
