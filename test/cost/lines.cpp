// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/cost/lines.hpp>

BOOST_AUTO_TEST_SUITE(cost_lines)

namespace {

using namespace tutti::pricing::model_file;

std::string refusal(auto action) {
    try {
        action();
    } catch (std::runtime_error const& wrong) { return wrong.what(); }
    return "nothing was refused";
}

}  // namespace

BOOST_AUTO_TEST_CASE(lines_go_where_their_first_words_say) {
    std::vector<std::string> seen;
    line_kinds const kinds{
        {"wait", [&](line const& now) { seen.push_back(std::to_string(now.number) + now.name()); }},
        {"choose", [&](line const& now) { seen.push_back(now.file + std::to_string(now.words.size())); }}};
    std::istringstream in{"# wait\n\nwait  long\t3 us\r\n   #\nchoose a b c d\nwait 1 s"};
    auto const end = read_lines(in, "f", kinds);
    BOOST_TEST((seen == std::vector<std::string>{"3wait long", "f5", "6wait"}));
    BOOST_TEST(end.number == 7);
    BOOST_TEST(refusal([&] { end.refuse("too short"); }) == "tutti: f:7: too short");
}

BOOST_AUTO_TEST_CASE(unknown_lines_are_refused) {
    std::istringstream in{"wait 1 s\nhurry 1 s\n"};
    auto const ignore = [](line const&) {};
    BOOST_TEST(refusal([&] {
                   read_lines(in, "some/file", {{"wait", ignore}, {"choose", ignore}});
               }) == "tutti: some/file:2: 'hurry' begins no line that is known: choose, wait");
}

BOOST_AUTO_TEST_CASE(quantities_are_numbers_with_units) {
    auto const of = [](std::vector<std::string> words) {
        return line{.file = "f", .number = 3, .words = std::move(words)}.quantity(dimension::time);
    };
    BOOST_TEST(of({"wait", "2", "ms"}) == 2e-3);
    BOOST_TEST(of({"wait", "for", "it", "0", "us"}) == 0);
    BOOST_TEST(refusal([&] {
                   of({"wait", "us"});
               }) == "tutti: f:3: the line has to end with a number and its unit, as in '1.5 us'");
    BOOST_TEST(refusal([&] {
                   of({"wait", "2", "ns/B"});
               }) ==
               "tutti: f:3: 'ns/B' is no unit for it; the line has to end with a number and its unit, as in '1.5 us'");
    BOOST_TEST(refusal([&] { of({"wait", "nan", "us"}); }) == "tutti: f:3: 'nan' is not a finite number");
    BOOST_TEST(refusal([&] { of({"wait", "-1", "us"}); }) == "tutti: f:3: '-1' is negative");
}

namespace {

using namespace tutti::pricing::model_file;

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
