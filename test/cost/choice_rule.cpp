// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <concepts>
#include <vector>

#include <tutti/cost/choice_rule.hpp>

BOOST_AUTO_TEST_SUITE(cost_choice_rule)

using tutti::choice_rule;
using tutti::pricing::invalid_reason;
using tutti::pricing::rule_for;

static_assert(std::regular<choice_rule>);

BOOST_AUTO_TEST_CASE(a_rule_is_for_one_collective_and_some_sizes) {
    choice_rule const rule{.collective = "reduce", .from = 8, .to = 16, .algorithm = "linear"};
    BOOST_TEST(!rule.is_for("reduce", 4, 7));
    BOOST_TEST(rule.is_for("reduce", 4, 8));
    BOOST_TEST(rule.is_for("reduce", 4, 15));
    BOOST_TEST(!rule.is_for("reduce", 4, 16));
    BOOST_TEST(!rule.is_for("all_reduce", 4, 8));
    choice_rule const of_all{.collective = "reduce", .algorithm = "linear", .ranks = 4};
    BOOST_TEST(of_all.is_for("reduce", 4, 0));
    BOOST_TEST(of_all.is_for("reduce", 4, choice_rule::no_end - 1));
    BOOST_TEST(!of_all.is_for("reduce", 5, 0));
}

BOOST_AUTO_TEST_CASE(spaces_in_names_make_no_difference) {
    choice_rule const rule{.algorithm = "then(ring,reverse( ring))"};
    BOOST_TEST(rule.names("then(ring, reverse(ring))"));
    BOOST_TEST(!rule.names("then(ring, reverse(rings))"));
    BOOST_TEST(!rule.names("ring"));
}

BOOST_AUTO_TEST_CASE(the_first_rule_counts) {
    std::vector<choice_rule> const rules{{.collective = "reduce", .from = 8, .algorithm = "a", .ranks = 3},
                                         {.collective = "reduce", .from = 8, .algorithm = "b"},
                                         {.collective = "reduce", .algorithm = "c"}};
    BOOST_TEST(rule_for(rules, "reduce", 3, 8).value().algorithm == "a");
    BOOST_TEST(rule_for(rules, "reduce", 4, 8).value().algorithm == "b");
    BOOST_TEST(rule_for(rules, "reduce", 3, 7).value().algorithm == "c");
    BOOST_TEST(!rule_for(rules, "scatter", 3, 7));
    BOOST_TEST(!rule_for({}, "reduce", 3, 7));
}

BOOST_AUTO_TEST_CASE(rules_that_can_never_be_followed_have_a_flaw) {
    BOOST_TEST(invalid_reason({.collective = "gather", .algorithm = "x"}).empty());
    BOOST_TEST(invalid_reason({.collective = "allreduce", .algorithm = "ring"}) ==
               "there is no collective 'allreduce' to choose for; there are: reduce, all_reduce, inclusive_scan, "
               "exclusive_scan, scan_reduce, reduce_scatter, broadcast, all_gather, gather, scatter");
    BOOST_TEST(invalid_reason({.collective = "gather", .from = 5, .to = 4, .algorithm = "x"}) ==
               "no vector has at least 5 and less than 4 bytes");
    BOOST_TEST(invalid_reason({.collective = "gather", .algorithm = {}}) == "it names no algorithm");
}

BOOST_AUTO_TEST_SUITE_END()
