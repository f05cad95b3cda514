// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/execution/configure.hpp>

BOOST_AUTO_TEST_SUITE(execution_configure_nodes)

using support::check;
using tutti::node_map;

namespace {

node_map const& nodes_of(auto& world) {
    return tutti::communicator_of<std::remove_cvref_t<decltype(world)>>::get(world).nodes();
}

}  // namespace

// The tests run on one machine.
BOOST_AUTO_TEST_CASE_ON_RANKS(all_ranks_share_a_node_unless_told_otherwise) {
    auto const size = static_cast<std::size_t>(support::size_of(world));
    check(nodes_of(world).count(size) == 1, "nodes");
    check(nodes_of(world).ranks_on(0, size) == size, "ranks of the node");
    check(&nodes_of(world) == &nodes_of(world), "the same map, found once");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(a_world_goes_by_what_it_is_told) {
    auto const size = static_cast<std::size_t>(support::size_of(world));
    std::vector<std::size_t> odd_and_even;
    for (std::size_t rank = 0; rank != size; ++rank) { odd_and_even.push_back(rank % 2); }
    tutti::configure(world, node_map{odd_and_even});
    check(nodes_of(world) == node_map{odd_and_even}, "as listed");
    tutti::configure(world, node_map::of_width(2));
    check(nodes_of(world).count(size) == (size + 1) / 2, "pairs");
    tutti::configure(world, node_map{});
    check(nodes_of(world).count(size) == 1, "one node");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(a_map_of_another_number_of_ranks_is_refused) {
    auto const size = static_cast<std::size_t>(support::size_of(world));
    auto const before = nodes_of(world);
    auto const sentence = support::message_of<std::invalid_argument>(
        [&] { tutti::configure(world, node_map{std::vector<std::size_t>(size + 1)}); });
    support::check_equal(sentence,
                         "tutti: the map of nodes names the nodes of " + std::to_string(size + 1) +
                             " ranks, but there are " + std::to_string(size) + "; it has to name the node of each rank",
                         "sentence");
    check(nodes_of(world) == before, "what it knew before");
}

#if !defined(TUTTI_TEST_OVER_BOOST_MPI) && !defined(TUTTI_TEST_OVER_MPI)

BOOST_AUTO_TEST_CASE(processors_are_part_of_a_map) {
    BOOST_CHECK_THROW(tutti::threads::run(2,
                                          [](auto& world) {
                                              auto const processors = world.rank() == 0 ? 4U : 8U;
                                              tutti::configure(world, node_map{}.with_processors(processors));
                                          }),
                      tutti::threads::mismatch);
}

BOOST_AUTO_TEST_CASE(a_team_can_be_told_when_it_begins) {
    auto const pairs = node_map::of_width(2);
    tutti::threads::run(5, [&](auto& world) { check(nodes_of(world) == pairs, "pairs"); }, {.nodes = pairs});
    node_map const of_four{{0, 0, 1, 1}};
    BOOST_CHECK_THROW(tutti::threads::run(5, [](auto&) {}, {.nodes = of_four}), std::invalid_argument);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
