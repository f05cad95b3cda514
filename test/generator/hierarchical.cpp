// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <bit>
#include <cstddef>
#include <stdexcept>

#include <laws/schedule_laws.hpp>
#include <support/node_maps.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/hierarchical.hpp>
#include <tutti/generator/multi_lane.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/ring.hpp>

BOOST_AUTO_TEST_SUITE(generator_hierarchical)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;
using namespace tutti::schedules;

namespace {

auto const cut = partition::equal(6, 1);
auto const on = [](node_map const& nodes) { return hierarchical{.nodes = nodes}; };
auto const pipelines_on = [](node_map const& nodes) {
    return hierarchical_of<pipeline, pipeline>{.nodes = nodes, .inside = {.segments = 3}};
};
auto const rings_on = [](node_map const& nodes) { return hierarchical_of<pipeline, ring>{.nodes = nodes}; };

std::size_t log2_up(std::size_t n) { return static_cast<std::size_t>(std::bit_width(n - 1)); }

}  // namespace

BOOST_AUTO_TEST_CASE(reduces_on_any_nodes_of_neighbours) {
    static_assert(!facts_of<collective::reduce, hierarchical>.requires_commutative);
    support::check_on_nodes(collective::reduce{}, on, support::nodes_of_neighbours);
    support::check_on_nodes(collective::reduce{}, pipelines_on, support::nodes_of_neighbours);
}

BOOST_AUTO_TEST_CASE(broadcasts_reversed) {
    support::check_on_nodes(collective::broadcast{}, [](auto const& nodes) { return reverse(on(nodes)); },
                            support::nodes_of_neighbours);
}

BOOST_AUTO_TEST_CASE(all_reduces_on_any_nodes_of_neighbours) {
    static_assert(!facts_of<collective::all_reduce, hierarchical>.requires_commutative);
    static_assert(facts_of<collective::all_reduce, hierarchical>.one_ported);
    static_assert(facts_of<collective::all_reduce, hierarchical_of<pipeline, ring>>.requires_commutative);
    support::check_on_nodes(collective::all_reduce{}, on, support::nodes_of_neighbours);
    support::check_on_nodes(collective::all_reduce{}, rings_on, support::nodes_of_neighbours);
}

BOOST_AUTO_TEST_CASE(every_root_leads_its_node) {
    auto const nodes = support::nodes_of_widths({3, 1, 4}, 11);
    for (std::size_t root = 0; root < 11; ++root) {
        cost::check(collective::reduce{}, on(nodes), 11, root, cut, cost::rounds == 2U + 2U, cost::messages == 10U);
    }
    BOOST_TEST(bracketings(collective::reduce{}, on(nodes), 11, 6, cut, 6).front() ==
               "((((0+1)+2)+3)+(((4+5)+(6+7))+((8+9)+10)))");
}

BOOST_AUTO_TEST_CASE(one_message_of_a_node_crosses_the_network_in_a_round) {
    std::size_t const width = 4;
    for (std::size_t count = 1; count <= 9; ++count) {
        auto const generator = on(node_map::of_width(width));
        auto const reduced = verify(collective::reduce{}, generator, count * width, 1, cut);
        BOOST_TEST(reduced.rounds == log2_up(width) + log2_up(count));
        std::size_t between_nodes = 0;
        for (std::size_t rank = 0; rank < count * width; ++rank) {
            for (step const& each : generate(collective::reduce{}, generator, problem{rank, count * width, 1, cut})) {
                between_nodes += each.what == action::send && each.peer / width != rank / width ? 1 : 0;
            }
        }
        BOOST_TEST(between_nodes == count - 1);
        auto const all = verify(collective::all_reduce{}, generator, count * width, 0, cut);
        BOOST_TEST(all.rounds == 2 * log2_up(width) + log2_up(count) + (std::has_single_bit(count) ? 0 : 1));
    }
}

BOOST_AUTO_TEST_CASE(nodes_that_do_not_fit_are_refused_and_told_beforehand) {
    problem const at{0, 6, 0, cut};
    auto const refuses = [&](node_map const& nodes) {
        BOOST_TEST(!on(nodes).fits(6));
        BOOST_CHECK_THROW(static_cast<void>(generate(collective::reduce{}, on(nodes), at)), std::invalid_argument);
    };
    refuses(support::dealt_out(2, 6));
    refuses(node_map{{0, 1}});
    BOOST_TEST(on(node_map{}).fits(6));
    BOOST_TEST(on(node_map::of_width(4)).fits(6));
}

