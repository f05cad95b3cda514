// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>
#include <cstddef>
#include <random>
#include <stdexcept>
#include <vector>

#include <laws/schedule_laws.hpp>
#include <support/node_maps.hpp>
#include <support/parts.hpp>
#include <tutti/combinator/relabel.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/hierarchical.hpp>
#include <tutti/generator/multi_lane.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/recursive_doubling.hpp>

BOOST_AUTO_TEST_SUITE(combinator_relabel)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;
using namespace tutti::schedules;

namespace {

ordering shuffled(std::size_t size) {
    ordering order;
    for (std::size_t rank = 0; rank < size; ++rank) { order.ranks.push_back(rank); }
    std::shuffle(order.ranks.begin(), order.ranks.end(), std::mt19937{3});
    return order;
}

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

BOOST_AUTO_TEST_CASE(reduces_in_any_order_to_any_root) {
    laws::check_schedules(collective::reduce{}, relabel(rotation{5}, pipeline{}), {1, 2, 3, 7, 12});
    laws::check_schedules(collective::reduce{}, relabel(root_first{}, binomial{}), {1, 2, 3, 7, 12});
    for (std::size_t size : {1U, 2U, 5U, 9U}) {
        laws::check_schedules(collective::reduce{}, relabel(shuffled(size), pipeline{}), {size});
        laws::check_schedules(collective::all_reduce{}, relabel(shuffled(size), recursive_doubling{}), {size});
    }
}

BOOST_AUTO_TEST_CASE(ranks_keep_their_own_blocks) {
    for (std::size_t size : {1U, 2U, 5U, 9U}) {
        laws::check_schedules(collective::reduce_scatter{}, relabel(shuffled(size), parts::bucket{}), {size});
        laws::check_schedules(collective::gather{}, relabel(shuffled(size), parts::direct_gather{}), {size});
    }
    auto const cut = partition::of_sizes(std::vector<std::size_t>{3, 0, 5, 1});
    cost::check(collective::reduce_scatter{}, relabel(rotation{1}, parts::bucket{}), 4, 0, cut,
                cost::volume == 3U * 9U);
}

BOOST_AUTO_TEST_CASE(operands_stand_in_the_order_of_positions) {
    auto const cut = partition::equal(1, 1);
    auto const by_arrival = relabel(ordering{{2, 0, 3, 1}}, pipeline{});
    BOOST_TEST(bracketings(collective::reduce{}, by_arrival, 4, 2, cut, 2).front() == "(2+(0+(3+1)))");
    auto const turned = relabel(root_first{}, pipeline{});
    BOOST_TEST(bracketings(collective::reduce{}, turned, 4, 3, cut, 3).front() == "(3+(0+(1+2)))");
}

BOOST_AUTO_TEST_CASE(costs_what_the_algorithm_costs) {
    auto const cut = partition::equal(6, 6);
    auto const plain = verify(collective::reduce{}, pipeline{}, 8, 0, cut);
    cost::check(collective::reduce{}, relabel(root_first{}, pipeline{}), 8, 5, cut, cost::rounds == plain.rounds,
                cost::messages == plain.messages, cost::volume == plain.volume);
}

BOOST_AUTO_TEST_CASE(states_what_it_needs) {
    using turned = relabelled<rotation, pipeline>;
    static_assert(facts_of<collective::reduce, turned>.requires_commutative);
    static_assert(!facts_of<collective::gather, relabelled<rotation, parts::direct_gather>>.requires_commutative);
    static_assert(!generator_for<turned, collective::all_reduce>);
    static_assert(generator_for<parts::some_scan, collective::inclusive_scan>);
    static_assert(!generator_for<relabelled<rotation, parts::some_scan>, collective::inclusive_scan>);
    BOOST_TEST(name_of(collective::reduce{}, relabel(root_first{}, pipeline{})) == "relabel(root_first, pipeline)");
    BOOST_TEST(blocks_for(collective::reduce{}, relabel(rotation{1}, pipeline{.segments = 9}), 4, 1) == 9U);
    BOOST_TEST((relabel(rotation{1}, pipeline{}) != relabel(rotation{2}, pipeline{})));
}

BOOST_AUTO_TEST_CASE(an_ordering_names_every_rank_once) {
    for (auto const& wrong : {ordering{{0, 1}}, ordering{{0, 1, 1}}, ordering{{0, 1, 3}}, ordering{{0, 1, 2, 3}}}) {
        laws::check_refusals(collective::reduce{}, std::vector{relabel(wrong, binomial{})},
                             {0, 3, 0, partition::equal(1, 1)});
    }
}

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
