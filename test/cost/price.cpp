// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>

#include <support/expected_times.hpp>
#include <tutti/cost/price.hpp>

BOOST_AUTO_TEST_SUITE(cost_price)

using namespace tutti;
using namespace tutti::pricing;

namespace {

own_parameters example() {
    auto now = on_links(8, 100, {.latency = 30, .overhead = 10, .gap = 12, .per_byte = 2});
    now.combine_per_byte = 0.5;
    return now;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_message_takes_its_latency_its_length_and_its_combine) {
    auto const costs = message_costs::combining(example());
    BOOST_TEST(costs.latency() == 50);
    BOOST_TEST(costs.transmission(100) == 200);
    BOOST_TEST(costs.combine(100) == 50);
    BOOST_TEST(costs.one_way(100) == 300);
    BOOST_TEST(message_costs::transfer_only(example()).one_way(100) == 250);
}

BOOST_AUTO_TEST_CASE(what_is_combined_in_place_takes_the_longer_of_both) {
    auto lent = example();
    lent.nodes = node_map{};
    lent.lends_objects = true;
    BOOST_TEST(message_costs::combining_lent(lent).one_way(100) == 50 + 200);
    lent.combine_per_byte = 3;
    BOOST_TEST(message_costs::combining_lent(lent).one_way(100) == 50 + 300);
    lent.lends_objects = false;
    BOOST_TEST(message_costs::combining_lent(lent).one_way(100) == 50 + 200 + 300);
}

BOOST_AUTO_TEST_CASE(messages_in_pieces_are_combined_while_they_come) {
    auto in_pieces = example();
    in_pieces.its.longest_message = 25;
    BOOST_TEST(message_costs::combining(in_pieces).one_way(25) == 50 + 50 + 12.5);
    BOOST_TEST(message_costs::combining(in_pieces).one_way(100) == 50 + 200 + 50 / 4.0);
    in_pieces.combine_per_byte = 4;
    BOOST_TEST(message_costs::combining(in_pieces).exchange(100) == 50 + 400 + 200 / 4.0);
    BOOST_TEST(message_costs::combining(in_pieces).without_combines().exchange(100) == 50 + 200);
    BOOST_TEST(message_costs::combining(in_pieces).whole().exchange(100) == 50 + 200 + 400);
    // several such messages come side by side
    BOOST_TEST(message_costs::combining(in_pieces).round(3, 100) == 500 + 2 * (200 + 400));
    // in shared memory it is the receiver that moves them
    in_pieces.nodes = node_map{};
    BOOST_TEST(message_costs::combining(in_pieces).one_way(100) == 50 + 200 + 400);
}

BOOST_AUTO_TEST_CASE(messages_follow_one_another_as_closely_as_link_and_processor_let_them) {
    auto const costs = message_costs::combining(example());
    BOOST_TEST(costs.gap(1) == 12);     // the gap
    BOOST_TEST(costs.gap(100) == 200);  // their length
    auto slow = example();
    slow.combine_per_byte = 5;
    BOOST_TEST(message_costs::combining(slow).gap(100) == 510);  // overhead and combine
    BOOST_TEST(costs.stage(1) == 20.5);                          // one received, one sent
    BOOST_TEST(costs.stage(100) == 200);
    BOOST_TEST(costs.stage(100, 1.5) == 300);
    BOOST_TEST(message_costs::combining(slow).stage(100, 2) == 2 * 10 + 2 * 500);
    auto in_pairs = example();  // what comes and what goes are not of one pair
    in_pairs.its.exchange_factor = 2;
    BOOST_TEST(message_costs::combining(in_pairs).stage(100) == 200);
    BOOST_TEST(costs.round(3, 100) == 700);
    BOOST_TEST(costs.round(1, 100) == costs.one_way(100));
    // two that exchange messages, and all others
    BOOST_TEST(message_costs::combining(in_pairs).exchange(100, {.per_byte = 1.5}) == 50 + 400 + 50);
    BOOST_TEST(message_costs::combining(in_pairs).exchange(100, {.per_byte = 3}) == 50 + 600 + 50);
    // with many short ones the last has been sent long after the first has come
    BOOST_TEST(costs.round(10, 0) == 100 + 9 * 12 + 10);
}

BOOST_AUTO_TEST_CASE(crowds_are_slower) {
    auto const costs = message_costs::transfer_only(example());
    contention const factors{.latency = 2, .per_byte = 3, .overhead = 4};
    BOOST_TEST(costs.latency(factors) == 100);
    BOOST_TEST(costs.transmission(100, factors) == 600);
    BOOST_TEST(costs.one_way(100, factors) == 700);
    BOOST_TEST(costs.gap(0, factors) == 4 * 12);
    BOOST_TEST(costs.stage(0, 1, factors) == 4 * 2 * 10);
    // a processor that is shared comes late in three of four cases
    BOOST_TEST(costs.stage(100, 1, {.latency = 1, .per_byte = 1, .overhead = 4}) == 200 + 0.75 * 80);
    BOOST_TEST(costs.round(10, 0, factors) == std::max(90, 4 * 10 * 10) + 9 * 4 * 12 + 10);
}

BOOST_AUTO_TEST_CASE(logarithms_are_rounded_up) {
    BOOST_TEST(log2_of(1) == 0);
    BOOST_TEST(log2_of(2) == 1);
    BOOST_TEST(log2_of(5) == 3);
    BOOST_TEST(log2_of(8) == 3);
}

BOOST_AUTO_TEST_SUITE_END()
