// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <stdexcept>

#include <support/node_maps.hpp>
#include <tutti/generator/hierarchical.hpp>

BOOST_AUTO_TEST_SUITE(generator_hierarchical_scan)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;

namespace {

auto const cut = partition::equal(6, 1);
auto const on = [](node_map const& nodes) { return hierarchical{.nodes = nodes}; };

}  // namespace

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
    BOOST_CHECK_THROW(
        static_cast<void>(generate(collective::exclusive_scan{}, on(support::dealt_out(2, 6)), at)),
        std::invalid_argument);
    BOOST_CHECK_THROW(static_cast<void>(generate(collective::inclusive_scan{}, on(node_map{{0, 1}}), at)),
                      std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
