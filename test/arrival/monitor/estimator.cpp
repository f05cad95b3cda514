// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <limits>

#include <tutti/arrival/monitor.hpp>

BOOST_AUTO_TEST_SUITE(arrival_monitor_estimator)

using tutti::monitoring::estimator;

BOOST_AUTO_TEST_CASE(an_edge_tells_the_end_from_the_time_so_far) {
    estimator half;
    half.begin(0);
    BOOST_TEST(half.edge(60, 0.5));
    BOOST_TEST(half.estimate().value() == 120);

    estimator most;
    most.begin(10);
    BOOST_TEST(most.edge(66, 0.56));
    BOOST_TEST(most.estimate().value() == 110);
}

BOOST_AUTO_TEST_CASE(the_last_edge_counts) {
    estimator two;
    two.begin(0);
    BOOST_TEST(two.edge(10, 0.25));
    BOOST_TEST(two.estimate().value() == 40);
    BOOST_TEST(two.edge(36, 0.75));
    BOOST_TEST(two.estimate().value() == 48);
}

BOOST_AUTO_TEST_CASE(without_an_edge_it_takes_as_long_as_last_time) {
    estimator known;
    known.begin(5);
    BOOST_TEST(!known.estimate());
    BOOST_TEST(known.is_computing());
    known.finish(25);
    BOOST_TEST(!known.is_computing());
    BOOST_TEST(known.estimate().value() == 25);
    known.begin(30);
    BOOST_TEST(known.estimate().value() == 50);
}

BOOST_AUTO_TEST_CASE(progress_that_cannot_be_is_ignored) {
    estimator one;
    BOOST_TEST(!one.edge(60, 0.5));  // nothing has begun
    BOOST_TEST(!one.estimate());
    one.begin(0);
    for (double const progress : {0.0, 1.5, -0.5, std::numeric_limits<double>::quiet_NaN(),
                                  std::numeric_limits<double>::infinity(), std::numeric_limits<double>::denorm_min()}) {
        BOOST_TEST(!one.edge(60, progress));
        BOOST_TEST(!one.estimate());
    }
    BOOST_TEST(one.edge(60, 1));
    BOOST_TEST(one.estimate().value() == 60);
    BOOST_TEST(!one.edge(70, 0));
    BOOST_TEST(one.estimate().value() == 60);
}

BOOST_AUTO_TEST_CASE(an_end_without_a_beginning_is_an_arrival_and_no_duration) {
    estimator one;
    one.finish(7);
    BOOST_TEST(one.estimate().value() == 7);
    BOOST_TEST(!one.edge(9, 0.5));
    BOOST_TEST(one.estimate().value() == 7);
    one.begin(10);
    BOOST_TEST(!one.estimate());
}

BOOST_AUTO_TEST_CASE(times_of_today_keep_their_nanoseconds) {
    constexpr std::int64_t today = 1'700'000'000'000'000'000;
    estimator one;
    one.begin(today + 1);
    BOOST_TEST(one.edge(today + 61, 0.5));
    BOOST_TEST(one.estimate().value() == today + 121);
}

BOOST_AUTO_TEST_SUITE_END()
