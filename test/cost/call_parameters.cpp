// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <limits>

#include <support/expected_times.hpp>
#include <tutti/cost/call_parameters.hpp>

BOOST_AUTO_TEST_SUITE(cost_call_parameters)

using namespace tutti;
using namespace tutti::pricing;

BOOST_AUTO_TEST_CASE(distances_count_both_ways_and_what_lies_between_is_interpolated) {
    own_parameters now{16, 0};
    now.its.distances = {{1, 1}, {1, 2}, {1.5, 4}};
    BOOST_TEST(now.contention_at(1).per_byte == 1);
    BOOST_TEST(now.contention_at(2).per_byte == 2);
    BOOST_TEST(now.contention_at(3).per_byte == 3);
    BOOST_TEST(now.contention_at(3).latency == 1.25);
    BOOST_TEST(now.contention_at(4).per_byte == 4);
    BOOST_TEST(now.contention_at(8).per_byte == 4);  // as far as is known
    BOOST_TEST(now.contention_at(14).per_byte == 2);
    BOOST_TEST(now.contention_at(15).per_byte == 1);
    BOOST_TEST(now.mean_contention().per_byte == 7.0 / 3, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(without_distances_none_makes_a_difference) {
    call_parameters const now{.size = 16};
    BOOST_TEST((now.contention_at(5) == contention{}));
    BOOST_TEST((now.mean_contention() == contention{}));
}

BOOST_AUTO_TEST_CASE(a_latency_is_worth_so_many_bytes) {
    own_parameters now{4, 0};
    now.its.within_node = {.latency = 30e-6, .overhead = 10e-6, .gap = 10e-6, .per_byte = 8e-9};
    BOOST_TEST(now.bytes_per_latency() == 6250U);
    now.its.within_node.per_byte = 0;
    BOOST_TEST(now.bytes_per_latency() == std::numeric_limits<std::size_t>::max());
    now.its.within_node = {};
    BOOST_TEST(now.bytes_per_latency() == std::numeric_limits<std::size_t>::max());
}

BOOST_AUTO_TEST_CASE(bytes_are_no_more_than_there_can_be) {
    BOOST_TEST(whole_bytes(0.9) == 0U);
    BOOST_TEST(whole_bytes(4096.5) == 4096U);
    BOOST_TEST(whole_bytes(1e25) == std::numeric_limits<std::size_t>::max());
}

BOOST_AUTO_TEST_CASE(vectors_are_read_in_place_where_memory_is_lent_on_one_node) {
    BOOST_TEST((call_parameters{.size = 2, .lends_objects = true}.reads_in_place()));
    BOOST_TEST(!(call_parameters{.size = 2}.reads_in_place()));
    BOOST_TEST(!(call_parameters{.size = 2, .nodes = node_map::of_width(1), .lends_objects = true}.reads_in_place()));
    BOOST_TEST(!(call_parameters{.size = 1, .lends_objects = true}.reads_in_place()));
}

BOOST_AUTO_TEST_CASE(ranks_of_one_node_have_the_costs_of_a_node) {
    machine_model machine;
    machine.between_nodes.latency = 7;
    machine.within_node.latency = 3;
    machine.distances = {{1, 2}};
    call_parameters now{.size = 4, .bytes = 8};
    now.adopt(machine, "reduce");
    BOOST_TEST(now.link().latency == 3);
    BOOST_TEST(now.contention_at(1).per_byte == 2);
    now.nodes = node_map::of_width(2);
    BOOST_TEST(now.link().latency == 7);
    now.others_send = false;
    BOOST_TEST(now.contention_at(1).per_byte == 1);
}

BOOST_AUTO_TEST_CASE(messages_are_cut_between_nodes_only) {
    machine_model machine;
    machine.exchange_factor = 1.25;
    machine.exchange_factor_within_node = 1.5;
    machine.longest_message = 4096;
    call_parameters now{.size = 4, .bytes = 8};
    now.adopt(machine, "reduce");
    BOOST_TEST(now.longest_message() == std::numeric_limits<double>::max());
    BOOST_TEST(now.exchange_factor() == 1.5);
    now.nodes = node_map::of_width(2);
    BOOST_TEST(now.longest_message() == 4096);
    BOOST_TEST(now.exchange_factor() == 1.25);
}

BOOST_AUTO_TEST_CASE(messages_meet_others_of_the_round_before_between_nodes) {
    machine_model machine;
    machine.distances = {{1, 2}, {1, 3}};
    machine.partner_change_factor = 1.5;
    call_parameters now{.size = 4, .bytes = 8, .nodes = node_map::of_width(1)};
    now.adopt(machine, "reduce");
    BOOST_TEST(now.contention_at(2).per_byte == 3);
    BOOST_TEST(now.contention_of_changing_partners(1).per_byte == 3);
    BOOST_TEST(now.contention_of_changing_partners(2).per_byte == 4.5);
    // whatever they meet
    BOOST_TEST(now.contention_of_changing_partners(2, 1.25).per_byte == 4.5);
    BOOST_TEST(now.contention_of_changing_partners(2, 2).per_byte == 6);
    now.size = 3;  // from each to the next one
    BOOST_TEST(now.contention_of_changing_partners(2).per_byte == 2);
    now.size = 4;
    BOOST_TEST(now.change_of_distance() == 1.5);
    now.nodes = {};
    BOOST_TEST(now.change_of_distance() == 1);
}

BOOST_AUTO_TEST_CASE(processes_of_one_machine_have_memory_between_them_and_lend_nothing) {
    call_parameters now{.size = 4, .bytes = 8, .nodes = node_map{{0, 0, 1, 1}}, .lends_objects = true};
    BOOST_TEST((now.link() == now.machine->between_nodes));
    BOOST_TEST(!now.on_one_node());
    now.nodes = now.nodes.on_one_machine(true);
    BOOST_TEST((now.link() == now.machine->within_node));
    BOOST_TEST(now.on_one_node());
    BOOST_TEST(!now.reads_in_place());
    now.nodes = {};
    BOOST_TEST(now.reads_in_place());
}

BOOST_AUTO_TEST_SUITE_END()
