// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

#include <tutti/generator/papers/uni_greedy.hpp>

#include "../../../benchmarks/paper/formulas.hpp"

BOOST_AUTO_TEST_SUITE(benchmarks_paper_table_two_terms)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::paper;

BOOST_AUTO_TEST_CASE(a_rank_takes_part_in_one_transfer_at_a_time) {
    BOOST_TEST((table_two(15, 30) == cost_terms{4, 60, 28}));
    // an even number of ranks can be busy all the time
    BOOST_TEST((table_two(4, 30) == cost_terms{2, 45, 22.5}));
    BOOST_TEST((table_two(2, 30) == cost_terms{1, 30, 15}));
    BOOST_TEST((table_two_in_order(4, 30) == cost_terms{2, 60, 22.5}));
    // three elements on four ranks: five steps are possible out of order, six in order
    BOOST_TEST(std::ceil(table_two(4, 3).beta) == 5);
    BOOST_TEST(table_two_in_order(4, 3).beta == 6);
}

BOOST_AUTO_TEST_CASE(named_algorithms_have_the_published_terms) {
    BOOST_TEST((table_two(binomial{}, 12, 30) == cost_terms{4, 120, 120}));
    BOOST_TEST((table_two(pipeline{}, 12, 30) == cost_terms{11, 69, 69}));
    BOOST_TEST((table_two(binary_tree{}, 12, 30) == cost_terms{6, 122, 122}));
}

BOOST_AUTO_TEST_CASE(each_term_is_attained_for_some_segment_size) {
    auto const check = [](auto const& generator) {
        for (std::size_t size : {5U, 12U, 64U}) {
            auto const terms = table_two(generator, size, 30);
            auto const least = [&](cost_model const& costs) {
                auto const formula = *table_formula(generator, size, 30, costs);
                return std::min(formula.time(1), formula.time(30));
            };
            BOOST_TEST(terms.alpha == least(cost_model::linear(1, 0, 0, ports::unidirectional)));
            BOOST_TEST(terms.beta == least(cost_model::linear(0, 1, 0, ports::unidirectional)));
            BOOST_TEST(terms.gamma == least(cost_model::linear(0, 0, 1, ports::unidirectional)));
            auto const costs = cost_model::linear(5, 2, 1, ports::unidirectional);
            BOOST_TEST(terms.sum(costs) <= table_formula(generator, size, 30, costs)->best_time());
            BOOST_TEST(terms.greatest(costs) <= terms.sum(costs));
        }
    };
    check(binomial{});
    check(pipeline{});
    check(binary_tree{});
}

BOOST_AUTO_TEST_CASE(no_uni_greedy_reduction_is_shorter_than_a_reduction_in_order_can_be) {
    for (std::size_t size = 3; size <= 40; ++size) {
        for (std::size_t elements : {1U, 2U, 7U, 24U}) {
            auto const terms = table_two_in_order(size, static_cast<double>(elements));
            auto const time = [&](uni_greedy const& costs, std::size_t blocks) {
                return static_cast<double>(makespan(costs, size, partition::equal(elements, blocks)));
            };
            BOOST_TEST(terms.alpha <= time({.alpha = 1}, 1));
            BOOST_TEST(terms.beta <= time({.beta = 1}, elements));
            BOOST_TEST(terms.gamma <= time({.gamma = 1}, elements));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
