// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include <tutti/analysis/draw/palette.hpp>

BOOST_AUTO_TEST_SUITE(analysis_draw_palette)

using tutti::draw::colour_of;
using tutti::draw::palette;

namespace {

/// Relative luminance of "#rrggbb" (sRGB), 0 for black and 1 for white.
double luminance(std::string_view colour) {
    auto const linear = [&](std::size_t at) {
        auto const value = std::stoi(std::string{colour.substr(at, 2)}, nullptr, 16) / 255.0;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(1) + 0.7152 * linear(3) + 0.0722 * linear(5);
}

/// How light a colour looks beside others, from 0 to 100 (CIE L*); for colours that are not almost black.
double lightness(std::string_view colour) { return 116 * std::cbrt(luminance(colour)) - 16; }

double contrast(std::string_view light, std::string_view dark) {
    return (luminance(light) + 0.05) / (luminance(dark) + 0.05);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_measures_are_right) {
    BOOST_TEST(std::abs(lightness("#ffffff") - 100) < 1e-3);
    BOOST_TEST(std::abs(lightness("#777777") - 50) < 0.1);
    BOOST_TEST(std::abs(contrast("#ffffff", "#000000") - 21) < 1e-9);
}

BOOST_AUTO_TEST_CASE(colours_are_written_alike_and_differ) {
    std::set<std::string_view> seen;
    for (auto const& ink : palette) {
        for (auto const colour : {ink.full, ink.light, ink.dark}) {
            BOOST_TEST(colour.size() == 7U);
            BOOST_TEST(colour[0] == '#');
            BOOST_TEST(colour.find_first_not_of("0123456789abcdef", 1) == std::string_view::npos);
            BOOST_TEST(seen.insert(colour).second);
        }
    }
}

BOOST_AUTO_TEST_CASE(text_can_be_read_on_them) {
    for (auto const& ink : palette) {
        BOOST_TEST_CONTEXT(ink.full) {
            BOOST_TEST(contrast("#ffffff", ink.full) > 3);
            BOOST_TEST(contrast(ink.light, ink.dark) > 4.5);
        }
    }
}

BOOST_AUTO_TEST_CASE(neighbours_can_be_told_apart_in_grey) {
    for (std::size_t block = 0; block < palette.size(); ++block) {
        BOOST_TEST_CONTEXT("blocks " << block << " and " << block + 1) {
            BOOST_TEST(std::abs(lightness(colour_of(block).full) - lightness(colour_of(block + 1).full)) > 6);
        }
    }
}

BOOST_AUTO_TEST_CASE(colours_come_again) {
    static_assert(colour_of(0).full == palette[0].full);
    BOOST_TEST(&colour_of(9) == &palette[9]);
    BOOST_TEST(&colour_of(10) == &palette[0]);
    BOOST_TEST(&colour_of(237) == &palette[7]);
}

BOOST_AUTO_TEST_SUITE_END()
