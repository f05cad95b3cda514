// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <tutti/arrival/pattern.hpp>

BOOST_AUTO_TEST_SUITE(arrival_pattern)

using tutti::monitoring::time_factor;

namespace {

std::vector<std::size_t> order_of(std::vector<std::int64_t> arrivals) {
    tutti::process_arrival_pattern pattern;
    pattern.arrivals = std::move(arrivals);
    return pattern.order();
}

}  // namespace

BOOST_AUTO_TEST_CASE(ranks_are_sorted_by_arrival_and_then_by_rank) {
    using boost::test_tools::per_element;
    using ranks = std::vector<std::size_t>;
    BOOST_TEST(order_of({2, 0, 0, 0}) == (ranks{1, 2, 3, 0}), per_element());
    BOOST_TEST(order_of({3, 4, 3, 1}) == (ranks{3, 0, 2, 1}), per_element());
    BOOST_TEST(order_of({0, 0, 3, 3, 1}) == (ranks{0, 1, 4, 2, 3}), per_element());
    BOOST_TEST(order_of({5, 1, 2, 2, 2, 1}) == (ranks{1, 5, 2, 3, 4, 0}), per_element());
    BOOST_TEST(order_of({}).empty());
}

BOOST_AUTO_TEST_CASE(patterns_are_compared_in_all_they_say) {
    tutti::process_arrival_pattern const one{.iteration = 1, .arrivals = {0, 5}};
    auto other = one;
    BOOST_TEST((other == one));
    other.time_scale.learn(2, 1);
    BOOST_TEST((other != one));
    other = one;
    other.iteration = 2;
    BOOST_TEST((other != one));
    other = one;
    other.arrivals = {5, 0};
    BOOST_TEST((other != one));
}

BOOST_AUTO_TEST_CASE(the_time_factor_moves_by_a_quarter_of_what_was_observed) {
    time_factor factor;
    BOOST_TEST(factor.value() == 1);
    factor.learn(150, 100);
    BOOST_TEST(factor.value() == 1.125);
    factor.learn(100, 100);
    BOOST_TEST(factor.value() == 1.125);
}

BOOST_AUTO_TEST_CASE(one_collective_changes_the_time_factor_as_if_twice_or_half_at_most) {
    time_factor slow, fast;
    slow.learn(1'000'000, 100);
    BOOST_TEST(slow.value() == 1.25);
    fast.learn(1, 100);
    BOOST_TEST(fast.value() == 0.875);
}

BOOST_AUTO_TEST_CASE(what_always_takes_three_times_as_long_is_learnt) {
    time_factor factor;
    for (int i = 0; i < 40; ++i) { factor.learn(12'000, static_cast<std::int64_t>(4000 * factor.value())); }
    BOOST_TEST(factor.value() > 2.8);
    BOOST_TEST(factor.value() < 3.001);
}

BOOST_AUTO_TEST_CASE(the_time_factor_stays_within_bounds) {
    time_factor factor;
    for (int i = 0; i < 100; ++i) { factor.learn(200, 100); }
    BOOST_TEST(factor.value() == 16);
    for (int i = 0; i < 100; ++i) { factor.learn(1, 100); }
    BOOST_TEST(factor.value() == 1.0 / 16);
}

BOOST_AUTO_TEST_CASE(nothing_is_learnt_from_what_is_not_known) {
    time_factor factor;
    factor.learn(0, 100);
    factor.learn(100, 0);
    factor.learn(-5, 100);
    BOOST_TEST((factor == time_factor{}));
}

BOOST_AUTO_TEST_SUITE_END()