BOOST_AUTO_TEST_CASE(is_named_after_what_is_not_the_default) {
    BOOST_TEST(name_of(collective::all_reduce{}, on({})) == "hierarchical");
    BOOST_TEST(name_of(collective::all_reduce{}, rings_on({})) == "hierarchical(pipeline, ring)");
    BOOST_TEST(name_of(collective::broadcast{}, reverse(on({}))) == "reverse(hierarchical)");
    BOOST_TEST(blocks_for(collective::reduce{}, on(node_map::of_width(2)), 8, 1 << 20) == 1U);
    BOOST_TEST(blocks_for(collective::all_reduce{}, rings_on(node_map::of_width(2)), 14, 1) == 7U);
    BOOST_TEST(blocks_for(collective::reduce{}, pipelines_on({}), 14, 1) == 3U);
}

BOOST_AUTO_TEST_CASE(exclusive_scans_on_any_nodes_of_neighbours) {
    support::check_on_nodes(collective::exclusive_scan{}, on, support::nodes_of_neighbours);
}

BOOST_AUTO_TEST_CASE(inclusive_scans_on_any_nodes_of_neighbours) {
    support::check_on_nodes(collective::inclusive_scan{}, on, support::nodes_of_neighbours);
}

BOOST_AUTO_TEST_CASE(scan_reduces_on_any_nodes_of_neighbours) {
    static_assert(!facts_of<collective::scan_reduce, hierarchical>.one_ported);
    support::check_on_nodes(collective::scan_reduce{}, on, support::nodes_of_neighbours);
}

BOOST_AUTO_TEST_CASE(a_node_scans_and_what_lies_before_it_is_put_in_front) {
    auto const text = [](auto which, std::size_t rank) {
        return bracketings(which, on(node_map::of_width(3)), 8, 0, cut, rank).front();
    };
    BOOST_TEST(text(collective::exclusive_scan{}, 7) == "((((0+1)+2)+((3+4)+5))+6)");
    BOOST_TEST(text(collective::exclusive_scan{}, 3) == "((0+1)+2)");
    BOOST_TEST(text(collective::exclusive_scan{}, 0).empty());
    BOOST_TEST(text(collective::inclusive_scan{}, 4) == "((0+(1+2))+(3+4))");
}

BOOST_AUTO_TEST_CASE(few_rounds_and_messages) {
    for (auto const& nodes : {node_map::of_width(4), support::nodes_of_widths({4, 3}, 25)}) {
        std::size_t const size = 25;
        auto const cost = verify(collective::exclusive_scan{}, on(nodes), size, 0, cut);
        BOOST_TEST(cost.rounds == 2U + 3U + 2U);
        std::size_t between_nodes = 0;
        for (std::size_t rank = 0; rank < size; ++rank) {
            for (step const& each : generate(collective::exclusive_scan{}, on(nodes), problem{rank, size, 0, cut})) {
                bool const across = each.communicates() && nodes.node_of(each.peer) != nodes.node_of(rank);
                between_nodes += across && each.what == action::send ? 1 : 0;
            }
        }
        // 7 or 8 nodes in 3 rounds
        BOOST_TEST(between_nodes <= 3 * 7U);
    }
}

BOOST_AUTO_TEST_CASE(nodes_that_do_not_fit_are_refused) {
    problem const at{1, 6, 0, cut};
    laws::check_refusals(collective::exclusive_scan{}, std::vector{on(support::dealt_out(2, 6))}, at);
    laws::check_refusals(collective::inclusive_scan{}, std::vector{on(node_map{{0, 1}})}, at);
}

BOOST_AUTO_TEST_CASE(each_collective_has_the_generator_that_is_named_for_it) {
    static_assert(generator_for<fewest_rounds, collective::reduce>);
    static_assert(!generator_for<fewest_rounds, collective::reduce_scatter>);
    static_assert(generator_for<least_volume, collective::reduce_scatter>);
    BOOST_TEST(name_of(collective::reduce{}, fewest_rounds{}) == "binomial");
    BOOST_TEST(name_of(collective::all_reduce{}, fewest_rounds{}) == "recursive_doubling");
    BOOST_TEST(name_of(collective::reduce{}, least_volume{}) == "butterfly");
    BOOST_TEST(blocks_for(collective::reduce{}, least_volume{}, 9, 1 << 20) == 8U);
    BOOST_TEST(blocks_for(collective::reduce{}, fewest_rounds{}, 9, 1 << 20) == 1U);
}

BOOST_AUTO_TEST_CASE(schedules_are_those_of_that_generator) {
    laws::check_schedules(collective::reduce{}, fewest_rounds{}, {1, 2, 7, 9});
    laws::check_schedules(collective::reduce_scatter{}, least_volume{}, {1, 2, 7, 9});
}

BOOST_AUTO_TEST_SUITE_END()
