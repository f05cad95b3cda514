// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>

#include <tutti/arrival/link_costs.hpp>

BOOST_AUTO_TEST_SUITE(arrival_link_costs)

BOOST_AUTO_TEST_CASE(a_message_costs_its_latency_and_its_length) {
    constexpr tutti::monitoring::link_costs costs{.latency = 50'000, .gap = 10'000, .per_kib = 8192};
    static_assert(costs.transfer(0) == 50'000);
    static_assert(costs.interval(0) == 10'000);
    BOOST_TEST(costs.transfer(1024) == 58'192);
    BOOST_TEST(costs.transfer(1) == 50'008);
    BOOST_TEST(costs.transfer(1536) == 50'000 + 8192 + 4096);
    BOOST_TEST(costs.interval(4096) == 10'000 + 4 * 8192);
}

BOOST_AUTO_TEST_CASE(nothing_costs_no_time) {
    constexpr tutti::monitoring::link_costs nothing{.latency = 0, .gap = 0, .per_kib = 0};
    BOOST_TEST(nothing.transfer(1 << 20) == 1);
    BOOST_TEST(nothing.interval(0) == 1);
    BOOST_TEST(tutti::monitoring::link_costs{}.transfer(0) == 1);
}

BOOST_AUTO_TEST_CASE(long_messages_do_not_overflow) {
    constexpr tutti::monitoring::link_costs slow{.latency = 1'000'000, .gap = 1, .per_kib = 1'000'000};
    constexpr auto tebibyte = std::size_t{1} << 40U;
    BOOST_TEST(slow.transfer(tebibyte) == 1'000'000 + (std::int64_t{1} << 30U) * 1'000'000);
}

using tutti::monitoring::link_costs;
using tutti::monitoring::cost_feedback;

namespace {

constexpr link_costs measured{.latency = 4000, .gap = 1600, .per_kib = 800};

}  // namespace

BOOST_AUTO_TEST_CASE(a_quarter_of_what_was_seen_is_believed) {
    cost_feedback costs{measured, false};
    BOOST_TEST((costs.costs() == measured));
    costs.learn(150, 100);
    BOOST_TEST((costs.costs() == link_costs{.latency = 4500, .gap = 1800, .per_kib = 900}));
    costs.learn(100, 100);
    BOOST_TEST((costs.costs() == link_costs{.latency = 4500, .gap = 1800, .per_kib = 900}));
}

BOOST_AUTO_TEST_CASE(one_collective_counts_as_twice_or_half_at_most) {
    cost_feedback slow{measured, false};
    slow.learn(1'000'000, 100);
    BOOST_TEST((slow.costs() == link_costs{.latency = 5000, .gap = 2000, .per_kib = 1000}));
    cost_feedback fast{measured, false};
    fast.learn(1, 100);
    BOOST_TEST((fast.costs() == link_costs{.latency = 3500, .gap = 1400, .per_kib = 700}));
}

BOOST_AUTO_TEST_CASE(what_always_takes_three_times_as_long_is_learnt) {
    cost_feedback costs{measured, false};
    for (int i = 0; i < 40; ++i) { costs.learn(3 * measured.latency, costs.costs().latency); }
    BOOST_TEST(costs.costs().latency > 2 * measured.latency * 14 / 10);
    BOOST_TEST(costs.costs().latency <= 3 * measured.latency);
}

BOOST_AUTO_TEST_CASE(costs_stay_near_what_was_measured_and_above_zero) {
    cost_feedback costs{measured, false};
    for (int i = 0; i < 100; ++i) { costs.learn(200, 100); }
    BOOST_TEST((costs.costs() == link_costs{.latency = 64'000, .gap = 25'600, .per_kib = 12'800}));
    for (int i = 0; i < 100; ++i) { costs.learn(1, 100); }
    BOOST_TEST((costs.costs() == link_costs{.latency = 250, .gap = 100, .per_kib = 50}));
    cost_feedback tiny{{.latency = 1, .gap = 1, .per_kib = 1}, false};
    for (int i = 0; i < 100; ++i) { tiny.learn(1, 100); }
    BOOST_TEST((tiny.costs() == link_costs{.latency = 1, .gap = 1, .per_kib = 1}));
}

BOOST_AUTO_TEST_CASE(nothing_is_learnt_from_what_is_not_known_or_when_costs_are_given) {
    cost_feedback costs{measured, false};
    costs.learn(0, 100);
    costs.learn(100, 0);
    costs.learn(-5, 100);
    BOOST_TEST((costs.costs() == measured));
    cost_feedback given{measured, true};
    given.learn(200, 100);
    BOOST_TEST((given.costs() == measured));
}

BOOST_AUTO_TEST_SUITE_END()
