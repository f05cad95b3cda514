// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/selection/candidates/all.hpp>

BOOST_AUTO_TEST_SUITE(selection_candidates)

using namespace tutti;

namespace {

std::vector<std::size_t> numbers_of_ports(std::size_t size) {
    std::vector<std::size_t> all;
    for (auto const n : selection::numbers_of_ports({.size = size})) { all.push_back(n); }
    return all;
}

template <bool Commutes, class Collective>
bool may_choose(Collective which, call_parameters const& now, std::string const& algorithm) {
    auto const all = selection::candidates_for(which, now, Commutes);
    return std::any_of(all.candidates().begin(), all.candidates().end(), [&](auto const& each) {
        return each.generator.name().starts_with(algorithm);
    });
}

constexpr collective::all_reduce all_reduce{};
constexpr collective::reduce_scatter reduce_scatter{};

/// Takes the time that it says, in so many segments.
struct paid {
    double seconds = 1;
    std::size_t segments = 1;
    friend bool operator==(paid const&, paid const&) = default;
};

constexpr tutti::facts describe(tutti::collective::reduce, std::type_identity<paid>) { return {.name = "paid"}; }
tutti::schedules::lazy_schedule generate(tutti::collective::reduce, paid const&, tutti::problem const&) { return {}; }

/// Of another name.
struct dear : paid {};
constexpr tutti::facts describe(tutti::collective::reduce, std::type_identity<dear>) { return {.name = "dear"}; }
tutti::schedules::lazy_schedule generate(tutti::collective::reduce, dear const&, tutti::problem const&) { return {}; }

double time_of(tutti::collective::reduce, paid const& each, tutti::pricing::message_costs const&,
               tutti::call_parameters const&) {
    return each.seconds;
}

using reductions = tutti::selection::candidate_list<tutti::collective::reduce>;

tutti::call_parameters const large_call{.size = 8, .bytes = 1 << 20, .nodes = tutti::node_map::of_width(1)};

}  // namespace

BOOST_AUTO_TEST_CASE(more_messages_at_once_are_considered_where_they_save_rounds) {
    BOOST_TEST(numbers_of_ports(1) == (std::vector<std::size_t>{1}), boost::test_tools::per_element());
    BOOST_TEST(numbers_of_ports(2) == (std::vector<std::size_t>{1}), boost::test_tools::per_element());
    // 4, 3, 2 rounds, and 1
    BOOST_TEST(numbers_of_ports(16) == (std::vector<std::size_t>{1, 2, 3, 15}), boost::test_tools::per_element());
    // of a network that has not been measured it is not supposed that they overlap
    auto const elsewhere = selection::numbers_of_ports({.size = 16, .nodes = node_map::of_width(1)});
    BOOST_TEST(elsewhere.size() == 1U);
    for (auto const n : numbers_of_ports(1'000'000)) { BOOST_TEST(n <= selection::most_ports); }
}

