// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <stdexcept>

#include <support/node_maps.hpp>
#include <tutti/generator/multi_lane.hpp>

BOOST_AUTO_TEST_SUITE(generator_multi_lane_scan)

using namespace tutti;

namespace {

auto const on = [](node_map const& nodes) { return multi_lane{.nodes = nodes}; };

}  // namespace

BOOST_AUTO_TEST_CASE(exclusive_scans_on_equal_nodes) {
    support::check_on_nodes(collective::exclusive_scan{}, on, support::equal_nodes);
}

BOOST_AUTO_TEST_CASE(inclusive_scans_on_equal_nodes) {
    support::check_on_nodes(collective::inclusive_scan{}, on, support::equal_nodes);
}

BOOST_AUTO_TEST_CASE(scan_reduces_on_equal_nodes) {
    support::check_on_nodes(collective::scan_reduce{}, on, support::equal_nodes);
}

BOOST_AUTO_TEST_CASE(every_rank_sends_its_share_to_other_nodes) {
    constexpr std::size_t width = 4;
    constexpr std::size_t size = 8 * width;
    auto const generator = on(node_map::of_width(width));
    auto const blocks = blocks_for(collective::exclusive_scan{}, generator, size, 1 << 24);
    auto const cut = partition::equal(blocks * 8, blocks);
    for (std::size_t rank = 0; rank < size; ++rank) {
        std::size_t sent = 0;
        for (step const& each : generate(collective::exclusive_scan{}, generator, problem{rank, size, 0, cut})) {
            if (each.what != action::send || each.peer / width == rank / width) { continue; }
            for (auto const& range : each.blocks) { sent += cut.size(range.first, range.last); }
        }
        BOOST_TEST(sent <= 2 * cut.elements() / width);
    }
}

BOOST_AUTO_TEST_CASE(nodes_that_do_not_fit_are_refused) {
    auto const cut = partition::equal(6, 6);
    problem const at{1, 6, 0, cut};
    for (auto const& nodes : {support::dealt_out(2, 6), node_map::of_width(4), node_map{{0, 1}}}) {
        BOOST_CHECK_THROW(static_cast<void>(generate(collective::inclusive_scan{}, on(nodes), at)),
                          std::invalid_argument);
    }
}

BOOST_AUTO_TEST_SUITE_END()
