// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <stdexcept>

#include <support/sentences.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/node_map.hpp>

BOOST_AUTO_TEST_SUITE(node_map)

using tutti::node_map;
using numbers = tutti::dynamic_array<std::size_t>;

namespace {

numbers nodes_of(node_map const& map, std::size_t size) {
    numbers result;
    for (std::size_t rank = 0; rank < size; ++rank) { result.push_back(map.node_of(rank)); }
    return result;
}

numbers in_order(node_map const& map, std::size_t size) {
    numbers result;
    for (std::size_t position = 0; position < size; ++position) {
        result.push_back(map.rank_at(position));
        BOOST_TEST(map.position_of(result.back()) == position);
    }
    return result;
}

numbers widths(node_map const& map, std::size_t size) {
    numbers result;
    for (std::size_t node = 0; node < map.count(size); ++node) { result.push_back(map.ranks_on(node, size)); }
    return result;
}

void check_equal(numbers const& seen, numbers const& expected) {
    BOOST_TEST(seen == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_CASE(nodes_are_numbered_in_the_order_of_their_first_ranks) {
    node_map const map{{70, 70, 5, 70, 5, 0}};
    check_equal(nodes_of(map, 6), {0, 0, 1, 0, 1, 2});
    check_equal(widths(map, 6), {3, 2, 1});
    check_equal(in_order(map, 6), {0, 1, 3, 2, 4, 5});
    BOOST_TEST(!map.contiguous());
    BOOST_TEST(!map.equal(6));
    BOOST_TEST(map.divides(6));
    BOOST_TEST((map == node_map{{0, 0, 1, 0, 1, 2}}));
}

BOOST_AUTO_TEST_CASE(neighbours_may_share_nodes_of_any_sizes) {
    node_map const map{{9, 9, 9, 4, 4, 4, 4, 1}};
    check_equal(widths(map, 8), {3, 4, 1});
    check_equal(in_order(map, 8), {0, 1, 2, 3, 4, 5, 6, 7});
    BOOST_TEST(map.contiguous());
    BOOST_TEST(map.first(1) == 3U);
    BOOST_TEST(map.last(1, 8) == 7U);
    BOOST_TEST((map == map.in_node_order()));
    BOOST_TEST(!map.equal(8));
    BOOST_TEST((node_map{{3, 3, 8, 8}}.equal(4)));
    // a node to which ranks come back is not one of neighbours
    BOOST_TEST((!node_map{{0, 1, 0}}.contiguous()));
    BOOST_TEST((!node_map{{0, 1, 2, 1}}.contiguous()));
}

BOOST_AUTO_TEST_CASE(nodes_of_one_width_are_for_any_number_of_ranks) {
    auto const map = node_map::of_width(3);
    check_equal(widths(map, 9), {3, 3, 3});
    check_equal(widths(map, 7), {3, 3, 1});
    check_equal(widths(map, 2), {2});
    check_equal(nodes_of(map, 7), {0, 0, 0, 1, 1, 1, 2});
    BOOST_TEST(map.equal(9));
    BOOST_TEST(!map.equal(7));
    BOOST_TEST(map.contiguous());
    BOOST_TEST(!map.divides(2));
    BOOST_TEST(!node_map::of_width(1).divides(5));
    BOOST_TEST((map == node_map::of_width(3)));
    BOOST_TEST((map != node_map::of_width(4)));
    BOOST_TEST((map != node_map{}));
}

BOOST_AUTO_TEST_CASE(one_node_has_all_ranks_unless_told_otherwise) {
    node_map const map;
    check_equal(widths(map, 5), {5});
    check_equal(nodes_of(map, 5), {0, 0, 0, 0, 0});
    BOOST_TEST(map.equal(5));
    BOOST_TEST(!map.divides(5));
}

BOOST_AUTO_TEST_CASE(node_order_leaves_nodes_of_neighbours) {
    node_map const map{{0, 1, 2, 0, 1, 2, 0}};
    auto const ordered = map.in_node_order();
    check_equal(nodes_of(ordered, 7), {0, 0, 0, 1, 1, 2, 2});
    BOOST_TEST(ordered.contiguous());
}

BOOST_AUTO_TEST_CASE(every_width_is_shown_by_two_nodes_if_there_are_two) {
    check_equal(node_map({0, 1, 1, 2, 3, 3, 4, 5, 5}).of_every_width(9), {0, 1, 2, 3});
    check_equal(node_map({0, 0, 1, 1, 2, 2, 3}).of_every_width(7), {0, 1, 3});
    check_equal(node_map::of_width(2).of_every_width(7), {0, 1, 3});
    check_equal(node_map::of_width(2).of_every_width(4), {0, 1});
    check_equal(node_map{}.of_every_width(4), {0});
}

BOOST_AUTO_TEST_CASE(nodes_may_be_processes_of_one_machine) {
    node_map const processes{{0, 0, 1, 1}};
    BOOST_TEST(!processes.shares_memory(4));
    BOOST_TEST(processes.on_one_machine(true).shares_memory(4));
    BOOST_TEST(node_map{}.shares_memory(4));
    BOOST_TEST((processes.on_one_machine(false) == processes));
    BOOST_TEST((processes.on_one_machine(true) != processes));
}

BOOST_AUTO_TEST_CASE(maps_of_another_number_of_ranks_are_refused) {
    BOOST_CHECK_EXCEPTION((node_map{{0, 0, 1}}.check_size(4)), std::invalid_argument,
                          support::says("tutti: the map of nodes names the nodes of 3 ranks, but there are 4; it "
                                        "has to name the node of each rank"));
    BOOST_CHECK_NO_THROW((node_map{{0, 0, 1}}.check_size(3)));
    BOOST_CHECK_NO_THROW(node_map{}.check_size(3));
    BOOST_CHECK_NO_THROW(node_map::of_width(4).check_size(3));
    BOOST_CHECK_THROW(static_cast<void>(node_map::of_width(0)), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