BOOST_AUTO_TEST_CASE(parts_go_round_a_ring_in_messages_of_a_kilobyte_and_more) {
    auto const cuts = [](std::size_t bytes) {
        std::vector<std::size_t> all;
        for (auto const n : selection::cuts_of_parts({.size = 8, .bytes = bytes})) { all.push_back(n); }
        return all;
    };
    BOOST_TEST(cuts(8) == (std::vector<std::size_t>{1}), boost::test_tools::per_element());
    BOOST_TEST(cuts(16 << 10) == (std::vector<std::size_t>{2, 1}), boost::test_tools::per_element());
    BOOST_TEST(cuts(32 << 10) == (std::vector<std::size_t>{2, 1, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_reorders_operands_is_for_operators_that_commute) {
    call_parameters const now{.size = 12, .bytes = 1 << 16};
    for (auto const* const name : {"ring", "then(circulant"}) {
        BOOST_TEST(may_choose<true>(all_reduce, now, name));
        BOOST_TEST(!may_choose<false>(all_reduce, now, name));
    }
    BOOST_TEST(may_choose<true>(reduce_scatter, now, "circulant"));
    BOOST_TEST(!may_choose<false>(reduce_scatter, now, "circulant"));
    BOOST_TEST(may_choose<true>(reduce_scatter, now, "split"));
    BOOST_TEST(may_choose<false>(reduce_scatter, now, "split"));
}

BOOST_AUTO_TEST_CASE(what_an_algorithm_states_decides_where_it_is_a_candidate) {
    auto const adds = []<class... Algorithms>(std::type_identity<std::tuple<Algorithms...>>, std::size_t size,
                                              bool commutes) {
        call_parameters const now{.size = size, .bytes = 1 << 16};
        selection::candidate_list<collective::reduce> result{now};
        selection::add_each<Algorithms...>(result, now, commutes);
        std::string names;
        for (auto const& each : result.candidates()) { names += each.generator.name() + ' '; }
        return names;
    };
    using all = std::type_identity<std::tuple<butterfly, round_optimal>>;
    BOOST_TEST(adds(all{}, 12, true) == "butterfly round_optimal ");
    BOOST_TEST(adds(all{}, 12, false) == "butterfly ");   // which alone keeps the order of operands
    // the best number of segments is found for those that have such a parameter
    call_parameters const now{.size = 3, .bytes = 64 << 20, .nodes = node_map::of_width(1)};
    selection::candidate_list<collective::reduce> cut{now};
    selection::add_each<pipeline>(cut, now, true);
    BOOST_TEST(cut.candidates()[0].generator.blocks(now.size, now.bytes) > 64U);
}

BOOST_AUTO_TEST_CASE(nodes_count_where_several_have_several_ranks) {
    call_parameters now{.size = 12, .bytes = 1 << 16};
    for (auto const& [width, aware] : {std::pair<std::size_t, bool>{1, false}, {4, true}, {12, false}}) {
        now.nodes = node_map::of_width(width);
        BOOST_TEST(may_choose<true>(all_reduce, now, "hierarchical") == aware);
        BOOST_TEST(may_choose<true>(all_reduce, now, "multi_lane") == aware);
        BOOST_TEST(may_choose<true>(reduce_scatter, now, "multi_lane") == aware);
        BOOST_TEST(may_choose<true>(collective::inclusive_scan{}, now, "hierarchical") == aware);
    }
}

BOOST_AUTO_TEST_CASE(a_part_much_longer_than_the_others_goes_in_blocks) {
    call_parameters now{.size = 8, .bytes = 8 << 20};
    BOOST_TEST(!may_choose<true>(reduce_scatter, now, "round_optimal"));
    now.longest_part = 7 << 20;
    BOOST_TEST(may_choose<true>(reduce_scatter, now, "round_optimal"));
    BOOST_TEST(may_choose<true>(collective::all_gather{}, now, "reverse(round_optimal"));
}

BOOST_AUTO_TEST_CASE(parts_of_which_the_root_alone_knows_the_sizes_go_by_no_other_rank) {
    call_parameters now{.size = 8, .bytes = 64};
    BOOST_TEST(may_choose<true>(collective::scatter{}, now, "binomial"));
    BOOST_TEST(may_choose<true>(collective::gather{}, now, "reverse(binomial"));
    now.parts_differ = true;
    BOOST_TEST(!may_choose<true>(collective::scatter{}, now, "binomial"));
    BOOST_TEST(!may_choose<true>(collective::gather{}, now, "reverse(binomial"));
    BOOST_TEST(may_choose<true>(collective::scatter{}, now, "linear"));
    BOOST_TEST(may_choose<true>(collective::gather{}, now, "reverse(linear"));
}

BOOST_AUTO_TEST_CASE(there_is_a_candidate_for_every_collective) {
    for (std::size_t const size : {1U, 2U, 3U, 64U}) {
        call_parameters const now{.size = size, .bytes = 64};
        BOOST_TEST(may_choose<false>(collective::reduce{}, now, ""));
        BOOST_TEST(may_choose<false>(collective::broadcast{}, now, ""));
        BOOST_TEST(may_choose<false>(all_reduce, now, ""));
        BOOST_TEST(may_choose<false>(collective::exclusive_scan{}, now, ""));
        BOOST_TEST(may_choose<false>(collective::scan_reduce{}, now, ""));
        BOOST_TEST(may_choose<false>(reduce_scatter, now, ""));
        BOOST_TEST(may_choose<false>(collective::all_gather{}, now, ""));
        BOOST_TEST(may_choose<false>(collective::gather{}, now, ""));
        BOOST_TEST(may_choose<false>(collective::scatter{}, now, ""));
    }
}

BOOST_AUTO_TEST_CASE(the_least_time_is_best) {
    reductions all{large_call};
    for (auto const seconds : {5.0, 3.0, 4.0}) { all.add(paid{seconds}); }
    BOOST_TEST(all.candidates().size() == 3U);
    BOOST_TEST(all.best().seconds == 3);
    BOOST_TEST((all.best().generator == paid{3}));
    BOOST_TEST(all.why() == tutti::selection::why_least_time);
}

BOOST_AUTO_TEST_CASE(of_two_that_are_as_good_the_first_is_best) {
    reductions all{large_call};
    for (auto const seconds : {1.0, 0.995, 0.985}) { all.add(paid{seconds}); }
    BOOST_TEST(all.best().seconds == 0.985);
    reductions others{large_call};
    for (auto const seconds : {1.0, 0.995}) { others.add(paid{seconds}); }
    BOOST_TEST(others.best().seconds == 1);
}

BOOST_AUTO_TEST_CASE(the_longest_segments_are_taken_that_cost_hardly_more) {
    reductions all{large_call};
    std::vector<std::size_t> tried;
    // as good from 16 segments on, and nearly so with 12
    all.add_in_segments([&](std::size_t n) {
        tried.push_back(n);
        return paid{n >= 16 ? 1 : n >= 12 ? 1.005 : 2, n};
    });
    BOOST_TEST(all.best().generator.as<paid>()->segments == 16U);
    for (auto const n : tried) { BOOST_TEST((n == 1 || (n >= 8 && n <= 1024))); }  // 1 to 128 KiB
}

BOOST_AUTO_TEST_CASE(on_a_node_the_whole_vector_may_be_a_segment) {
    auto near = large_call;
    near.nodes = {};
    reductions all{near};
    all.add_in_segments([](std::size_t n) { return paid{static_cast<double>(n), n}; });
    BOOST_TEST(all.best().generator.as<paid>()->segments == 1U);
    reductions others{large_call};
    others.add_in_segments([](std::size_t n) { return paid{static_cast<double>(n), n}; });
    BOOST_TEST(others.best().generator.as<paid>()->segments == 8U);
}

BOOST_AUTO_TEST_CASE(a_rule_names_what_may_be_chosen) {
    auto ruled = large_call;
    ruled.rule = {.collective = "reduce", .algorithm = "dear"};
    reductions all{ruled};
    all.add(paid{1});
    all.add(dear{{7}});
    all.add(dear{{6}});
    BOOST_TEST(all.best().seconds == 6);
    BOOST_TEST(all.why() == tutti::selection::why_by_rule);
    reductions others{ruled};
    others.add(paid{1});
    BOOST_TEST(others.best().seconds == 1);
    BOOST_TEST(others.why() == tutti::selection::why_not_by_rule);
}

BOOST_AUTO_TEST_CASE(a_rule_says_how_long_segments_are) {
    auto ruled = large_call;
    ruled.rule = {.collective = "reduce", .algorithm = "paid", .segment = 3000};
    reductions all{ruled};
    all.add_in_segments([](std::size_t n) { return paid{1, n}; });
    BOOST_TEST(all.best().generator.as<paid>()->segments == 350U);  // 2^20 / 3000, rounded up
}

BOOST_AUTO_TEST_SUITE_END()
