// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstdint>

#include <tutti/arrival/time_factor.hpp>

BOOST_AUTO_TEST_SUITE(arrival_time_factor)

using tutti::monitoring::time_factor;

BOOST_AUTO_TEST_CASE(a_quarter_of_what_was_seen_is_believed) {
    time_factor factor;
    BOOST_TEST(factor.value() == 1);
    factor.learn(150, 100);
    BOOST_TEST(factor.value() == 1.125);
    factor.learn(100, 100);
    BOOST_TEST(factor.value() == 1.125);
}

BOOST_AUTO_TEST_CASE(one_collective_counts_as_twice_or_half_at_most) {
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

BOOST_AUTO_TEST_CASE(it_stays_within_bounds) {
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

BOOST_AUTO_TEST_CASE(it_is_the_same_elsewhere) {
    time_factor factor;
    factor.learn(170, 100);
    BOOST_TEST((time_factor{factor.in_parts()} == factor));
}

BOOST_AUTO_TEST_SUITE_END()
