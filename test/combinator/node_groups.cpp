// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include <support/node_maps.hpp>
#include <tutti/combinator/node_groups.hpp>

BOOST_AUTO_TEST_SUITE(combinator_node_groups)

using namespace tutti;

namespace {

auto const cut = partition::equal(7, 7);

/// The ranks of the group of `rank`, its own marked by ' and the root of the group by *.
template <grouping Groups>
std::string text(Groups const& groups, std::size_t rank, std::size_t size, std::size_t root = 0) {
    auto const found = groups.group_of(rank, problem{rank, size, root, cut});
    std::string result;
    for (std::size_t i = 0; i < found.size; ++i) {
        auto const member = found.size == 1 ? rank : found.rank_at(i);
        result += (i == 0 ? "" : " ") + std::to_string(member) + (i == found.position ? "'" : "") +
                  (i == found.root ? "*" : "");
    }
    return result;
}

/// Members agree about their group, and every kind of group is named.
template <grouping Groups>
void check_groups(Groups const& groups, std::size_t size) {
    for (std::size_t root = 0; root < size; ++root) {
        problem const at{0, size, root, cut};
        std::set<std::pair<std::size_t, std::size_t>> named;
        for (auto const rank : groups.of_every_kind(at)) {
            BOOST_REQUIRE(rank < size);
            auto const found = groups.group_of(rank, at);
            named.emplace(found.size, found.root);
        }
        for (std::size_t rank = 0; rank < size; ++rank) {
            auto const found = groups.group_of(rank, at);
            BOOST_REQUIRE(found.root < found.size);
            if (found.size == 1) { continue; }
            BOOST_TEST((named.contains({found.size, found.root})));
            BOOST_TEST(found.rank_at(found.position) == rank);
            for (std::size_t i = 0; i < found.size; ++i) {
                auto const other = groups.group_of(found.rank_at(i), at);
                BOOST_TEST(other.position == i);
                BOOST_TEST(other.size == found.size);
                BOOST_TEST(other.root == found.root);
            }
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(members_agree_about_their_groups) {
    for (std::size_t size = 1; size <= 18; ++size) {
        for (auto const& nodes : support::nodes_of_neighbours(size)) {
            check_groups(same_node{nodes}, size);
            check_groups(same_node{nodes, node_leader::last}, size);
            check_groups(root_node{nodes}, size);
            check_groups(node_leaders{nodes}, size);
            check_groups(node_leaders{nodes, node_leader::last}, size);
        }
        for (auto const& nodes : support::equal_nodes(size)) { check_groups(lanes{nodes}, size); }
    }
}

BOOST_AUTO_TEST_CASE(the_root_leads_its_node_and_the_first_rank_the_others) {
    auto const nodes = support::nodes_of_widths({3, 1, 4}, 8);
    BOOST_TEST(text(same_node{nodes}, 2, 8, 6) == "0* 1 2'");
    BOOST_TEST(text(same_node{nodes}, 4, 8, 6) == "4' 5 6* 7");
    BOOST_TEST(text(same_node{nodes, node_leader::last}, 4, 8, 6) == "4' 5 6 7*");
    BOOST_TEST(text(node_leaders{nodes}, 3, 8, 6) == "0 3' 6*");
    BOOST_TEST(text(node_leaders{nodes}, 0, 8, 1) == "0'*");
    BOOST_TEST(text(node_leaders{nodes}, 1, 8, 1) == "1'* 3 4");
    BOOST_TEST(text(node_leaders{nodes, node_leader::last}, 2, 8) == "2'* 3 7");
    BOOST_TEST(text(root_node{nodes}, 5, 8, 6) == "4 5' 6* 7");
    BOOST_TEST(text(root_node{nodes}, 1, 8, 6) == "1'*");
}

BOOST_AUTO_TEST_CASE(lanes_have_one_rank_of_each_node_and_share_the_vector) {
    lanes const of{node_map::of_width(3)};
    BOOST_TEST(text(of, 4, 9, 8) == "1 4' 7*");
    problem const at{4, 9, 8, cut};
    BOOST_TEST((of.part_of(4, at) == block_range{2, 4}));
    BOOST_TEST((of.part_of(8, at) == block_range{4, 7}));
    // 2, 2 and 3 blocks
    BOOST_TEST((of.of_every_kind(at) == tutti::dynamic_array<std::size_t>{0, 2}));
    auto const even = partition::equal(12, 6);
    BOOST_TEST((of.of_every_kind({4, 9, 8, even}) == tutti::dynamic_array<std::size_t>{0}));
    auto const uneven = partition::equal(13, 6);
    BOOST_TEST((of.of_every_kind({4, 9, 8, uneven}) == tutti::dynamic_array<std::size_t>{0, 2}));
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
