// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <stdexcept>
#include <string>

#include <laws/group_laws.hpp>
#include <support/node_maps.hpp>
#include <tutti/combinator/node_groups.hpp>

BOOST_AUTO_TEST_SUITE(combinator_node_groups)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::schedules;
using laws::text_of_group;

namespace {

auto const cut = partition::equal(7, 7);

}  // namespace

BOOST_AUTO_TEST_CASE(members_agree_about_their_groups) {
    for (std::size_t size = 1; size <= 18; ++size) {
        for (auto const& nodes : support::nodes_of_neighbours(size)) {
            laws::check_groups(same_node{nodes}, size);
            laws::check_groups(same_node{nodes, node_leader::last}, size);
            laws::check_groups(root_node{nodes}, size);
            laws::check_groups(node_leaders{nodes}, size);
            laws::check_groups(node_leaders{nodes, node_leader::last}, size);
        }
        for (auto const& nodes : support::equal_nodes(size)) { laws::check_groups(lanes{nodes}, size); }
    }
}

BOOST_AUTO_TEST_CASE(the_root_leads_its_node_and_the_first_rank_the_others) {
    auto const nodes = support::nodes_of_widths({3, 1, 4}, 8);
    BOOST_TEST(text_of_group(same_node{nodes}, 2, 8, 6) == "0* 1 2'");
    BOOST_TEST(text_of_group(same_node{nodes}, 4, 8, 6) == "4' 5 6* 7");
    BOOST_TEST(text_of_group(same_node{nodes, node_leader::last}, 4, 8, 6) == "4' 5 6 7*");
    BOOST_TEST(text_of_group(node_leaders{nodes}, 3, 8, 6) == "0 3' 6*");
    BOOST_TEST(text_of_group(node_leaders{nodes}, 0, 8, 1) == "0'*");
    BOOST_TEST(text_of_group(node_leaders{nodes}, 1, 8, 1) == "1'* 3 4");
    BOOST_TEST(text_of_group(node_leaders{nodes, node_leader::last}, 2, 8) == "2'* 3 7");
    BOOST_TEST(text_of_group(root_node{nodes}, 5, 8, 6) == "4 5' 6* 7");
    BOOST_TEST(text_of_group(root_node{nodes}, 1, 8, 6) == "1'*");
}

BOOST_AUTO_TEST_CASE(lanes_have_one_rank_of_each_node_and_share_the_vector) {
    lanes const of{node_map::of_width(3)};
    BOOST_TEST(text_of_group(of, 4, 9, 8) == "1 4' 7*");
    problem const at{4, 9, 8, cut};
    BOOST_TEST((of.part_of(4, at) == block_range{2, 4}));
    BOOST_TEST((of.part_of(8, at) == block_range{4, 7}));
    // 2, 2 and 3 blocks
    BOOST_TEST((of.representatives(at) == tutti::dynamic_array<std::size_t>{0, 2}));
    auto const even = partition::equal(12, 6);
    BOOST_TEST((of.representatives({4, 9, 8, even}) == tutti::dynamic_array<std::size_t>{0}));
    auto const uneven = partition::equal(13, 6);
    BOOST_TEST((of.representatives({4, 9, 8, uneven}) == tutti::dynamic_array<std::size_t>{0, 2}));
}

BOOST_AUTO_TEST_CASE(nodes_that_do_not_do_are_refused) {
    problem const at{0, 6, 0, cut};
    auto const says = [](std::string const& sentence) {
        return [sentence](std::invalid_argument const& refusal) { return refusal.what() == sentence; };
    };
    auto const dealt = support::dealt_out(2, 6);
    BOOST_CHECK_EXCEPTION(
        static_cast<void>(same_node{dealt}.group_of(0, at)), std::invalid_argument,
        says("tutti: the ranks of a node are not neighbours, so operands would not stay in rank order; "
             "if the operator commutes, let in_node_order(...) renumber the ranks"));
    BOOST_CHECK_THROW(static_cast<void>(node_leaders{dealt}.group_of(0, at)), std::invalid_argument);
    BOOST_CHECK_THROW(static_cast<void>(lanes{dealt}.group_of(0, at)), std::invalid_argument);
    BOOST_CHECK_EXCEPTION(static_cast<void>(lanes{node_map::of_width(4)}.group_of(0, at)), std::invalid_argument,
                          says("tutti: 6 ranks are not spread evenly over 2 nodes, so there are no lanes; hierarchical "
                               "takes nodes of any sizes"));
    node_map const short_map{{0, 0, 1, 1}};
    BOOST_CHECK_THROW(static_cast<void>(same_node{short_map}.group_of(0, at)), std::invalid_argument);
    BOOST_CHECK_THROW(static_cast<void>(node_leaders{short_map}.group_of(0, at)), std::invalid_argument);
    BOOST_CHECK_THROW(static_cast<void>(lanes{short_map}.group_of(0, at)), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
