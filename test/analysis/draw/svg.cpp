// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <support/tiny_generators.hpp>
#include <tutti/analysis/draw/svg.hpp>
#include <tutti/analysis/simulate.hpp>

#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

BOOST_AUTO_TEST_SUITE(analysis_draw_svg)

using namespace tutti;
using namespace tutti::analysis;

namespace {

std::size_t count(std::string_view text, std::string_view part) {
    std::size_t result = 0;
    for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) { ++result; }
    return result;
}

/// Whether tags are balanced, attributes quoted, and no sign stands where XML does not allow it.
bool well_formed(std::string_view text) {
    std::vector<std::string> open;
    bool seen = false;
    while (!text.empty()) {
        auto const start = text.find('<');
        auto const between = text.substr(0, start);
        if (between.find('>') != std::string_view::npos) { return false; }
        for (auto at = between.find('&'); at != std::string_view::npos; at = between.find('&', at + 1)) {
            if (between.find(';', at) == std::string_view::npos) { return false; }
        }
        if (start == std::string_view::npos) { break; }
        auto const end = text.find('>', start);
        if (end == std::string_view::npos) { return false; }
        auto const tag = text.substr(start + 1, end - start - 1);
        if (count(tag, "\"") % 2 != 0 || tag.find('<') != std::string_view::npos) { return false; }
        auto const is_name = [](char sign) { return std::isalpha(static_cast<unsigned char>(sign)) != 0; };
        std::string name;
        for (auto const sign : tag.substr(tag[0] == '/' ? 1 : 0)) {
            if (!is_name(sign)) { break; }
            name += sign;
        }
        if (tag[0] == '/') {
            if (open.empty() || open.back() != name) { return false; }
            open.pop_back();
        } else if (tag.back() != '/') {
            if (open.empty() && seen) { return false; }
            seen = true;
            open.push_back(name);
        }
        text.remove_prefix(end + 1);
    }
    return open.empty() && seen;
}

timeline chain(std::size_t size, std::size_t blocks, cost_model const& costs,
               std::vector<double> const& arrivals = {}) {
    return simulate(collective::reduce{}, tiny::chain{}, size, 0, partition::equal(blocks, blocks), costs, arrivals);
}

}  // namespace

BOOST_AUTO_TEST_CASE(pictures_are_well_formed) {
    BOOST_TEST(!well_formed("<svg><a></svg>"));
    for (auto const model : {ports::unidirectional, ports::bidirectional, ports::overlapped}) {
        for (std::size_t size : {1U, 3U, 16U, 64U}) {
            BOOST_TEST(well_formed(to_svg(chain(size, 13, cost_model::per_block(2, 1, model)))));
        }
    }
    BOOST_TEST(well_formed(to_svg(timeline{})));
    BOOST_TEST(well_formed(to_svg(timeline{}, {.title = "a < b & \"c\" > d"})));
    BOOST_TEST(to_svg(timeline{}, {.title = "a < b & \"c\" > d"}).find("a &lt; b &amp; &quot;c&quot; &gt; d") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_event_is_drawn_on_all_its_ranks) {
    auto const picture = to_svg(chain(4, 3, cost_model::per_block(2, 1)));
    // 9 messages, each on two ranks; 9 combines, each a bar and its hatching
    BOOST_TEST(count(picture, "<title>P1 to P0, block ") == 2 * 3);
    BOOST_TEST(count(picture, "<title>P3 to P2, block ") == 2 * 3);
    BOOST_TEST(count(picture, " combine, block ") == 2 * 9);
    BOOST_TEST(count(picture, "<title>P3 to P2, block 0, 0 to 2</title>") == 2);
    for (auto const* const text : {">P0<", ">P3<", ">makespan 15<", ">time, in the unit of the costs<", ">finish<", ">block 0<", ">combine<"}) {
        BOOST_TEST(count(picture, text) == 1);
    }
    BOOST_TEST(count(picture, "before arrival") == 0);
    BOOST_TEST(count(picture, ">reduce by chain, 4 ranks, 3 blocks<") == 1);
    BOOST_TEST(count(to_svg(chain(4, 3, cost_model::unit()), {.title = "mine"}), ">reduce by chain") == 0);
    BOOST_TEST(count(to_svg(timeline{}, {.title = {}, .time = "time in us"}), ">time in us<") == 1);
}

BOOST_AUTO_TEST_CASE(what_is_not_there_is_not_in_the_legend) {
    auto const picture = to_svg(chain(4, 12, cost_model::unit(ports::unidirectional), {0, 3, 0, 0}));
    BOOST_TEST(count(picture, ">combine") == 0);
    BOOST_TEST(count(picture, ">before arrival<") == 1);
    BOOST_TEST(count(picture, ">and again for every 10 blocks<") == 1);
}

BOOST_AUTO_TEST_CASE(blocks_of_a_message_need_not_lie_together) {
    timeline line;
    line.arrivals = line.finish = {0, 0};
    line.events = {{activity::transfer, 0, 1, 4, 2, 0, 2}};
    BOOST_TEST(count(to_svg(line), "<title>P0 to P1, 2 blocks, the first of them 4, 0 to 2</title>") == 2);
}

BOOST_AUTO_TEST_CASE(combines_of_a_prefix_are_drawn_and_its_first_operand_is_none) {
    step const first = step::receive_combine(0, 0, buffer::prefix(), 0, side::left);
    step const second = step::receive_combine(1, 2, buffer::prefix(), 0, side::left);
    tiny::scripted<> const script{
        2, {{step::send(0, 1, buffer::result(), 0)}, {first, second}, {step::send(1, 1, buffer::result(), 0)}}};
    auto const line =
        simulate(collective::exclusive_scan{}, script, 3, 0, partition::equal(1, 1), cost_model::per_block(2, 1));
    BOOST_TEST(line.makespan() == 5);
    BOOST_TEST(count(to_svg(line), "<title>P1 combine, block 0, 4 to 5</title>") == 2);
    BOOST_TEST(count(to_svg(line), " combine, block ") == 2);
}

BOOST_AUTO_TEST_CASE(the_axis_is_as_wide_as_asked) {
    auto const line = chain(2, 1, cost_model::unit());
    auto const narrow = to_svg(line, {.title = {}, .width = 300});
    auto const wide = to_svg(line, {.title = {}, .width = 900});
    BOOST_TEST(narrow.find("x2=\"330.4\"") != std::string::npos);
    BOOST_TEST(wide.find("x2=\"930.4\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_title_that_is_too_long_goes_on_in_another_line) {
    auto const words = [] {
        std::string all = "first";
        for (int i = 0; i < 30; ++i) { all += " between"; }
        return all + " last";
    }();
    auto const picture = to_svg(timeline{}, {.title = words, .width = 560});
    BOOST_TEST(picture.find(words) == std::string::npos);
    BOOST_TEST(picture.find(">first between") != std::string::npos);
    BOOST_TEST(picture.find(" last</text>") != std::string::npos);
    BOOST_TEST(to_svg(timeline{}, {.title = "a few words", .width = 560}).find(">a few words</text>") !=
               std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
