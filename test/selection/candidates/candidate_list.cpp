// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <type_traits>
#include <vector>

#include <tutti/selection/candidates.hpp>

BOOST_AUTO_TEST_SUITE(selection_candidates_candidate_list)

namespace {

/// Takes the time that it says, in so many segments.
struct paid {
    double seconds = 1;
    std::size_t segments = 1;
    friend bool operator==(paid const&, paid const&) = default;
};

constexpr tutti::facts describe(tutti::collective::reduce, std::type_identity<paid>) { return {.name = "paid"}; }
tutti::lazy_schedule generate(tutti::collective::reduce, paid const&, tutti::problem const&) { return {}; }

/// Of another name.
struct dear : paid {};
constexpr tutti::facts describe(tutti::collective::reduce, std::type_identity<dear>) { return {.name = "dear"}; }
tutti::lazy_schedule generate(tutti::collective::reduce, dear const&, tutti::problem const&) { return {}; }

double time_of(tutti::collective::reduce, paid const& each, tutti::pricing::message_costs const&,
               tutti::call_parameters const&) {
    return each.seconds;
}

using reductions = tutti::selection::candidate_list<tutti::collective::reduce>;

tutti::call_parameters const now{.size = 8, .bytes = 1 << 20, .nodes = tutti::node_map::of_width(1)};

}  // namespace

BOOST_AUTO_TEST_CASE(the_least_time_is_best) {
    reductions all{now};
    for (auto const seconds : {5.0, 3.0, 4.0}) { all.add(paid{seconds}); }
    BOOST_TEST(all.candidates().size() == 3U);
    BOOST_TEST(all.best().seconds == 3);
    BOOST_TEST((all.best().generator == paid{3}));
    BOOST_TEST(all.why() == tutti::selection::why_least_time);
}

BOOST_AUTO_TEST_CASE(of_two_that_are_as_good_the_first_is_best) {
    reductions all{now};
    for (auto const seconds : {1.0, 0.995, 0.985}) { all.add(paid{seconds}); }
    BOOST_TEST(all.best().seconds == 0.985);
    reductions others{now};
    for (auto const seconds : {1.0, 0.995}) { others.add(paid{seconds}); }
    BOOST_TEST(others.best().seconds == 1);
}

BOOST_AUTO_TEST_CASE(the_longest_segments_are_taken_that_cost_hardly_more) {
    reductions all{now};
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
    auto near = now;
    near.nodes = {};
    reductions all{near};
    all.add_in_segments([](std::size_t n) { return paid{static_cast<double>(n), n}; });
    BOOST_TEST(all.best().generator.as<paid>()->segments == 1U);
    reductions others{now};
    others.add_in_segments([](std::size_t n) { return paid{static_cast<double>(n), n}; });
    BOOST_TEST(others.best().generator.as<paid>()->segments == 8U);
}

BOOST_AUTO_TEST_CASE(a_rule_names_what_may_be_chosen) {
    auto ruled = now;
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
    auto ruled = now;
    ruled.rule = {.collective = "reduce", .algorithm = "paid", .segment = 3000};
    reductions all{ruled};
    all.add_in_segments([](std::size_t n) { return paid{1, n}; });
    BOOST_TEST(all.best().generator.as<paid>()->segments == 350U);  // 2^20 / 3000, rounded up
}

BOOST_AUTO_TEST_SUITE_END()
