// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <tutti/analysis/simulate.hpp>
#include <tutti/generator/front_loaded_ring.hpp>
#include <tutti/generator/pre_reduced_ring.hpp>
#include <tutti/generator/ring_of_starts.hpp>
#include <tutti/generator/sorted_linear_tree.hpp>
#include <tutti/learning/arrival_aware.hpp>

BOOST_AUTO_TEST_SUITE(learning_arrival_aware_ring_family)

using namespace tutti;
using namespace tutti::generators;
using selection::forecast::times;

namespace {

/// A message takes one unit, and keeps the next one waiting as long.
constexpr std::int64_t unit = 1;

times simulated(ring_of_starts const& ring, times const& arrivals) {
    auto const blocks = ring.starts.back() + 1;
    auto const line = simulate(collective::all_reduce{}, ring, arrivals.size(), 0, partition::equal(blocks, blocks),
                               cost_model::unit(), {arrivals.begin(), arrivals.end()});
    return {line.finish.begin(), line.finish.end()};
}

template <class Generator>
times of(Generator const& generator, times const& arrivals) {
    return selection::forecast::end_of_ring(ring_by_arrival(generator, arrivals.size()).starts, arrivals, unit, unit);
}

ring_of_starts random_ring(std::size_t size, std::mt19937& random) {
    std::vector<std::size_t> starts(size);
    auto const segments = size + random() % (2 * size);
    for (auto& each : starts) { each = random() % segments; }
    starts.back() = segments - 1;
    std::sort(starts.begin(), starts.end());
    return {starts};
}

times random_arrivals(std::size_t size, std::mt19937& random) {
    times arrivals(size);
    auto const spread = 1 + random() % 50;
    for (auto& each : arrivals) { each = static_cast<std::int64_t>(random() % spread); }
    std::sort(arrivals.begin(), arrivals.end());
    return arrivals;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_ring_takes_two_times_one_less_than_the_ranks) {
    for (std::size_t size = 2; size < 20; ++size) {
        auto const ends = of(pre_reduced_ring{}, times(size, 5));
        BOOST_TEST(ends == times(size, 5 + 2 * (static_cast<std::int64_t>(size) - 1)),
                   boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(published_and_corrected_examples) {
    std::vector<double> const late{0, 0, 0, 2};
    BOOST_TEST(of(pre_reduced_ring{.arrivals = late}, {0, 0, 0, 2}) == (times{8, 8, 8, 7}),
               boost::test_tools::per_element());
    std::int64_t const size = 12;
    for (std::int64_t const delay : {12, 20, 100}) {
        times arrivals(static_cast<std::size_t>(size), 0);
        arrivals.back() = delay;
        for (std::int64_t const sub_segments : {2, 4}) {
            auto const segments = sub_segments * size;
            auto const makespan = [&](std::size_t started) {
                auto const ends =
                    of(front_loaded_ring{.sub_segments = static_cast<std::size_t>(sub_segments), .started = started},
                       arrivals);
                return *std::max_element(ends.begin(), ends.end());
            };
            BOOST_TEST(makespan(1) <= std::max(2 * segments - 2, delay + segments + size - 2));
            BOOST_TEST(makespan(1) >= delay + segments + size - 2);
            BOOST_TEST(makespan(0) <= std::max(2 * segments + size - 3, delay + segments + size - 1));
        }
    }
}

BOOST_AUTO_TEST_CASE(is_never_later_than_where_receives_wait_and_never_earlier_than_anything_can_be) {
    std::mt19937 random{3};
    std::size_t equal = 0;
    std::size_t all = 0;
    for (int trial = 0; trial < 300; ++trial) {
        auto const size = 2 + random() % 11;
        auto const ring = random_ring(size, random);
        auto const arrivals = random_arrivals(size, random);
        auto const ends = selection::forecast::end_of_ring(ring.starts, arrivals, unit, unit);
        auto const slower = simulated(ring, arrivals);
        auto const least = arrivals.back() + static_cast<std::int64_t>(ring.starts.back() + 1 + size) - 2;
        BOOST_TEST(*std::max_element(ends.begin(), ends.end()) >= least);
        for (std::size_t p = 0; p < size; ++p) {
            BOOST_TEST(ends[p] <= slower[p]);
            equal += ends[p] == slower[p] ? 1U : 0U;
            ++all;
        }
    }
    BOOST_TEST(2 * equal > all);
}

BOOST_AUTO_TEST_CASE(messages_that_follow_one_another_share_their_latency) {
    auto const tree = ring_by_arrival(sorted_linear_tree{.segments = 20}, 2).starts;
    // 20 messages one way, the result back as each is complete
    auto const ends = selection::forecast::end_of_ring(tree, {0, 0}, 150, 110);
    BOOST_TEST(ends[0] == 19 * 110 + 150 + 150);
}

BOOST_AUTO_TEST_SUITE_END()
