// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include <tutti/analysis/simulate.hpp>

#include "../../../benchmarks/paper/formulas.hpp"

BOOST_AUTO_TEST_SUITE(benchmarks_paper_table_formulas)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::paper;

namespace {

constexpr auto unidirectional = ports::unidirectional;
auto const tolerance = boost::test_tools::tolerance(1e-12);

/// m elements in q segments of tcomm + tcomp each, as the tables count.
template <class Generator>
double in_rounds(Generator const& generator, std::size_t size, std::size_t segments, double tcomm, double tcomp,
                 ports model) {
    return table_formula(generator, size, segments, cost_model::per_block(tcomm, tcomp, model))->time(1);
}

}  // namespace

BOOST_AUTO_TEST_CASE(table_one_counts_rounds_as_published) {
    struct row { std::size_t size, segments; double tcomm, tcomp, pipeline, binary; };
    for (auto const& [size, segments, tcomm, tcomp, of_pipeline, of_binary] : std::vector<row>{
             {5, 1, 1, 0, 4, 4},    {5, 3, 2, 1, 24, 36},  {5, 8, 2, 1, 54, 96},   {7, 3, 1, 0, 10, 12},
             {7, 8, 1, 0, 20, 32},  {16, 1, 2, 1, 45, 24}, {16, 3, 2, 1, 57, 48},  {16, 8, 2, 1, 87, 108},
             {31, 1, 2, 1, 90, 24}, {31, 3, 1, 0, 34, 16}, {31, 8, 2, 1, 132, 108}}) {
        BOOST_TEST(in_rounds(pipeline{}, size, segments, tcomm, tcomp, unidirectional) == of_pipeline);
        BOOST_TEST(in_rounds(binary_tree{}, size, segments, tcomm, tcomp, unidirectional) == of_binary);
    }
}

BOOST_AUTO_TEST_CASE(table_three_counts_rounds) {
    for (double const q : {1.0, 4.0, 9.0}) {
        auto const segments = static_cast<std::size_t>(q);
        BOOST_TEST(in_rounds(pipeline{}, 12, segments, 2, 1, ports::bidirectional) == (12 + q - 2) * 3);
        BOOST_TEST(in_rounds(binary_tree{}, 12, segments, 2, 1, ports::bidirectional) == 2 * (4 + q - 2) * 3);
        BOOST_TEST(in_rounds(bi_greedy{}, 12, segments, 2, 1, ports::bidirectional) == (4 + q - 1) * 3);
    }
}

BOOST_AUTO_TEST_CASE(best_segments_and_times_are_those_of_the_tables) {
    double const alpha = 10, beta = 2, gamma = 1, m = 3000, p = 100, N = 7, L = 7;
    auto const check = [&](auto const& formula, double segment, double root_of_time, double factor) {
        BOOST_TEST(formula->best_segment() == segment, tolerance);
        BOOST_TEST(formula->best_time() == factor * root_of_time * root_of_time, tolerance);
    };
    auto const costs = cost_model::linear(alpha, beta, gamma, unidirectional);
    check(table_formula(pipeline{}, 100, 3000, costs), std::sqrt(2 * m * alpha / ((p - 3) * (beta + gamma))),
          std::sqrt((p - 3) * alpha) + std::sqrt(2 * m * (beta + gamma)), 1);
    check(table_formula(binary_tree{}, 100, 3000, costs), std::sqrt(2 * m * alpha / ((N - 3) * (beta + gamma))),
          std::sqrt((N - 3) * alpha) + std::sqrt(2 * m * (beta + gamma)), 2);
    auto const both = cost_model::linear(alpha, beta, gamma);
    check(table_formula(pipeline{}, 100, 3000, both), std::sqrt(m * alpha / ((p - 2) * (beta + gamma))),
          std::sqrt((p - 2) * alpha) + std::sqrt(m * (beta + gamma)), 1);
    check(table_formula(binary_tree{}, 100, 3000, both), std::sqrt(m * alpha / ((N - 2) * (beta + gamma))),
          std::sqrt((N - 2) * alpha) + std::sqrt(m * (beta + gamma)), 2);
    check(table_formula(bi_greedy{}, 100, 3000, both), std::sqrt(m * alpha / ((L - 1) * (beta + gamma))),
          std::sqrt((L - 1) * alpha) + std::sqrt(m * (beta + gamma)), 1);
    BOOST_TEST(table_formula(binomial{}, 100, 3000, both)->best_time() == L * (alpha + m * (beta + gamma)));
}

BOOST_AUTO_TEST_CASE(segments_have_between_one_element_and_all) {
    auto const costs = cost_model::linear(10, 1, 0, unidirectional);
    BOOST_TEST(table_formula(pipeline{}, 1000, 4, costs)->best_segment() == 1);
    BOOST_TEST(table_formula(pipeline{}, 5, 4, costs)->best_segment() == 4);
    // one segment where the first takes no more rounds than any other
    BOOST_TEST(table_formula(pipeline{}, 3, 4000, costs)->best_segment() == 4000);
    BOOST_TEST(table_formula(binary_tree{}, 7, 4000, costs)->best_segment() == 4000);
    auto const latency = cost_model::linear(10, 0, 0, unidirectional);
    auto const bandwidth = cost_model::linear(0, 1, 0, unidirectional);
    BOOST_TEST(table_formula(pipeline{}, 100, 4000, latency)->best_segment() == 4000);
    BOOST_TEST(table_formula(pipeline{}, 100, 4000, bandwidth)->best_segment() == 1);
}

BOOST_AUTO_TEST_CASE(the_best_whole_number_of_bi_greedy_segments_is_next_to_the_fraction) {
    for (std::size_t elements : {10U, 100U, 997U, 4096U}) {
        for (double const alpha : {1.0, 10.0, 300.0}) {
            auto const formula = *table_formula(bi_greedy{}, 64, elements, cost_model::linear(alpha, 1, 1));
            auto const fraction = static_cast<double>(elements) / formula.best_segment();
            auto least = std::numeric_limits<double>::infinity();
            for (double const q : {std::floor(fraction), std::ceil(fraction)}) {
                auto const segment = std::ceil(static_cast<double>(elements) / std::max(q, 1.0));
                least = std::min(least, formula.in_segments(static_cast<std::size_t>(segment),
                                                            static_cast<std::size_t>(std::max(q, 1.0))));
            }
            // a few more segments can fit because their length is a whole number
            BOOST_TEST(formula.best_integer_segment().time <= least);
            BOOST_TEST(formula.best_integer_segment().time >= formula.best_time() * (1 - 1e-12));
        }
    }
}

BOOST_AUTO_TEST_CASE(butterfly_has_three_terms) {
    BOOST_TEST(butterfly_time(16, 160, cost_model::linear(10, 2, 1)) == 2 * 4 * 10 + 150 * (2 * 2 + 1));
}

BOOST_AUTO_TEST_CASE(there_are_no_formulas_for_other_ports) {
    auto const overlapped = cost_model::unit(ports::overlapped);
    BOOST_TEST(!table_formula(binomial{}, 8, 8, overlapped));
    BOOST_TEST(!table_formula(pipeline{}, 8, 8, overlapped));
    BOOST_TEST(!table_formula(binary_tree{}, 8, 8, overlapped));
    BOOST_TEST(!table_formula(bi_greedy{}, 8, 8, cost_model::unit(unidirectional)));
}

BOOST_AUTO_TEST_SUITE_END()
