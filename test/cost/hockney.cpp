// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <tutti/cost/hockney.hpp>

BOOST_AUTO_TEST_SUITE(cost_hockney)

BOOST_AUTO_TEST_CASE(both_models_give_a_message_the_same_time) {
    constexpr tutti::loggp link_probe{.latency = 5, .overhead = 2, .gap = 4, .per_byte = 0.5};
    constexpr auto costs = tutti::hockney_of(link_probe, 0.25);
    static_assert(costs == tutti::hockney{.latency = 9, .per_byte = 0.5, .combine_per_byte = 0.25});
    for (std::size_t const bytes : {0U, 1U, 1000U}) { BOOST_TEST(costs.transfer(bytes) == link_probe.transfer(bytes)); }
    static_assert(costs.combine(100) == 25);
    static_assert(tutti::hockney_of(link_probe).combine(100) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
