// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <tutti/analysis/timeline.hpp>

#include <vector>

BOOST_AUTO_TEST_SUITE(analysis_timeline)

using tutti::analysis::activity;
using tutti::analysis::timeline;

BOOST_AUTO_TEST_CASE(makespan_is_the_last_finish) {
    timeline line;
    BOOST_TEST(line.makespan() == 0);
    line.finish = {3, 7, 5};
    BOOST_TEST(line.makespan() == 7);
    BOOST_TEST(line.size() == 3);
}

BOOST_AUTO_TEST_CASE(idle_is_what_lies_between_arrival_and_finish_without_work) {
    timeline line;
    line.arrivals = {0, 4, 0};
    line.events = {{activity::transfer, 1, 0, 0, 1, 5, 7},
                   {activity::transfer, 0, 1, 0, 1, 6, 8},
                   {activity::combine, 0, 1, 0, 1, 10, 11}};
    line.finish = {11, 8, 0};
    // rank 0: before 5 and from 8 to 10; rank 1: from its arrival to 5
    BOOST_TEST(line.idle() == (std::vector<double>{7, 1, 0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
