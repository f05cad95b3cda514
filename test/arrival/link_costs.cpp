// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>

#include <tutti/arrival/link_costs.hpp>

BOOST_AUTO_TEST_SUITE(arrival_link_costs)

BOOST_AUTO_TEST_CASE(a_message_costs_its_latency_and_its_length) {
    constexpr tutti::link_costs costs{.latency = 50'000, .gap = 10'000, .per_kib = 8192};
    static_assert(costs.transfer(0) == 50'000);
    static_assert(costs.interval(0) == 10'000);
    BOOST_TEST(costs.transfer(1024) == 58'192);
    BOOST_TEST(costs.transfer(1) == 50'008);
    BOOST_TEST(costs.transfer(1536) == 50'000 + 8192 + 4096);
    BOOST_TEST(costs.interval(4096) == 10'000 + 4 * 8192);
}

BOOST_AUTO_TEST_CASE(nothing_costs_no_time) {
    constexpr tutti::link_costs nothing{.latency = 0, .gap = 0, .per_kib = 0};
    BOOST_TEST(nothing.transfer(1 << 20) == 1);
    BOOST_TEST(nothing.interval(0) == 1);
    BOOST_TEST(tutti::link_costs{}.transfer(0) == 1);
}

BOOST_AUTO_TEST_CASE(long_messages_do_not_overflow) {
    constexpr tutti::link_costs slow{.latency = 1'000'000, .gap = 1, .per_kib = 1'000'000};
    constexpr auto tebibyte = std::size_t{1} << 40U;
    BOOST_TEST(slow.transfer(tebibyte) == 1'000'000 + (std::int64_t{1} << 30U) * 1'000'000);
}

BOOST_AUTO_TEST_SUITE_END()
