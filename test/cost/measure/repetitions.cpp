// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <tutti/cost/measure/repetitions.hpp>

BOOST_AUTO_TEST_SUITE(cost_measure_repetitions)

using tutti::pricing::measuring::repetitions;

BOOST_AUTO_TEST_CASE(what_is_short_is_done_often) {
    repetitions const often{false};
    BOOST_TEST(often.at_first() == 5U);
    BOOST_TEST(often.more(1e-6) == 100U);
    BOOST_TEST(often.more(0) == 100U);
    BOOST_TEST(often.more(5 * 1e-3) == 8U);
    BOOST_TEST(often.more(1) == 0U);
}

BOOST_AUTO_TEST_CASE(exact_times_need_no_repetition) {
    repetitions const once{true};
    BOOST_TEST(once.at_first() == 1U);
    BOOST_TEST(once.more(1e-9) == 0U);
}

BOOST_AUTO_TEST_CASE(medians_are_in_the_middle) {
    BOOST_TEST(tutti::pricing::measuring::median({3}) == 3);
    BOOST_TEST(tutti::pricing::measuring::median({5, 1, 1000}) == 5);
    BOOST_TEST(tutti::pricing::measuring::median({5, 1, 1000, 7, 0}) == 5);
    BOOST_TEST(tutti::pricing::measuring::median({1, 2}) == 2);
}

BOOST_AUTO_TEST_SUITE_END()
