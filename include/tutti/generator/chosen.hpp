// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tuple>

#include <tutti/generator/binomial.hpp>
#include <tutti/generator/bucket.hpp>
#include <tutti/generator/butterfly.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/direct_exchange.hpp>
#include <tutti/generator/hierarchical.hpp>
#include <tutti/generator/linear.hpp>
#include <tutti/generator/multi_lane.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/ported_circulant.hpp>
#include <tutti/generator/postal_tree.hpp>
#include <tutti/generator/recursive_multiplying.hpp>
#include <tutti/generator/ring.hpp>
#include <tutti/generator/round_optimal.hpp>
#include <tutti/generator/split.hpp>
#include <tutti/generator/two_tree.hpp>

namespace tutti::generators {

/// The algorithms among which `automatic` chooses: the part of the list that every call includes. Those that have
/// `facts::for_automatic` are compared as they are, in this order; selection/candidates.hpp has conditions of others.
using chosen_algorithms =
    std::tuple<linear, binomial, butterfly, pipeline, two_tree, round_optimal, postal_tree, recursive_multiplying,
               direct_exchange, ring, circulant, ported_circulant, split, bucket, hierarchical, multi_lane>;

}  // namespace tutti::generators
