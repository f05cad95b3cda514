// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include <support/node_maps.hpp>
#include <tutti/combinator/relabel.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/hierarchical.hpp>
#include <tutti/generator/multi_lane.hpp>

BOOST_AUTO_TEST_SUITE(combinator_relabel_in_node_order)

using namespace tutti;
using namespace tutti::generators;

namespace {

auto const through_leaders = [](node_map const& nodes) { return in_node_order(hierarchical{.nodes = nodes}); };
auto const in_lanes = [](node_map const& nodes) { return in_node_order(multi_lane{.nodes = nodes}); };

/// Dealt out in turn, back and forth, and not mixed at all.
std::vector<node_map> any_nodes(std::size_t size) {
    std::vector<std::size_t> back_and_forth;
    for (std::size_t rank = 0; rank < size; ++rank) { back_and_forth.push_back(std::min(rank % 6, 6 - rank % 6)); }
    return {support::dealt_out(2, size), support::dealt_out(5, size), node_map{back_and_forth}, node_map::of_width(3)};
}

std::vector<node_map> any_equal_nodes(std::size_t size) {
    std::vector<node_map> result{node_map{}};
    for (std::size_t count : {2U, 3U, 4U, 8U}) {
        if (size % count == 0) { result.push_back(support::dealt_out(count, size)); }
    }
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(ranks_may_be_dealt_out_to_nodes_in_any_way) {
    static_assert(facts_of<collective::reduce, decltype(through_leaders({}))>.requires_commutative);
    support::check_on_nodes(collective::reduce{}, through_leaders, any_nodes);
    support::check_on_nodes(collective::all_reduce{}, through_leaders, any_nodes);
}

BOOST_AUTO_TEST_CASE(broadcasts_by_leaders) {
    auto const back = [](auto const& nodes) { return reverse(through_leaders(nodes)); };
    static_assert(!facts_of<collective::broadcast, decltype(back(node_map{}))>.requires_commutative);
    auto const verdict =
        verify(collective::broadcast{}, back(support::dealt_out(3, 11)), 11, 4, partition::equal(6, 2));
    BOOST_TEST(verdict.ok, verdict.reason);
}

BOOST_AUTO_TEST_CASE(so_may_ranks_with_lanes) {
    support::check_on_nodes(collective::all_reduce{}, in_lanes, any_equal_nodes);
    support::check_on_nodes(collective::reduce_scatter{}, in_lanes, any_equal_nodes);
}

BOOST_AUTO_TEST_CASE(only_leaders_talk_to_other_nodes) {
    auto const nodes = support::dealt_out(3, 12);
    auto const cut = partition::equal(1, 1);
    std::size_t between_nodes = 0;
    for (std::size_t rank = 0; rank < 12; ++rank) {
        for (step const& each : generate(collective::reduce{}, through_leaders(nodes), problem{rank, 12, 7, cut})) {
            between_nodes += each.what == action::send && nodes.node_of(each.peer) != nodes.node_of(rank) ? 1 : 0;
        }
    }
    BOOST_TEST(between_nodes == 2U);
}

BOOST_AUTO_TEST_CASE(maps_of_another_number_of_ranks_are_refused) {
    auto const cut = partition::equal(1, 1);
    BOOST_CHECK_THROW(static_cast<void>(generate(collective::reduce{}, through_leaders(support::dealt_out(2, 5)),
                                                 problem{0, 6, 0, cut})),
                      std::invalid_argument);
    BOOST_TEST(name_of(collective::reduce{}, through_leaders({})) == "relabel(by_node, hierarchical)");
}

BOOST_AUTO_TEST_SUITE_END()
