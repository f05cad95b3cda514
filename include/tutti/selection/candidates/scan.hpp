// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <tutti/collective.hpp>
#include <tutti/cost/call_parameters.hpp>
#include <tutti/cost/price.hpp>
#include <tutti/generator/hierarchical.hpp>
#include <tutti/generator/linear.hpp>
#include <tutti/generator/recursive_multiplying.hpp>
#include <tutti/generator/split.hpp>
#include <tutti/generator/two_tree.hpp>
#include <tutti/selection/candidates.hpp>

namespace tutti::selection {

template <collective::scan_collective Scan>
struct candidates_of<Scan> {
    [[gnu::cold]] static void add(candidate_list<Scan>& result, call_parameters const& now, bool commutes) {
        for (auto const n : numbers_of_ports(now)) { result.add(recursive_multiplying{.radix = n + 1}); }
        result.add(generators::best_split(now.size, [&](std::size_t halvings) {
            return pricing::expected_time(Scan{}, split{.halvings = halvings}, now);
        }));
        selection::add_each<linear, two_tree>(result, now, commutes);
        selection::add_node_aware(result, now, hierarchical{});
    }
};

}  // namespace tutti::selection
