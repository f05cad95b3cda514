// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include <tutti/cost/unit.hpp>

BOOST_AUTO_TEST_SUITE(cost_unit)

namespace {

using namespace tutti::model_file;

constexpr auto us = unit_of(dimension::time);
constexpr auto plain = unit_of(dimension::transfers);

}  // namespace

BOOST_AUTO_TEST_CASE(numbers_are_written_as_people_write_them) {
    BOOST_TEST(decimal(30e-6, us) == "30");
    BOOST_TEST(decimal(0.9e-6, us) == "0.9");
    BOOST_TEST(decimal(1.0, us) == "1000000");
    BOOST_TEST(decimal(0.00012345e-6, us) == "0.00012345");
    BOOST_TEST(decimal(12.5e-6, us) == "12.5");
    BOOST_TEST(decimal(0.25e-9, unit_of(dimension::time_per_byte)) == "0.25");
    BOOST_TEST(decimal(0, us) == "0");
    BOOST_TEST(decimal(1, plain) == "1");
    BOOST_TEST(decimal(1.5e30, plain) == "1.5e30");
    BOOST_TEST(decimal(1e-30, plain) == "1e-30");
    BOOST_TEST(decimal(-12.5e-6, us) == "-12.5");
    BOOST_TEST(decimal(100, plain) == "100");
    BOOST_TEST(decimal(101.5, plain) == "101.5");
}

BOOST_AUTO_TEST_CASE(every_number_is_read_as_it_was_written) {
    std::mt19937_64 luck{1};
    for (int i = 0; i < 20'000; ++i) {
        std::uint64_t const bits = luck();
        double value = 0;
        std::memcpy(&value, &bits, sizeof value);
        if (!std::isfinite(value)) { continue; }
        // numbers that people use, too
        if (i % 2 == 0) { value = std::ldexp(static_cast<double>(luck() % 100'000), -static_cast<int>(luck() % 60)); }
        for (auto const& each : units) {
            auto const read = number_of(decimal(value, each), each);
            BOOST_REQUIRE(read.has_value());
            BOOST_REQUIRE(*read == value);
        }
    }
    for (auto const value : {std::numeric_limits<double>::max(), std::numeric_limits<double>::denorm_min()}) {
        BOOST_TEST(number_of(decimal(value, us), us).value() == value);
    }
}

BOOST_AUTO_TEST_CASE(units_are_exact) {
    BOOST_TEST(number_of("0.3", *find_unit("us", dimension::time)).value() == 0.3e-6);
    BOOST_TEST(number_of("300", *find_unit("ns", dimension::time)).value() == 0.3e-6);
    BOOST_TEST(number_of("3e-4", *find_unit("ms", dimension::time)).value() == 0.3e-6);
    BOOST_TEST(number_of("3E-7", *find_unit("s", dimension::time)).value() == 0.3e-6);
    BOOST_TEST(number_of("3e+2", *find_unit("ns", dimension::time)).value() == 0.3e-6);
    BOOST_TEST(!find_unit("us", dimension::time_per_byte));
    BOOST_TEST(!find_unit("parsecs", dimension::time));
}

BOOST_AUTO_TEST_CASE(what_is_no_finite_number_is_refused) {
    for (char const* const text : {"", "x", "1x", "nan", "inf", "-inf", "0x10", "1e", "1e5x", "1e999", "1,5", "e5",
                                   "--1", "1e99999999999", "1e-99999999999", "1e2e3"}) {
        BOOST_TEST(!number_of(text, us), text);
    }
}

BOOST_AUTO_TEST_SUITE_END()
