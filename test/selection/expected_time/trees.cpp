// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include "support/expected_times.hpp"
#include <tutti/selection/expected_time.hpp>

BOOST_AUTO_TEST_SUITE(selection_expected_time_trees)

using namespace tutti;

BOOST_AUTO_TEST_CASE(scatters_as_simulated) {
    constexpr collective::scatter scatter;
    check_expected_time(scatter, linear{}, on_ethernet(4, 1 << 16), 443.6);
    check_expected_time(scatter, linear{}, on_ethernet(8, 1 << 20), 7391.9);
    check_expected_time(scatter, linear{}, on_ethernet(16, 1 << 16), 543.4);
    check_expected_time(scatter, linear{}, on_ethernet(48, 1 << 20), 8269.9);
    check_expected_time(scatter, binomial{}, on_ethernet(4, 1 << 20), 8491.6);
    check_expected_time(scatter, binomial{}, on_ethernet(8, 1 << 20), 11689);
    check_expected_time(scatter, binomial{}, on_ethernet(16, 1 << 24), 218334);
    check_expected_time(scatter, binomial{}, on_ethernet(48, 1 << 24), 246352);
}

BOOST_AUTO_TEST_CASE(alternating_trees_as_simulated) {
    constexpr collective::reduce reduce;
    check_expected_time(reduce, alternating_tree{.segments = 1}, on_ethernet(16, 8), 251.0);
    check_expected_time(reduce, alternating_tree{.segments = 8}, on_ethernet(16, 16384), 472.6);
    check_expected_time(reduce, alternating_tree{.segments = 8}, on_ethernet(17, 16384), 539.1);
    check_expected_time(reduce, alternating_tree{.segments = 32}, on_ethernet(16, 1 << 16), 1036.1);
    check_expected_time(reduce, alternating_tree{.segments = 256}, on_ethernet(16, 1 << 20), 10688);
    check_expected_time(reduce, alternating_tree{.segments = 256}, on_ethernet(17, 1 << 20), 11340);
    constexpr collective::all_reduce all_reduce;
    check_expected_time(all_reduce, alternating_tree{.segments = 1}, on_ethernet(16, 8), 401.5);
    check_expected_time(all_reduce, alternating_tree{.segments = 256}, on_ethernet(17, 1 << 20), 25810);
}

BOOST_AUTO_TEST_SUITE_END()
