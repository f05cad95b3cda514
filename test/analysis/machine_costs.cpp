// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <tutti/analysis/machine_costs.hpp>

BOOST_AUTO_TEST_SUITE(analysis_machine_costs)

BOOST_AUTO_TEST_CASE(costs_of_bytes_are_those_of_elements) {
    constexpr tutti::hockney costs{.latency = 9, .per_byte = 0.5, .combine_per_byte = 0.25};
    constexpr auto model = tutti::cost_model_of(costs, 8, tutti::ports::unidirectional);
    BOOST_TEST((model == tutti::cost_model::linear(9, 4, 2, tutti::ports::unidirectional)));
    BOOST_TEST(model.transfer(10) == costs.transfer(80));
    BOOST_TEST(model.combine(10) == costs.combine(80));
    BOOST_TEST((tutti::cost_model_of(costs, 1).model == tutti::ports::bidirectional));
}

BOOST_AUTO_TEST_SUITE_END()
