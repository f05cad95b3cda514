// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <string_view>
#include <tuple>
#include <type_traits>

#include <tutti/collective.hpp>
#include <tutti/generator/alternating_tree.hpp>
#include <tutti/generator/binary_blocks.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/bucket.hpp>
#include <tutti/generator/butterfly.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/direct.hpp>
#include <tutti/generator/direct_exchange.hpp>
#include <tutti/generator/doubling.hpp>
#include <tutti/generator/front_loaded_ring.hpp>
#include <tutti/generator/hierarchical.hpp>
#include <tutti/generator/late_rank.hpp>
#include <tutti/generator/linear.hpp>
#include <tutti/generator/multi_lane.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/papers/arrival_ordered.hpp>
#include <tutti/generator/papers/bi_greedy.hpp>
#include <tutti/generator/papers/binary_tree.hpp>
#include <tutti/generator/papers/fibonacci.hpp>
#include <tutti/generator/papers/limited_reducers.hpp>
#include <tutti/generator/papers/limited_transfers.hpp>
#include <tutti/generator/papers/mesh.hpp>
#include <tutti/generator/papers/ordered.hpp>
#include <tutti/generator/papers/ordered_mesh.hpp>
#include <tutti/generator/papers/overlapped_greedy.hpp>
#include <tutti/generator/papers/pairwise.hpp>
#include <tutti/generator/papers/short_vector.hpp>
#include <tutti/generator/papers/uni_greedy.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/ported_circulant.hpp>
#include <tutti/generator/postal_tree.hpp>
#include <tutti/generator/pre_reduced_ring.hpp>
#include <tutti/generator/recursive_doubling.hpp>
#include <tutti/generator/recursive_multiplying.hpp>
#include <tutti/generator/ring.hpp>
#include <tutti/generator/ring_of_starts.hpp>
#include <tutti/generator/round_optimal.hpp>
#include <tutti/generator/scan_and_broadcast.hpp>
#include <tutti/generator/sorted_linear_tree.hpp>
#include <tutti/generator/split.hpp>
#include <tutti/generator/transposed_scan.hpp>
#include <tutti/generator/two_tree.hpp>
#include <tutti/generator/unfolded_multiplying.hpp>

namespace tutti::generators {

/// The algorithms: the explorer, the benchmarks and the soak test read this list and no other one. The choices of
/// `automatic` and `reproducible` are lists of their own, see README.md beside this file. Not in it are
/// `ring_of_starts`, of which other generators are made, and `scan_and_broadcast`, which `reproducible` makes.
using all_algorithms =
    std::tuple<linear, binomial, pipeline, binary_tree, two_tree, uni_greedy, bi_greedy, butterfly, overlapped_greedy,
               limited_transfers, limited_reducers, fibonacci, postal_tree, round_optimal, arrival_ordered,
               recursive_doubling, recursive_multiplying, direct_exchange, doubling, ring, sorted_linear_tree,
               pre_reduced_ring, front_loaded_ring, late_rank, circulant, ported_circulant, ordered, split, bucket,
               pairwise, short_vector, mesh, ordered_mesh, direct, binary_blocks, unfolded_multiplying, transposed_scan,
               alternating_tree, hierarchical, multi_lane>;

/// Calls `use` with every algorithm, its parameters at their defaults, that a call of the collective may name.
/// `algorithm_for` is what is meant by it.
template <class Collective, class Use>
void for_each_algorithm(Collective, Use use) {
    auto const consider = [&]<class A>(std::type_identity<A>) {
        if constexpr (implements<A, Collective>) { use(A{}); }
    };
    [&]<class... As>(std::type_identity<std::tuple<As...>>) {
        (consider(std::type_identity<As>{}), ...);
    }(std::type_identity<all_algorithms>{});
}

/// The name by which users know an algorithm: the same for all collectives that it implements.
template <class A>
[[nodiscard]] constexpr std::string_view name_of_algorithm() {
    std::string_view result;
    auto const consider = [&]<class Collective>(Collective) {
        if constexpr (generator_for<A, Collective>) { result = facts_of<Collective, A>.name; }
    };
    [&]<class... Collectives>(collective::list<Collectives...>) { (consider(Collectives{}), ...); }(collective::all{});
    return result;
}

}  // namespace tutti::generators
