// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <tutti/selection/expected_time.hpp>

#include "support/expected_times.hpp"

BOOST_AUTO_TEST_SUITE(selection_expected_time_unfolded_multiplying)

using namespace tutti;

namespace {

constexpr unfolded_multiplying doubling{.radix = 2};
constexpr unfolded_multiplying by_4{.radix = 4};
constexpr unfolded_multiplying by_5{.radix = 5};

}  // namespace

BOOST_AUTO_TEST_CASE(reductions_as_simulated) {
    constexpr collective::reduce reduce;
    check_expected_time(reduce, doubling, on_ethernet(16, 8), 200.8);
    check_expected_time(reduce, by_4, on_ethernet(16, 8), 130.4);
    check_expected_time(reduce, unfolded_multiplying{.radix = 16}, on_ethernet(16, 8), 190.2);
    check_expected_time(reduce, by_4, on_ethernet(16, 4096), 280.3);
    check_expected_time(reduce, by_4, on_ethernet(17, 4096), 313.2);
    check_expected_time(reduce, by_4, on_ethernet(16, 1 << 16), 3722);
}

BOOST_AUTO_TEST_CASE(all_reduces_as_simulated) {
    constexpr collective::all_reduce all_reduce;
    check_expected_time(all_reduce, doubling, on_ethernet(16, 4096), 331.6);
    check_expected_time(all_reduce, by_4, on_ethernet(16, 8), 140.4);
    check_expected_time(all_reduce, by_4, on_ethernet(16, 4096), 363.2);
    // the last rank begins to speak to all others at once, or to one of each group, who tell others
    check_expected_time(all_reduce, doubling, on_ethernet(17, 8), 251.0);
    check_expected_time(all_reduce, doubling, on_ethernet(17, 4096), 593.4);
    check_expected_time(all_reduce, by_5, on_ethernet(17, 8), 190.4);
}

BOOST_AUTO_TEST_SUITE_END()
