// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#define BOOST_TEST_MODULE selection_forecast_circulant
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <tutti/analysis/simulate.hpp>
#include <tutti/selection/automatic.hpp>
#include <tutti/selection/forecast/circulant.hpp>

using namespace tutti;

namespace {

using times = std::vector<std::int64_t>;

/// A KiB takes 1000 ns more than nothing.
constexpr link_costs costs{.latency = 400, .gap = 400, .per_kib = 1000};

times simulated(times const& arrivals) {
    auto const size = arrivals.size();
    auto const line = simulate(collective::all_reduce{}, selection::circulant_all_reduce(), size, 0,
                               partition::equal(size, size), cost_model::linear(400, 1000, 0),
                               {arrivals.begin(), arrivals.end()});
    return {line.finish.begin(), line.finish.end()};
}

}  // namespace

BOOST_AUTO_TEST_CASE(is_exact_where_all_arrive_at_once) {
    for (std::size_t size = 2; size < 40; ++size) {
        times const arrivals(size, 70);
        BOOST_TEST(forecast::end_of_circulant(arrivals, costs, 1024 * size) == simulated(arrivals),
                   boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(one_late_rank_delays_all_by_what_it_is_late) {
    times arrivals(13, 0);
    auto const punctual = forecast::end_of_circulant(arrivals, costs, 13 * 1024);
    arrivals[4] = 1'000'000;
    auto const late = forecast::end_of_circulant(arrivals, costs, 13 * 1024);
    for (std::size_t rank = 0; rank < 13; ++rank) { BOOST_TEST(late[rank] <= punctual[rank] + 1'000'000); }
    BOOST_TEST(late[4] == punctual[4] + 1'000'000);
}

BOOST_AUTO_TEST_CASE(is_near_the_simulation_whoever_is_late) {
    std::mt19937 random{7};
    for (int trial = 0; trial < 200; ++trial) {
        times arrivals(2 + random() % 30);
        for (auto& each : arrivals) { each = static_cast<std::int64_t>(random() % 40'000); }
        auto const ends = forecast::end_of_circulant(arrivals, costs, 1024 * arrivals.size());
        auto const exact = simulated(arrivals);
        for (std::size_t rank = 0; rank < arrivals.size(); ++rank) {
            BOOST_TEST(static_cast<double>(ends[rank]) <= 1.25 * static_cast<double>(exact[rank]));
            BOOST_TEST(static_cast<double>(ends[rank]) >= 0.8 * static_cast<double>(exact[rank]));
        }
    }
}
