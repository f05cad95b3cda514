// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/analysis/draw/svg_page.hpp>

BOOST_AUTO_TEST_SUITE(analysis_draw_svg_page)

using tutti::analysis::draw::escaped;
using tutti::analysis::draw::svg_page;

namespace {

constexpr auto background = "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";

/// What `draw` adds to an empty page.
template <class Draw>
std::string drawn(Draw draw) {
    svg_page page{100};
    draw(page);
    auto const text = page.finish(50);
    auto const from = text.find(background) + std::string{background}.size();
    return text.substr(from, text.size() - from - std::string{"</svg>\n"}.size());
}

}  // namespace

BOOST_AUTO_TEST_CASE(signs_of_xml_are_escaped) {
    BOOST_TEST(escaped("a < b && c > \"d\"") == "a &lt; b &amp;&amp; c &gt; &quot;d&quot;");
    BOOST_TEST(escaped("&lt;") == "&amp;lt;");
    BOOST_TEST(escaped("µs, 'x'") == "µs, 'x'");
    BOOST_TEST(escaped("") == "");
}

BOOST_AUTO_TEST_CASE(boxes) {
    BOOST_TEST(drawn([](auto& page) { page.box(1, 2.5, 30, 1.0 / 3, {.fill = "#123456"}); }) ==
               "<rect x=\"1\" y=\"2.5\" width=\"30\" height=\"0.33\" fill=\"#123456\"/>\n");
    BOOST_TEST(drawn([](auto& page) { page.box(0, 0, 1, 1, {.fill = "none", .stroke = "#fff", .stroke_width = 2}); }) ==
               "<rect x=\"0\" y=\"0\" width=\"1\" height=\"1\" fill=\"none\" stroke=\"#fff\" stroke-width=\"2\"/>\n");
    BOOST_TEST(drawn([](auto& page) { page.box(0, 0, 1, 1, {.fill = "red"}, "0 -> 1 & back"); }) ==
               "<rect x=\"0\" y=\"0\" width=\"1\" height=\"1\" fill=\"red\">"
               "<title>0 -&gt; 1 &amp; back</title></rect>\n");
}

BOOST_AUTO_TEST_CASE(lines) {
    BOOST_TEST(drawn([](auto& page) { page.line(1, 2, 3.999, -4, {.colour = "#000"}); }) ==
               "<line x1=\"1\" y1=\"2\" x2=\"4\" y2=\"-4\" stroke=\"#000\" stroke-width=\"1\"/>\n");
    BOOST_TEST(drawn([](auto& page) { page.line(0, 0, 9, 9, {.colour = "#000", .width = 0.5, .dashes = "2 3"}); }) ==
               "<line x1=\"0\" y1=\"0\" x2=\"9\" y2=\"9\" stroke=\"#000\" stroke-width=\"0.5\" "
               "stroke-dasharray=\"2 3\"/>\n");
}

BOOST_AUTO_TEST_CASE(text_says_only_what_differs_from_the_usual) {
    BOOST_TEST(drawn([](auto& page) { page.text(1, 2, "p < q", {}); }) ==
               "<text x=\"1\" y=\"2\" font-size=\"12\" fill=\"#20262e\">p &lt; q</text>\n");
    BOOST_TEST(drawn([](auto& page) {
                   page.text(1, 2, "", {.size = 9.5, .anchor = "end", .weight = "600", .fill = "#fff"});
               }) == "<text x=\"1\" y=\"2\" font-size=\"9.5\" fill=\"#fff\" text-anchor=\"end\" font-weight=\"600\">"
                     "</text>\n");
}

BOOST_AUTO_TEST_CASE(what_is_drawn_later_lies_above) {
    BOOST_TEST(drawn([](auto& page) {
                   page.text(0, 0, "a", {});
                   page.line(0, 0, 1, 1, {.colour = "b"});
                   page.box(0, 0, 1, 1, {.fill = "c"});
               }) == "<text x=\"0\" y=\"0\" font-size=\"12\" fill=\"#20262e\">a</text>\n"
                     "<line x1=\"0\" y1=\"0\" x2=\"1\" y2=\"1\" stroke=\"b\" stroke-width=\"1\"/>\n"
                     "<rect x=\"0\" y=\"0\" width=\"1\" height=\"1\" fill=\"c\"/>\n");
}

BOOST_AUTO_TEST_CASE(the_page_is_as_high_as_it_is_in_the_end) {
    svg_page const page{640.25};
    auto const text = page.finish(99.5);
    BOOST_TEST(text.find("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640.25\" height=\"99.5\" "
                         "viewBox=\"0 0 640.25 99.5\" ") == 0U);
    BOOST_TEST(text.find("</defs>\n" + std::string{background} + "</svg>\n") != std::string::npos);
    BOOST_TEST(page.finish(1) != text);
}

BOOST_AUTO_TEST_CASE(every_colour_has_its_hatching) {
    auto const text = svg_page{10}.finish(10);
    auto const pattern = [&](std::string const& id) {
        auto const from = text.find("<pattern id=\"" + id + "\" ");
        return from == std::string::npos ? "" : text.substr(from, text.find("</pattern>", from) - from);
    };
    BOOST_TEST(pattern("away") != "");
    for (std::size_t i = 0; i < tutti::analysis::draw::palette.size(); ++i) {
        auto const colour = " stroke=\"" + std::string{tutti::analysis::draw::palette[i].full} + '"';
        BOOST_TEST(pattern("hatch" + std::to_string(i)).find(colour) != std::string::npos);
    }
    BOOST_TEST(pattern("hatch" + std::to_string(tutti::analysis::draw::palette.size())) == "");
}

using tutti::analysis::draw::axis;

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
    // labels of six digits, 49 pixels wide, every 50: not every 40
    BOOST_TEST(marks(600000, 240, 38) == (std::vector<double>{0, 200000, 400000, 600000}),
               boost::test_tools::per_element());
    BOOST_TEST(marks(0, 500, 40) == std::vector<double>{0}, boost::test_tools::per_element());
    BOOST_TEST(axis::label(3 * 0.1) == "0.3");
}

using tutti::analysis::draw::colour_of;
using tutti::analysis::draw::palette;

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
