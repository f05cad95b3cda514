// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

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
#include <tutti/generator/papers/bine.hpp>
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

/// The list of all algorithms, which the explorer, the benchmarks, the soak test and tables of pages read. Those that
/// `automatic` may choose stand first, see selection/candidates/, last what only papers describe.
/// Not in it: `ring_of_starts`, of which others are made, and `scan_and_broadcast`, which `reproducible` makes.
using all_algorithms =
    std::tuple<linear, binomial, butterfly, pipeline, two_tree, round_optimal, postal_tree, recursive_multiplying,
               direct_exchange, ring, circulant, ported_circulant, split, bucket, hierarchical, multi_lane,
               recursive_doubling, direct, doubling, unfolded_multiplying, binary_blocks, alternating_tree,
               transposed_scan, sorted_linear_tree, pre_reduced_ring, front_loaded_ring, late_rank, binary_tree,
               bine, uni_greedy, bi_greedy, overlapped_greedy, limited_transfers, limited_reducers, fibonacci,
               arrival_ordered, ordered, pairwise, short_vector, mesh, ordered_mesh>;

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

/// Every name that parameters of algorithms have, and how a generator's member of that name is found.
#define TUTTI_PARAMETER(name) std::pair{#name, [](auto& g) -> decltype((g.name)) { return g.name; }}
#define TUTTI_PARAMETERS(a, b, c, d) TUTTI_PARAMETER(a), TUTTI_PARAMETER(b), TUTTI_PARAMETER(c), TUTTI_PARAMETER(d)
inline constexpr std::tuple parameter_names{
    TUTTI_PARAMETERS(segments, tcomm, tcomp, alpha), TUTTI_PARAMETERS(beta, gamma, transfer, combine),
    TUTTI_PARAMETERS(latency, gap, radix, ports), TUTTI_PARAMETERS(at_most, tau, rounds, factors),
    TUTTI_PARAMETERS(algorithms, placement, halvings, sub_segments),
    TUTTI_PARAMETERS(started, nodes, arrivals, keeps_rounds)};
#undef TUTTI_PARAMETERS
#undef TUTTI_PARAMETER

/// Calls `use(name, member)` for the parameters of a generator and of all it is made of.
template <class Generator, class Use>
void for_each_parameter(Generator& generator, Use const& use) {
    auto const consider = [&](auto const& named) {
        if constexpr (requires { named.second(generator); }) {
            auto& member = named.second(generator);  // constants of a generator have such names, too
            if constexpr (!std::is_const_v<std::remove_reference_t<decltype(member)>>) { use(named.first, member); }
        }
    };
    std::apply([&](auto const&... named) { (consider(named), ...); }, parameter_names);
    if constexpr (requires { generator.costs; }) { generators::for_each_parameter(generator.costs, use); }
    if constexpr (requires { generator.generator; }) { generators::for_each_parameter(generator.generator, use); }
    if constexpr (requires { generator.stages; }) {
        std::apply([&](auto&... stage) { (generators::for_each_parameter(stage, use), ...); }, generator.stages);
    }
}

}  // namespace tutti::generators
