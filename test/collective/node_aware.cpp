// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/affine_maps.hpp>
#include <support/operands.hpp>
#include <support/ranks.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/combinator/relabel.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/generator/all.hpp>

BOOST_AUTO_TEST_SUITE(collective_node_aware)

using support::check;
using support::composed;
using support::maps_of;
using tutti::node_map;

namespace {

support::composition compose;
std::plus<> plus;

/// What the communicator knows when it has been told `map`.
node_map const& nodes_when_told(auto& world, node_map const& map) {
    tutti::configure(world, map);
    return tutti::communicator_of<std::remove_cvref_t<decltype(world)>>::get(world).nodes();
}

/// Unequal ones of at least 3 ranks.
node_map two_nodes(int size) {
    std::vector<std::size_t> nodes;
    for (int rank = 0; rank != size; ++rank) { nodes.push_back(4 * rank < size ? 17 : 4); }
    return node_map{nodes};
}

void check_all_reduces(auto& world, auto const& algorithm) {
    for (auto const n : std::vector<std::size_t>{0, 1, 7, 20'000}) {
        auto both = maps_of(support::rank_of(world), n);
        tutti::all_reduce(world, tutti::inplace(both), compose, algorithm);
        check(both == composed(0, support::size_of(world), n), "all_reduce of " + std::to_string(n));
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE_ON_RANKS(hierarchical_algorithms_keep_order_on_nodes_of_any_sizes) {
    for (auto const& map : {node_map{}, node_map::of_width(3), two_nodes(support::size_of(world))}) {
        check_all_reduces(world, tutti::hierarchical{.nodes = nodes_when_told(world, map)});
    }
}

BOOST_AUTO_TEST_CASE_ON_RANKS(multi_lane_algorithms_keep_order_on_equal_nodes) {
    for (std::size_t const width : {1U, 2U, 4U}) {
        if (static_cast<std::size_t>(support::size_of(world)) % width != 0) { continue; }
        check_all_reduces(world, tutti::multi_lane{.nodes = nodes_when_told(world, node_map::of_width(width))});
    }
}

BOOST_AUTO_TEST_CASE_ON_RANKS(ranks_that_are_dealt_out_go_in_node_order) {
    int const size = support::size_of(world);
    std::vector<std::size_t> dealt;
    for (int rank = 0; rank != size; ++rank) { dealt.push_back(static_cast<std::size_t>(rank % 2)); }
    auto const& nodes = nodes_when_told(world, node_map{dealt});
    auto both = support::operands(support::rank_of(world), 1000);
    tutti::all_reduce(world, tutti::inplace(both), plus, tutti::in_node_order(tutti::hierarchical{.nodes = nodes}));
    check(both == support::sums(size, 1000), "all_reduce by leaders");
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(nodes_without_lanes_are_refused_before_anything_is_sent) {
    if (size < 3) { return; }
    auto both = maps_of(rank, 3);
    auto const sentence = support::message_of<std::invalid_argument>(
        [&] { tutti::all_reduce(world, tutti::inplace(both), compose, tutti::multi_lane{.nodes = two_nodes(size)}); });
    check(sentence.find("so there are no lanes; hierarchical takes nodes of any sizes") != std::string::npos, sentence);
    check_all_reduces(world, tutti::hierarchical{.nodes = two_nodes(size)});
}

BOOST_AUTO_TEST_SUITE_END()
