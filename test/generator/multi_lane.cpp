// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include <support/node_maps.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/multi_lane.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/ring.hpp>

BOOST_AUTO_TEST_SUITE(generator_multi_lane)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;

namespace {

auto const on = [](node_map const& nodes) { return multi_lane{.nodes = nodes}; };
auto const rings_on = [](node_map const& nodes) { return multi_lane_of<circulant, ring>{.nodes = nodes}; };
auto const pipelines_on = [](node_map const& nodes) {
    return multi_lane_of<circulant, pipeline>{.nodes = nodes, .across = {.segments = 3}};
};

std::size_t log2_up(std::size_t n) { return static_cast<std::size_t>(std::bit_width(n - 1)); }

}  // namespace

BOOST_AUTO_TEST_CASE(reduces_on_equal_nodes) {
    static_assert(!facts_of<collective::reduce, multi_lane>.requires_commutative);
    static_assert(facts_of<collective::reduce, multi_lane_of<circulant, pipeline>>.requires_commutative);
    support::check_on_nodes(collective::reduce{}, on, support::equal_nodes);
    support::check_on_nodes(collective::reduce{}, pipelines_on, support::equal_nodes, {partition::equal(9, 7)});
}

BOOST_AUTO_TEST_CASE(broadcasts_reversed) {
    support::check_on_nodes(collective::broadcast{}, [](auto const& nodes) { return reverse(on(nodes)); },
                            support::equal_nodes, {partition::equal(9, 7), partition::equal(3, 8)});
}

BOOST_AUTO_TEST_CASE(all_reduces_on_equal_nodes) {
    static_assert(!facts_of<collective::all_reduce, multi_lane>.requires_commutative);
    static_assert(facts_of<collective::all_reduce, multi_lane>.identical_on_all_ranks);
    support::check_on_nodes(collective::all_reduce{}, on, support::equal_nodes);
    support::check_on_nodes(collective::all_reduce{}, rings_on, support::equal_nodes, {partition::equal(40, 20)});
}

BOOST_AUTO_TEST_CASE(nodes_combine_first_and_lanes_combine_nodes_in_order) {
    auto const parts = partition::equal(4, 4);
    for (auto const& text : bracketings(collective::all_reduce{}, on(node_map::of_width(2)), 6, 0, parts, 5)) {
        BOOST_TEST((text == "((0+1)+((2+3)+(4+5)))" || text == "(((0+1)+(2+3))+(4+5))"), text);
    }
}

BOOST_AUTO_TEST_CASE(every_rank_sends_its_share_to_other_nodes) {
    constexpr std::size_t width = 4;
    for (std::size_t count = 1; count <= 9; ++count) {
        auto const size = count * width;
        auto const generator = on(node_map::of_width(width));
        auto const blocks = blocks_for(collective::all_reduce{}, generator, size, 1 << 24);
        auto const cut = partition::equal(blocks * 8, blocks);
        auto const cost = verify(collective::all_reduce{}, generator, size, 0, cut);
        BOOST_TEST(cost.ok, cost.reason);
        BOOST_TEST(cost.rounds <= 2 * log2_up(width) + std::max<std::size_t>(2 * log2_up(count), 1) - 1);
        for (std::size_t rank = 0; rank < size; ++rank) {
            std::size_t sent = 0;
            for (step const& each : generate(collective::all_reduce{}, generator, problem{rank, size, 0, cut})) {
                if (each.what != action::send || each.peer / width == rank / width) { continue; }
                for (auto const& range : each.blocks) { sent += cut.size(range.first, range.last); }
            }
            BOOST_TEST(sent <= 2 * cut.elements() / width);
        }
    }
}

BOOST_AUTO_TEST_CASE(lanes_that_are_cut_differently_agree_about_rounds) {
    // 4, 4 and 5 blocks: a ring takes as long for all, a pipeline does not
    auto const verdict = verify(collective::reduce{}, pipelines_on(node_map::of_width(3)), 12, 7,
                                partition::equal(13, 13));
    BOOST_TEST(verdict.ok, verdict.reason);
    BOOST_TEST(verdict.rounds == 2U + 2 * (5 - 1) + 2U + 2U);
}

BOOST_AUTO_TEST_CASE(nodes_that_do_not_fit_are_refused_and_told_beforehand) {
    auto const cut = partition::equal(6, 6);
    problem const at{0, 6, 0, cut};
    auto const refuses = [&](node_map const& nodes) {
        BOOST_TEST(!fits(on(nodes), 6));
        BOOST_CHECK_THROW(static_cast<void>(generate(collective::all_reduce{}, on(nodes), at)), std::invalid_argument);
    };
    refuses(support::dealt_out(2, 6));
    refuses(node_map::of_width(4));
    refuses(support::nodes_of_widths({1, 2, 3}, 6));
    refuses(node_map{{0, 1}});
    BOOST_TEST(fits(on(node_map{}), 6));
    BOOST_TEST(fits(on(node_map::of_width(3)), 6));
    BOOST_TEST(fits(on(support::nodes_of_widths({2}, 6)), 6));
}

BOOST_AUTO_TEST_CASE(is_named_after_what_is_not_the_default) {
    BOOST_TEST(name_of(collective::reduce{}, on({})) == "multi_lane");
    BOOST_TEST(name_of(collective::all_reduce{}, rings_on({})) == "multi_lane(circulant, ring)");
    // a ring of 5 nodes wants 5 blocks of each of 3 lanes
    BOOST_TEST(blocks_for(collective::all_reduce{}, rings_on(node_map::of_width(3)), 15, 1) == 15U);
    BOOST_TEST(blocks_for(collective::reduce{}, pipelines_on(node_map::of_width(3)), 15, 1) == 9U);
}

BOOST_AUTO_TEST_SUITE_END()
