// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <ostream>

#include <support/expected_times.hpp>
#include <tutti/generator/split.hpp>

BOOST_AUTO_TEST_SUITE(generator_pattern_hypercube_halving_cost)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::pricing;

namespace {

/// A message takes 10, and a byte 1.
own_parameters example(std::size_t size, std::size_t bytes, double combine = 0) {
    auto now = on_links(size, bytes, {.latency = 10, .overhead = 0, .gap = 0, .per_byte = 1});
    now.combine_per_byte = combine;
    return now;
}

struct times {
    double reduce_scatter_time, all_gather_time, scan_return_time;
    friend bool operator==(times const&, times const&) = default;
    friend std::ostream& operator<<(std::ostream& out, times const& t) {
        return out << t.reduce_scatter_time << ' ' << t.all_gather_time << ' ' << t.scan_return_time;
    }
};
times of(std::size_t size, std::size_t bytes, std::size_t halvings, double combine = 0) {
    auto const now = example(size, bytes, combine);
    auto const costs = message_costs::combining(now);
    halving_cost const levels{halvings, costs, now};
    return {levels.reduce_scatter_time(), levels.all_gather_time(), levels.scan_return_time()};
}

}  // namespace

BOOST_AUTO_TEST_CASE(powers_of_two_halve_and_then_exchange) {
    BOOST_TEST(of(8, 64, 0) == (times{74 + 74 + 74, 0, 0}));
    BOOST_TEST(of(8, 64, 1) == (times{42 + 42 + 42, 42, 42}));
    BOOST_TEST(of(8, 64, 3) == (times{42 + 26 + 18, 42 + 26 + 18, 42 + 26 + 18}));
    BOOST_TEST(of(1, 64, 0) == (times{0, 0, 0}));
}

BOOST_AUTO_TEST_CASE(several_vectors_may_go_back_in_one_message) {
    auto const now = example(8, 64);
    auto const costs = message_costs::combining(now);
    BOOST_TEST((halving_cost{3, costs, now}.all_gather_time(2)) == 10 + 64 + 10 + 32 + 10 + 16);
}

BOOST_AUTO_TEST_CASE(what_goes_back_is_not_combined) {
    BOOST_TEST(of(4, 64, 1, 100) == (times{42 + 3200 + 42 + 3200, 42, 42}));
}

// Ranks 0 and 1 are a leaf each, ranks 2 to 4 two leaves each.
BOOST_AUTO_TEST_CASE(a_pair_at_the_border_comes_first_and_then_what_others_do_for_two) {
    BOOST_TEST(of(5, 64, 1) == (times{42 + 74 + 74, 42, 0}));
    // on the way back the second half has but one level of messages, while the first one is still exchanging
    BOOST_TEST(of(5, 64, 2) == (times{42 + 42 + 42, 42 + 42, 42 + 42 - 32}));
}

// Ranks 0 to 3 are a leaf each, ranks 4 and 5 two leaves each: the halves meet in the last level.
BOOST_AUTO_TEST_CASE(groups_of_one_kind_wait_for_the_slower_one_where_they_meet) {
    BOOST_TEST(of(6, 64, 2) == (times{42 + 26 + 42, 42 + 26, 42}));
    BOOST_TEST(of(6, 64, 3) == (times{42 + 26 + 26, 42 + 26 + 26, 42 + 26 + 26 - 16}));
}

// All but the last rank are a leaf each: the half that has both kinds is the upper one.
BOOST_AUTO_TEST_CASE(scans_wait_for_an_upper_half_of_both_kinds) {
    BOOST_TEST(of(7, 64, 2) == (times{42 + 42 + 42, 42 + 42, 42 + 42}));
}

BOOST_AUTO_TEST_CASE(pairs_that_fold_take_a_message_each_way_more) {
    BOOST_TEST(of(5, 64, 0) == (times{74 * 3, 74, 74}));
    BOOST_TEST(of(7, 64, 0) == (times{74 * 3, 74, 74}));
}

BOOST_AUTO_TEST_CASE(far_levels_go_by_what_far_messages_cost) {
    auto now = example(4, 64);
    now.its.distances = {{1, 1, 1}, {2, 3, 1}};
    auto const costs = message_costs::combining(now);
    BOOST_TEST((halving_cost{2, costs, now}.reduce_scatter_time()) == 42 + 20 + 3 * 16);
}

BOOST_AUTO_TEST_SUITE_END()
