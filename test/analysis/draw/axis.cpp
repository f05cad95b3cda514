// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <tutti/analysis/draw/axis.hpp>

#include <vector>

BOOST_AUTO_TEST_SUITE(analysis_draw_axis)

using tutti::draw::axis;

BOOST_AUTO_TEST_CASE(times_lie_on_a_line) {
    axis const times{10, 100, 500, 40};
    BOOST_TEST(times.at(0) == 100);
    BOOST_TEST(times.at(5) == 350);
    BOOST_TEST(times.at(10) == 600);
}

BOOST_AUTO_TEST_CASE(marks_are_round_and_far_enough_apart) {
    auto const marks = [](double end, double length, double gap) { return axis{end, 0, length, gap}.marks(); };
    BOOST_TEST(marks(10, 500, 40) == (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}),
               boost::test_tools::per_element());
    BOOST_TEST(marks(39, 390, 41) == (std::vector<double>{0, 5, 10, 15, 20, 25, 30, 35}),
               boost::test_tools::per_element());
    BOOST_TEST(marks(1000, 100, 40) == (std::vector<double>{0, 500, 1000}), boost::test_tools::per_element());
    // whole times are not divided
    BOOST_TEST(marks(4, 4000, 40) == (std::vector<double>{0, 1, 2, 3, 4}), boost::test_tools::per_element());
    BOOST_TEST(marks(0, 500, 40) == std::vector<double>{0}, boost::test_tools::per_element());
    BOOST_TEST(axis::label(3 * 0.1) == "0.3");
}

BOOST_AUTO_TEST_SUITE_END()
