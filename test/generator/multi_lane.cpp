// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include <support/node_maps.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/bucket.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/multi_lane.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/ring.hpp>

BOOST_AUTO_TEST_SUITE(generator_multi_lane)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;
using namespace tutti::schedules;

namespace {

auto const on = [](node_map const& nodes) { return multi_lane{.nodes = nodes}; };
auto const rings_on = [](node_map const& nodes) { return multi_lane_of<circulant, ring>{.nodes = nodes}; };
auto const pipelines_on = [](node_map const& nodes) {
    return multi_lane_of<circulant, pipeline>{.nodes = nodes, .across = {.segments = 3}};
};

auto const commuting_on = [](node_map const& nodes) { return multi_lane_of<bucket, circulant>{.nodes = nodes}; };

std::size_t log2_up(std::size_t n) { return static_cast<std::size_t>(std::bit_width(n - 1)); }

/// Every rank of `count` nodes of `width` ranks sends no more than its share to other nodes. Gives how vectors are cut.
template <class Collective>
partition check_shares(Collective which, std::size_t count, std::size_t width) {
    auto const size = count * width;
    auto const generator = on(node_map::of_width(width));
    auto const blocks = blocks_for(which, generator, size, 1 << 24);
    auto const cut = partition::equal(blocks * 8, blocks);
    for (std::size_t rank = 0; rank < size; ++rank) {
        std::size_t sent = 0;
        for (step const& each : generate(which, generator, problem{rank, size, 0, cut})) {
            if (each.what != action::send || each.peer / width == rank / width) { continue; }
            for (auto const& range : each.blocks) { sent += cut.size(range.first, range.last); }
        }
        BOOST_TEST(sent <= 2 * cut.elements() / width);
    }
    return cut;
}

template <class Collective>
void check_refusals(Collective which, std::size_t rank) {
    std::vector const wrong{on(support::dealt_out(2, 6)), on(node_map::of_width(4)), on(node_map{{0, 1}})};
    laws::check_refusals(which, wrong, {rank, 6, 0, partition::equal(6, 6)});
}

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
        auto const cut = check_shares(collective::all_reduce{}, count, width);
        cost::check(collective::all_reduce{}, on(node_map::of_width(width)), count * width, 0, cut,
                    cost::rounds <= 2 * log2_up(width) + std::max<std::size_t>(2 * log2_up(count), 1) - 1);
    }
}

BOOST_AUTO_TEST_CASE(lanes_that_are_cut_differently_agree_about_rounds) {
    // 4, 4 and 5 blocks: a ring takes as long for all, a pipeline does not
    cost::check(collective::reduce{}, pipelines_on(node_map::of_width(3)), 12, 7, partition::equal(13, 13),
                cost::rounds == 2U + 2 * (5 - 1) + 2U + 2U);
}

BOOST_AUTO_TEST_CASE(nodes_that_do_not_fit_are_refused_and_told_beforehand) {
    auto const cut = partition::equal(6, 6);
    problem const at{0, 6, 0, cut};
    auto const refuses = [&](node_map const& nodes) {
        BOOST_TEST(!on(nodes).fits(6));
        BOOST_CHECK_THROW(static_cast<void>(generate(collective::all_reduce{}, on(nodes), at)), std::invalid_argument);
    };
    refuses(support::dealt_out(2, 6));
    refuses(node_map::of_width(4));
    refuses(support::nodes_of_widths({1, 2, 3}, 6));
    refuses(node_map{{0, 1}});
    BOOST_TEST(on(node_map{}).fits(6));
    BOOST_TEST(on(node_map::of_width(3)).fits(6));
    BOOST_TEST(on(support::nodes_of_widths({2}, 6)).fits(6));
}

BOOST_AUTO_TEST_CASE(is_named_after_what_is_not_the_default) {
    BOOST_TEST(name_of(collective::reduce{}, on({})) == "multi_lane");
    BOOST_TEST(name_of(collective::all_reduce{}, rings_on({})) == "multi_lane(circulant, ring)");
    // a ring of 5 nodes wants 5 blocks of each of 3 lanes
    BOOST_TEST(blocks_for(collective::all_reduce{}, rings_on(node_map::of_width(3)), 15, 1) == 15U);
    BOOST_TEST(blocks_for(collective::reduce{}, pipelines_on(node_map::of_width(3)), 15, 1) == 9U);
}

BOOST_AUTO_TEST_CASE(reduce_scatters_on_equal_nodes) {
    static_assert(!facts_of<collective::reduce_scatter, multi_lane>.requires_commutative);
    static_assert(facts_of<collective::reduce_scatter, multi_lane_of<bucket, circulant>>.requires_commutative);
    support::check_on_nodes(collective::reduce_scatter{}, on, support::equal_nodes);
    support::check_on_nodes(collective::reduce_scatter{}, commuting_on, support::equal_nodes,
                            {partition::equal(40, 20)});
}

BOOST_AUTO_TEST_CASE(all_gathers_reversed) {
    support::check_on_nodes(
        collective::all_gather{}, [](auto const& nodes) { return reverse(on(nodes)); }, support::equal_nodes);
}

BOOST_AUTO_TEST_CASE(nodes_combine_first) {
    auto const texts =
        bracketings(collective::reduce_scatter{}, on(node_map::of_width(2)), 4, 0, partition::equal(4, 4), 2);
    BOOST_TEST(texts[2] == "((0+1)+(2+3))");
}

BOOST_AUTO_TEST_CASE(fewest_rounds_and_volume_where_both_numbers_are_powers_of_two) {
    cost::check(collective::reduce_scatter{}, on(node_map::of_width(4)), 32, 0, partition::equal(32, 32),
                cost::rounds == 5U, cost::max_volume_sent == 31U, cost::max_combines == 31U);
}

BOOST_AUTO_TEST_CASE(reduce_scatters_refuse_nodes_that_do_not_fit) {
    check_refusals(collective::reduce_scatter{}, 0);
    BOOST_TEST(name_of(collective::reduce_scatter{}, commuting_on({})) == "multi_lane(bucket, circulant)");
}

BOOST_AUTO_TEST_CASE(exclusive_scans_on_equal_nodes) {
    support::check_on_nodes(collective::exclusive_scan{}, on, support::equal_nodes);
}

BOOST_AUTO_TEST_CASE(inclusive_scans_on_equal_nodes) {
    support::check_on_nodes(collective::inclusive_scan{}, on, support::equal_nodes);
}

BOOST_AUTO_TEST_CASE(scan_reduces_on_equal_nodes) {
    support::check_on_nodes(collective::scan_reduce{}, on, support::equal_nodes);
}

BOOST_AUTO_TEST_CASE(in_scans_every_rank_sends_its_share_to_other_nodes) {
    static_cast<void>(check_shares(collective::exclusive_scan{}, 8, 4));
}

BOOST_AUTO_TEST_CASE(scans_refuse_nodes_that_do_not_fit) { check_refusals(collective::inclusive_scan{}, 1); }

BOOST_AUTO_TEST_SUITE_END()
