// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <support/expected_times.hpp>
#include <tutti/selection/candidates/all.hpp>
#include <tutti/selection/predicted_cost.hpp>
#include <tutti/collective/explain.hpp>

BOOST_AUTO_TEST_SUITE(selection_predicted_cost)

using namespace tutti;
using namespace tutti::selection;

namespace {

constexpr std::size_t MiB = std::size_t{1} << 20;

call_parameters ruled(std::size_t size, std::size_t bytes, choice_rule const& rule) {
    call_parameters now{.size = size, .bytes = bytes};
    now.rule = rule;
    return now;
}

predicted_cost const& chosen(std::vector<predicted_cost> const& all) {
    auto const is_chosen = [](predicted_cost const& each) { return each.chosen; };
    BOOST_REQUIRE(std::count_if(all.begin(), all.end(), is_chosen) == 1);
    return *std::find_if(all.begin(), all.end(), is_chosen);
}

template <bool Commutes, class Collective>
std::string reason(Collective which, call_parameters const& now) {
    std::string result;
    selection::choose(which, now, Commutes, [&](auto const&, std::string_view why) { result = why; });
    return result;
}

bool has(std::vector<predicted_cost> const& all, std::string const& algorithm) {
    return std::any_of(all.begin(), all.end(), [&](predicted_cost const& each) { return each.algorithm == algorithm; });
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_candidates_are_listed_the_fastest_first) {
    for (std::size_t const bytes : {std::size_t{0}, std::size_t{8}, MiB}) {
        auto const all = expectations(collective::all_reduce{}, {.size = 16, .bytes = bytes}, true);
        BOOST_TEST(
            std::is_sorted(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.seconds < b.seconds; }));
        // of two that differ by less than one in a hundred, either may be chosen
        BOOST_TEST(chosen(all).seconds <= all.front().seconds / 0.99);
        BOOST_TEST(all.front().seconds > 0);
        BOOST_TEST(has(all, "ring"));
        BOOST_TEST(has(all, "split"));
        auto const in_order = expectations(collective::all_reduce{}, {.size = 16, .bytes = bytes}, false);
        BOOST_TEST(!has(in_order, "ring"));
        BOOST_TEST(has(in_order, "split"));
    }
}

BOOST_AUTO_TEST_CASE(a_rule_is_followed_whatever_is_expected) {
    auto const now = ruled(16, 8, {.collective = "all_reduce", .algorithm = "ring"});
    auto const all = expectations(collective::all_reduce{}, now, true);
    BOOST_TEST(chosen(all).algorithm == "ring");
    BOOST_TEST(chosen(all).seconds > 2 * all.front().seconds);
    BOOST_TEST(reason<true>(collective::all_reduce{}, now) == "named by the tuning file");
    // the best of those that have the name
    auto const ported = ruled(16, 8, {.collective = "all_reduce", .algorithm = "recursive_multiplying"});
    auto const several = expectations(collective::all_reduce{}, ported, true);
    auto const fastest = std::find_if(several.begin(), several.end(), [](predicted_cost const& each) {
        return each.algorithm == "recursive_multiplying";
    });
    BOOST_TEST(chosen(several).seconds <= fastest->seconds / 0.99);
    auto const one_port = ruled(16, 8, {.collective = "all_reduce", .algorithm = "recursive_multiplying", .ports = 1});
    BOOST_TEST(chosen(expectations(collective::all_reduce{}, one_port, true)).ports == 1);
}

BOOST_AUTO_TEST_CASE(a_rule_that_names_no_candidate_is_not_followed) {
    auto const now = ruled(16, 8, {.collective = "all_reduce", .algorithm = "ring"});
    auto const unheeded = "expected to take the least time, since what the tuning file names cannot be chosen here";
    auto const expected = expectations(collective::all_reduce{}, {.size = 16, .bytes = 8}, false);
    BOOST_TEST(chosen(expectations(collective::all_reduce{}, now, false)).algorithm == chosen(expected).algorithm);
    BOOST_TEST(reason<false>(collective::all_reduce{}, now) == unheeded);
    auto const too_many = ruled(16, 8, {.collective = "all_reduce", .algorithm = "ring", .ports = 2});
    BOOST_TEST(reason<true>(collective::all_reduce{}, too_many) == unheeded);
    BOOST_TEST(reason<true>(collective::all_reduce{}, {.size = 16, .bytes = 8}) == "expected to take the least time");
}

BOOST_AUTO_TEST_CASE(a_rule_may_say_how_long_segments_are) {
    choice_rule const in_order{
        .collective = "all_reduce", .algorithm = "then(pipeline,reverse(pipeline))", .segment = 1000};
    BOOST_TEST(chosen(expectations(collective::all_reduce{}, ruled(4, MiB, in_order), false)).blocks == 1049);
    choice_rule const rule{.collective = "reduce", .algorithm = "pipeline", .segment = MiB / 4};
    BOOST_TEST(chosen(expectations(collective::reduce{}, ruled(48, MiB, rule), true)).blocks == 4);
    BOOST_TEST(chosen(expectations(collective::reduce{}, ruled(48, MiB + 1, rule), true)).blocks == 5);
    BOOST_TEST(chosen(expectations(collective::reduce{}, ruled(48, 0, rule), true)).blocks == 1);
    // others keep the number that suits them
    auto const free = expectations(collective::reduce{}, {.size = 48, .bytes = MiB}, true);
    for (auto const& each : expectations(collective::reduce{}, ruled(48, MiB, rule), true)) {
        auto const same = std::find_if(free.begin(), free.end(),
                                       [&](predicted_cost const& other) { return other.algorithm == each.algorithm; });
        BOOST_TEST((same->blocks == each.blocks) == (each.algorithm != "pipeline"));
    }
}

BOOST_AUTO_TEST_CASE(a_situation_adopts_costs_and_rules) {
    machine_model model;
    model.within_node.latency = 7;
    model.combine_per_byte = 8;
    model.choices = {{.collective = "reduce", .from = 9, .algorithm = "linear"}};
    call_parameters now{.size = 4, .bytes = 9};
    now.adopt(model, "reduce");
    BOOST_TEST((now.link() == model.within_node));
    BOOST_TEST(now.combine_per_byte == 8);
    BOOST_TEST(now.rule.value().algorithm == "linear");
    now.nodes = node_map::of_width(2);
    now.adopt(model, "all_reduce");
    BOOST_TEST((now.link() == model.between_nodes));
    BOOST_TEST(!now.rule);
}

BOOST_AUTO_TEST_CASE(expectations_are_told_in_words) {
    own_parameters now{4, 0};
    now.its.within_node = {.latency = 30e-6, .overhead = 10e-6, .gap = 1e-9, .per_byte = 8e-9};
    BOOST_TEST(selection::costs_in_words(now) ==
               "L = 30 us, o = 10 us, g = 0.001 us, G = 8 ns and gamma = 0.1 ns per byte");
    std::vector<predicted_cost> const all{{.algorithm = "ring", .blocks = 4, .seconds = 1e-6},
                                       {.algorithm = "tree", .ports = 2, .seconds = 1.23456, .chosen = true},
                                       {.algorithm = "oak", .ports = 1, .blocks = 2, .seconds = 2}};
    BOOST_TEST(selection::to_string(all) == "          1.00 us  ring in 4 blocks\n"
                                           "*   1234560.00 us  tree in 1 block, 2 messages at once\n"
                                           "    2000000.00 us  oak in 2 blocks, 1 message at once\n");
}

BOOST_AUTO_TEST_SUITE_END()
