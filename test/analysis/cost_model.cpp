// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <tutti/analysis/cost_model.hpp>

BOOST_AUTO_TEST_SUITE(analysis_cost_model)

using tutti::cost_model;
using tutti::ports;

BOOST_AUTO_TEST_CASE(unit_counts_messages) {
    constexpr auto unit = cost_model::unit();
    static_assert(unit.transfer(1000, 7) == 1 && unit.combine(1000, 7) == 0);
    BOOST_TEST(unit.transfer(0, 0) == 1);
}

BOOST_AUTO_TEST_CASE(per_block_ignores_elements) {
    constexpr auto costs = cost_model::per_block(2, 1);
    BOOST_TEST(costs.transfer(1000) == 2);
    BOOST_TEST(costs.transfer(1000, 3) == 6);
    BOOST_TEST(costs.combine(1000) == 1);
    BOOST_TEST(costs.combine(1000, 3) == 3);
}

BOOST_AUTO_TEST_CASE(linear_ignores_blocks) {
    constexpr auto costs = cost_model::linear(10, 2, 3, ports::overlapped);
    BOOST_TEST(costs.transfer(5, 1) == 20);
    BOOST_TEST(costs.transfer(5, 4) == 20);
    BOOST_TEST(costs.combine(5, 4) == 15);
    BOOST_TEST((costs.model == ports::overlapped));
}

BOOST_AUTO_TEST_CASE(equal_costs_are_equal_values) {
    BOOST_TEST((cost_model::unit() == cost_model{}));
    BOOST_TEST((cost_model::unit() == cost_model::linear(1, 0, 0)));
    BOOST_TEST((cost_model::unit() != cost_model::unit(ports::unidirectional)));
    BOOST_TEST((cost_model::per_block(1, 0) != cost_model::linear(0, 1, 0)));
}

BOOST_AUTO_TEST_CASE(costs_of_bytes_are_those_of_elements) {
    constexpr tutti::loggp link{.latency = 5, .overhead = 2, .gap = 4, .per_byte = 0.5};
    constexpr auto model = tutti::analysis::cost_model_of(link, 0.25, 8, tutti::ports::unidirectional);
    BOOST_TEST((model == tutti::cost_model::linear(9, 4, 2, tutti::ports::unidirectional)));
    BOOST_TEST(model.transfer(10) == link.transfer(80));
    BOOST_TEST(model.combine(10) == 80 * 0.25);
    BOOST_TEST((tutti::analysis::cost_model_of(link, 0, 1).model == tutti::ports::bidirectional));
}

BOOST_AUTO_TEST_SUITE_END()
