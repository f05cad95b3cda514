// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

#include <support/node_maps.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/bucket.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/multi_lane.hpp>

BOOST_AUTO_TEST_SUITE(generator_multi_lane_reduce_scatter)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;

namespace {

auto const on = [](node_map const& nodes) { return multi_lane{.nodes = nodes}; };
auto const commuting_on = [](node_map const& nodes) { return multi_lane_of<bucket, circulant>{.nodes = nodes}; };

}  // namespace

BOOST_AUTO_TEST_CASE(reduce_scatters_on_equal_nodes) {
    static_assert(!facts_of<collective::reduce_scatter, multi_lane>.requires_commutative);
    static_assert(facts_of<collective::reduce_scatter, multi_lane_of<bucket, circulant>>.requires_commutative);
    support::check_on_nodes(collective::reduce_scatter{}, on, support::equal_nodes);
    support::check_on_nodes(collective::reduce_scatter{}, commuting_on, support::equal_nodes,
                            {partition::equal(40, 20)});
}

BOOST_AUTO_TEST_CASE(all_gathers_reversed) {
    support::check_on_nodes(collective::all_gather{}, [](auto const& nodes) { return reverse(on(nodes)); },
                            support::equal_nodes);
}

BOOST_AUTO_TEST_CASE(nodes_combine_first) {
    auto const texts =
        bracketings(collective::reduce_scatter{}, on(node_map::of_width(2)), 4, 0, partition::equal(4, 4), 2);
    BOOST_TEST(texts[2] == "((0+1)+(2+3))");
}

BOOST_AUTO_TEST_CASE(fewest_rounds_and_volume_where_both_numbers_are_powers_of_two) {
    auto const cost =
        verify(collective::reduce_scatter{}, on(node_map::of_width(4)), 32, 0, partition::equal(32, 32));
    BOOST_TEST(cost.rounds == 5U);
    BOOST_TEST(cost.max_volume_sent == 31U);
    BOOST_TEST(cost.max_combines == 31U);
}

BOOST_AUTO_TEST_CASE(nodes_that_do_not_fit_are_refused) {
    auto const cut = partition::equal(6, 6);
    problem const at{0, 6, 0, cut};
    for (auto const& nodes : {support::dealt_out(2, 6), node_map::of_width(4), node_map{{0, 1}}}) {
        BOOST_CHECK_THROW(static_cast<void>(generate(collective::reduce_scatter{}, on(nodes), at)),
                          std::invalid_argument);
    }
    BOOST_TEST(name_of(collective::reduce_scatter{}, commuting_on({})) == "multi_lane(bucket, circulant)");
}

BOOST_AUTO_TEST_SUITE_END()
