// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <tutti/arrival/earlier_arrivals.hpp>

BOOST_AUTO_TEST_SUITE(arrival_earlier_arrivals)

using tutti::monitoring::earlier_arrivals;
using times = earlier_arrivals::times;

namespace {

constexpr std::int64_t ms = 1'000'000;

/// Calls to which ranks come as `of(call)` says, of 70 ms, of which what goes by arrivals gains up to half of what the
/// last rank is late; gives whether each call relied on its forecast.
std::vector<bool> confident(std::size_t calls, std::function<times(std::size_t)> const& of) {
    earlier_arrivals all;
    std::vector<bool> result;
    for (std::size_t i = 0; i != calls; ++i) {
        auto const expected = all.expected().arrivals;
        std::int64_t late = 0;
        for (auto const each : expected) { late = std::max(late, each); }
        result.push_back(!expected.empty() && all.judge(std::min(late / 2, 33 * ms), 70 * ms));
        all.ended(all.must_know() ? of(i) : times{});
    }
    return result;
}

times one_late(std::size_t rank, std::int64_t by) {
    times result(8, 5 * ms);
    result[rank] += by;
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_rank_that_is_always_late_is_expected_from_the_third_call_on) {
    auto const all = confident(20, [](std::size_t) { return one_late(3, 50 * ms); });
    BOOST_TEST(!all[0]);
    BOOST_TEST(!all[1]);
    for (std::size_t i = 2; i != all.size(); ++i) { BOOST_TEST(all[i]); }
}

BOOST_AUTO_TEST_CASE(nobody_is_believed_to_be_late_where_two_ranks_are_in_turn) {
    for (bool const each : confident(50, [](std::size_t i) { return one_late(3 + i % 2, 50 * ms); })) {
        BOOST_TEST(!each);
    }
}

BOOST_AUTO_TEST_CASE(small_delays_are_not_worth_it) {
    for (bool const each : confident(50, [](std::size_t) { return one_late(3, 5 * ms); })) { BOOST_TEST(!each); }
}

BOOST_AUTO_TEST_CASE(one_call_that_is_disturbed_is_forgotten) {
    auto const all = confident(20, [](std::size_t i) { return one_late(i == 10 ? 5 : 3, 50 * ms); });
    BOOST_TEST(all[10]);
    BOOST_TEST(!all[11]);  // the forecast was wrong by more than it gains
    BOOST_TEST(all[12]);   // and the median is still right
}

BOOST_AUTO_TEST_CASE(where_nobody_is_late_ranks_tell_each_other_less_and_less_often) {
    earlier_arrivals all;
    std::size_t exchanged = 0;
    for (std::size_t i = 0; i != 160; ++i) {
        if (!all.expected().arrivals.empty()) { BOOST_TEST(!all.judge(0, 70 * ms)); }
        exchanged += all.must_know() ? 1 : 0;
        all.ended(all.must_know() ? times(8, 7 * ms) : times{});
    }
    BOOST_TEST(exchanged >= 5U);
    BOOST_TEST(exchanged <= 8U);  // the first three, then after 16, 32, 64 calls
}

BOOST_AUTO_TEST_CASE(what_begins_later_is_noticed) {
    auto const all = confident(100, [](std::size_t i) { return one_late(3, i < 40 ? 0 : 50 * ms); });
    BOOST_TEST(!all[40]);
    BOOST_TEST(all[99]);
}

BOOST_AUTO_TEST_CASE(delays_are_after_the_earliest_rank) {
    earlier_arrivals all;
    all.ended({1'000'007, 1'000'000, 1'000'005});
    BOOST_TEST((all.expected().arrivals == times{7, 0, 5}));
    earlier_arrivals in_turn;  // each is late in two of three calls
    in_turn.ended({0, 7, 5});
    in_turn.ended({7, 0, 5});
    in_turn.ended({7, 7, 0});
    BOOST_TEST((in_turn.expected().arrivals == times{2, 2, 0}));
}

BOOST_AUTO_TEST_SUITE_END()
