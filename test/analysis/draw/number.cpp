// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <tutti/analysis/draw/number.hpp>

BOOST_AUTO_TEST_SUITE(analysis_draw_number)

using tutti::analysis::draw::number;
using tutti::analysis::draw::rounded;

BOOST_AUTO_TEST_CASE(numbers_are_short_and_exact) {
    BOOST_TEST(number(0) == "0");
    BOOST_TEST(number(39) == "39");
    BOOST_TEST(number(-2) == "-2");
    BOOST_TEST(number(2.5) == "2.5");
    BOOST_TEST(number(0.1) == "0.1");
    BOOST_TEST(number(123456789012.0) == "123456789012");
    BOOST_TEST(std::stod(number(1.0 / 3)) == 1.0 / 3);
    BOOST_TEST(std::stod(number(1e300)) == 1e300);
}

BOOST_AUTO_TEST_CASE(places_are_rounded) {
    BOOST_TEST(rounded(1.0 / 3) == "0.33");
    BOOST_TEST(rounded(2.999) == "3");
}

BOOST_AUTO_TEST_SUITE_END()
