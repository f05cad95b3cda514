// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <tutti/analysis/simulate.hpp>
#include <tutti/generator/late_rank.hpp>
#include <tutti/learning/arrival_aware.hpp>

BOOST_AUTO_TEST_SUITE(learning_arrival_aware_late_rank)

using namespace tutti;
using selection::forecast::times;

namespace {

/// Of a message, in ns: 50 µs, and 8 ns a byte.
std::int64_t transfer(std::size_t length) { return 50'000 + 8 * static_cast<std::int64_t>(length); }
constexpr std::size_t bytes = std::size_t{4} << 20;

double simulated(std::size_t size, std::int64_t delay, std::size_t segments) {
    std::vector<double> arrivals(size, 0.0);
    arrivals.back() = static_cast<double>(delay);
    return simulate(collective::all_reduce{}, late_rank{.arrivals = arrivals, .segments = segments}, size, 0,
                    partition::equal(bytes, segments), cost_model::linear(50'000, 8, 0), arrivals)
        .makespan();
}

}  // namespace

BOOST_AUTO_TEST_CASE(is_the_simulation_in_lock_step_and_a_fifth) {
    for (std::size_t const size : {3U, 8U, 48U}) {
        for (std::int64_t const delay : {0, 10'000'000, 200'000'000}) {
            times arrivals(size, 0);
            arrivals.back() = delay;
            auto const ends = selection::forecast::end_of_late_rank(arrivals, transfer(bytes / 32), 32);
            BOOST_TEST(std::all_of(ends.begin(), ends.end(), [&](auto end) { return end == ends.front(); }));
            auto const exact = simulated(size, delay, 32);
            auto const forecast_end = static_cast<double>(ends.front());
            BOOST_TEST(forecast_end >= exact);
            BOOST_TEST(forecast_end <= 1.25 * exact);
        }
    }
}

BOOST_AUTO_TEST_CASE(no_other_number_of_segments_takes_much_less) {
    times const arrivals(48, 0);
    for (std::size_t const length : {std::size_t{1} << 17, bytes, std::size_t{1} << 25}) {
        auto const segments = selection::forecast::best_segments_of_late_rank(48, length, transfer(0), transfer(length) - transfer(0));
        auto const end_with = [&](std::size_t count) {
            return selection::forecast::end_of_late_rank(arrivals, transfer((length - 1) / count + 1), count).front();
        };
        auto const end = end_with(segments);
        for (std::size_t other = 1; other < 400; ++other) {
            BOOST_TEST(static_cast<double>(end) <= 1.01 * static_cast<double>(end_with(other)));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
