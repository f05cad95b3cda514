// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <concepts>
#include <functional>

#include <tutti/cost/machine.hpp>
#include <tutti/node_map.hpp>
#include <tutti/operation/minmax.hpp>

BOOST_AUTO_TEST_SUITE(cost_machine)

static_assert(std::regular<tutti::machine_model>);

BOOST_AUTO_TEST_CASE(the_default_is_a_fast_network) {
    tutti::machine_model const machine;
    auto const& far = machine.between_nodes;
    BOOST_TEST(far.transfer(0) / far.per_byte == 6000, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(far.overhead * 5 == far.transfer(0), boost::test_tools::tolerance(1e-9));
    auto const& near = machine.within_node;
    BOOST_TEST(near.transfer(0) < far.transfer(0));
    BOOST_TEST(near.per_byte < far.per_byte);
    BOOST_TEST(machine.exchange_factor == 1);
    BOOST_TEST(machine.exchange_factor_within_node > 1);
    BOOST_TEST(machine.combine_per_byte == 1e-10);
}

BOOST_AUTO_TEST_CASE(operators_have_costs_of_their_own_by_name) {
    BOOST_TEST((tutti::pricing::combine_name<std::plus<>, double>()) == "std::plus<void> double");
    BOOST_TEST((tutti::pricing::combine_name<std::plus<>, unsigned>()) == "std::plus<void> unsigned int");
    BOOST_TEST((tutti::pricing::combine_name<tutti::maximum<>, tutti::node_map>()) == "maximum<void> node_map");
    tutti::machine_model machine;
    BOOST_TEST((tutti::pricing::combine_cost<std::plus<>, double>(machine)) == machine.combine_per_byte);
    machine.combines["std::plus<void> double"] = 7;
    BOOST_TEST((tutti::pricing::combine_cost<std::plus<>, double>(machine)) == 7);
    BOOST_TEST((tutti::pricing::combine_cost<std::plus<>, float>(machine)) == machine.combine_per_byte);
    BOOST_TEST((tutti::pricing::combine_cost<std::plus<double>, double>(machine)) == machine.combine_per_byte);
    BOOST_TEST(machine.combine_cost("std::plus<void> double") == 7);
    BOOST_TEST((machine != tutti::machine_model{}));
}

BOOST_AUTO_TEST_CASE(a_message_takes_latency_overheads_and_its_length) {
    constexpr tutti::loggp link{.latency = 5, .overhead = 2, .gap = 4, .per_byte = 0.5};
    static_assert(link.transfer(0) == 9);
    static_assert(link.transfer(100) == 59);
    static_assert(link.interval(0) == 4);
    static_assert(link.interval(7) == 4);
    static_assert(link.interval(100) == 50);
    BOOST_TEST((link == tutti::loggp{5, 2, 4, 0.5}));
    BOOST_TEST((link != tutti::loggp{5, 2, 4, 0.25}));
}

BOOST_AUTO_TEST_SUITE_END()
