// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/cost/lines.hpp>

BOOST_AUTO_TEST_SUITE(cost_lines)

namespace {

using namespace tutti::model_file;

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

BOOST_AUTO_TEST_SUITE_END()
