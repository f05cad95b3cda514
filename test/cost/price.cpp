// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>

#include <support/expected_times.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/cost/price.hpp>
#include <tutti/generator/bucket.hpp>
#include <tutti/generator/butterfly.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/direct_exchange.hpp>
#include <tutti/generator/linear.hpp>
#include <tutti/generator/pattern/tree/greedy.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/ported_circulant.hpp>
#include <tutti/generator/postal_tree.hpp>
#include <tutti/generator/recursive_multiplying.hpp>
#include <tutti/generator/ring.hpp>
#include <tutti/generator/round_optimal.hpp>
#include <tutti/generator/split.hpp>
#include <tutti/generator/two_tree.hpp>

BOOST_AUTO_TEST_SUITE(cost_price)

using namespace tutti;
using namespace tutti::pricing;
using namespace tutti::generators;

namespace {

own_parameters example() {
    auto now = on_links(8, 100, {.latency = 30, .overhead = 10, .gap = 12, .per_byte = 2});
    now.combine_per_byte = 0.5;
    return now;
}

/// What 16 MiB take where `factor` is `value`, beside what they take where it is 1.
template <class Collective, class Generator>
double times_as_long(Collective which, Generator const& generator, std::size_t size, double machine_model::*factor,
                     double value) {
    auto now = on_ethernet(size, 1 << 24);
    auto const before = expected_time(which, generator, now);
    now.its.*factor = value;
    return expected_time(which, generator, now) / before;
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

BOOST_AUTO_TEST_CASE(vectors_read_in_place_take_one_pass_to_combine_and_one_to_copy) {
    auto const time_with = [](std::size_t bytes, double combine_per_byte) {
        auto now = on_ethernet(2, bytes);
        now.nodes = node_map{};
        now.lends_objects = true;
        now.combine_per_byte = combine_per_byte;
        return expected_time(collective::all_reduce{}, direct_exchange{}, now);
    };
    BOOST_TEST(time_with(1000, 0.001) == 2 * 50 + 1000 * 0.008, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(time_with(1000, 0.02) == 2 * 50 + 500 * 0.02 + 500 * 0.008, boost::test_tools::tolerance(1e-9));
    // in four stretches
    BOOST_TEST(time_with(1 << 21, 0) == 8 * 50 + (1 << 21) * 0.008, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_reversal_takes_as_long_if_nothing_is_combined) {
    auto const now = on_ethernet(12, 5000);
    BOOST_TEST(expected_time(collective::broadcast{}, reverse(two_tree{.segments = 3}), now) ==
               expected_time(collective::reduce{}, two_tree{.segments = 3}, now));
    auto combines = now;
    combines.combine_per_byte = 1;
    BOOST_TEST(expected_time(collective::broadcast{}, reverse(two_tree{.segments = 3}), combines) ==
               expected_time(collective::reduce{}, two_tree{.segments = 3}, now));
    BOOST_TEST(expected_time(collective::reduce{}, two_tree{.segments = 3}, combines) >
               expected_time(collective::reduce{}, two_tree{.segments = 3}, now));
}

// Only ranks that send to each other can get in each other's way.
BOOST_AUTO_TEST_CASE(half_duplex_links_slow_down_exchanges) {
    auto const slowdown = [](auto which, auto const& generator, std::size_t size) {
        return times_as_long(which, generator, size, &machine_model::exchange_factor, 2);
    };
    constexpr collective::all_reduce all_reduce;
    constexpr collective::reduce reduce;
    auto const roughly = boost::test_tools::tolerance(0.01);
    BOOST_TEST(slowdown(all_reduce, split{.halvings = 4}, 16) == 2, roughly);
    BOOST_TEST(slowdown(all_reduce, ring{}, 16) == 1, roughly);
    BOOST_TEST(slowdown(all_reduce, ring{}, 2) == 2, roughly);
    BOOST_TEST(slowdown(collective::reduce_scatter{}, bucket{}, 3) == 1, roughly);
    BOOST_TEST(slowdown(reduce, butterfly{}, 16) == 1.5, roughly);
    BOOST_TEST(slowdown(reduce, pipeline{.segments = 64}, 2) == 1, roughly);
}

// Where ranks send to the same one all the time, nothing of another round can be in the way.
BOOST_AUTO_TEST_CASE(changes_of_distance_slow_down_rounds) {
    auto const slowdown = [](auto which, auto const& generator, std::size_t size) {
        return times_as_long(which, generator, size, &machine_model::partner_change_factor, 1.44);
    };
    constexpr collective::all_reduce all_reduce;
    constexpr collective::reduce reduce;
    auto const roughly = boost::test_tools::tolerance(0.01);
    BOOST_TEST(slowdown(all_reduce, ring{}, 16) == 1, roughly);
    BOOST_TEST(slowdown(collective::reduce_scatter{}, bucket{}, 16) == 1, roughly);
    BOOST_TEST(slowdown(reduce, pipeline{.segments = 64}, 16) == 1, roughly);
    BOOST_TEST(slowdown(all_reduce, split{.halvings = 4}, 16) == 1.44, roughly);
    BOOST_TEST(slowdown(all_reduce, recursive_multiplying{.radix = 2}, 16) == 1.44, roughly);
    BOOST_TEST(slowdown(all_reduce, then(circulant{}, reverse(circulant{})), 16) == 1.44, roughly);
    BOOST_TEST(slowdown(reduce, butterfly{}, 16) == 1.44, roughly);
    BOOST_TEST(slowdown(reduce, two_tree{.segments = 512}, 16) > 1.1);
    BOOST_TEST(slowdown(reduce, round_optimal{.segments = 4096}, 16) > 1.1);
    BOOST_TEST(slowdown(collective::broadcast{}, reverse(two_tree{.segments = 512}), 16) > 1.1);
}

BOOST_AUTO_TEST_CASE(one_rank_takes_no_time) {
    BOOST_TEST(expected_time(collective::reduce{}, pipeline{.segments = 3}, on_ethernet(1, 100)) == 0);
}

BOOST_AUTO_TEST_CASE(more_bytes_take_no_less) {
    for (std::size_t const size : {2U, 5U, 16U, 100U}) {
        double before = 0;
        for (std::size_t bytes = 1; bytes < (1U << 26); bytes *= 3) {
            auto const now = on_ethernet(size, bytes);
            auto const time = expected_time(collective::reduce_scatter{}, ported_circulant{.ports = 3}, now);
            BOOST_TEST(time >= before);
            before = time;
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
