// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <optional>
#include <vector>

#include <tutti/cost/measure.hpp>

BOOST_AUTO_TEST_SUITE(cost_measure_levels)

namespace {

using tutti::pricing::measuring::levels;
using tutti::pricing::measuring::pair;

levels of(std::vector<std::size_t> const& nodes) {
    return tutti::pricing::measuring::levels_of(tutti::node_map{nodes}, nodes.size());
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_first_pairs_are_taken) {
    BOOST_TEST((of({0, 0, 1, 1}) == levels{pair{0, 2}, pair{0, 1}}));
    BOOST_TEST((of({0, 1, 0, 1}) == levels{pair{0, 1}, pair{0, 2}}));
    BOOST_TEST((of({0, 1, 1, 2}) == levels{pair{0, 1}, pair{1, 2}}));
    BOOST_TEST((of({0, 1, 2, 2}) == levels{pair{0, 1}, pair{2, 3}}));
    BOOST_TEST(
        (tutti::pricing::measuring::levels_of(tutti::node_map::of_width(3), 8) == levels{pair{0, 3}, pair{0, 1}}));
}

BOOST_AUTO_TEST_CASE(a_level_may_not_exist) {
    BOOST_TEST((of({0, 1, 2}) == levels{pair{0, 1}, std::nullopt}));
    BOOST_TEST((of({0, 0, 0}) == levels{std::nullopt, pair{0, 1}}));
    BOOST_TEST((of({0}) == levels{}));
    BOOST_TEST((tutti::pricing::measuring::levels_of(tutti::node_map{}, 1) == levels{}));
}

BOOST_AUTO_TEST_SUITE_END()
