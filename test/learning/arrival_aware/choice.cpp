// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <support/expected_times.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/learning/arrival_aware.hpp>

BOOST_AUTO_TEST_SUITE(learning_arrival_aware_choice)

using namespace tutti;
using namespace tutti::selection;
using selection::choose_by_arrivals;
using selection::choose_obliviously;

namespace {

using times = std::vector<std::int64_t>;

/// 1 Gbit/s: 50 µs a message, 8 ns a byte.
own_parameters on_slow_links(std::size_t size, std::size_t bytes) {
    auto now = on_links(size, bytes, {.latency = 30e-6, .overhead = 10e-6, .gap = 20e-6, .per_byte = 8e-9});
    now.its.longest_message = std::numeric_limits<double>::infinity();
    return now;
}
constexpr std::size_t four_mib = std::size_t{4} << 20;
constexpr std::int64_t ms = 1'000'000;

process_arrival_pattern expect(times const& arrivals) { return {.arrivals = arrivals}; }

generators::arrival_choice choose(process_arrival_pattern const& expected, std::size_t bytes) {
    return choose_by_arrivals(expected, on_slow_links(expected.arrivals.size(), bytes));
}

process_arrival_pattern one_late(std::size_t size, std::int64_t delay) {
    times arrivals(size, 0);
    arrivals[1] = delay;
    return expect(arrivals);
}

std::string name(generators::arrival_choice const& choice) { return name_of(collective::all_reduce{}, choice); }

/// Mean time in the collective, ns, where every message takes what `costs` say and nothing overlaps.
template <class Generator>
double mean_elapsed(Generator const& generator, process_arrival_pattern const& actual, std::size_t bytes) {
    auto const size = actual.arrivals.size();
    auto const blocks = blocks_for(collective::all_reduce{}, generator, size, bytes);
    auto const line = simulate(collective::all_reduce{}, generator, size, 0, partition::equal(bytes, blocks),
                               cost_model::linear(50'000, 8, 0),
                               {actual.arrivals.begin(), actual.arrivals.end()});
    auto const total = std::accumulate(line.finish.begin(), line.finish.end(), 0.0);
    auto const before = std::accumulate(actual.arrivals.begin(), actual.arrivals.end(), 0.0);
    return (total - before) / static_cast<double>(size);
}

}  // namespace

BOOST_AUTO_TEST_CASE(nobody_is_late_so_nobody_goes_ahead) {
    for (std::size_t const size : {3U, 8U, 48U, 1000U}) {
        for (std::size_t const part : {30'000U, 100'000U}) {
            auto const expected = expect(times(size, 0));
            auto const now = on_slow_links(size, size * part);
            auto const choice = choose_by_arrivals(expected, now);
            auto const usual = choose_obliviously(now);
            BOOST_TEST((choice.algorithm == usual.generator || choice.algorithm == ring{}), name(choice));
            // every rank sends all but its part twice, 8 ns a byte
            BOOST_TEST(choice.after_last >= 2 * static_cast<std::int64_t>((size - 1) * part * 8));
            BOOST_TEST(choice.after_last <= 2 * static_cast<std::int64_t>((size - 1) * (50'000 + part * 8)));
        }
    }
}

BOOST_AUTO_TEST_CASE(one_rank_that_is_very_late_is_not_waited_for) {
    for (std::size_t const size : {3U, 8U, 48U, 256U}) {
        for (auto const delay : {100 * ms, 1000 * ms}) {
            auto const choice = choose(one_late(size, delay), four_mib);
            // round a ring of many ranks it is too far
            BOOST_TEST(name(choice) == (size < 256 ? "front_loaded_ring" : "late_rank"));
            // its vector needs 34 ms to get away
            BOOST_TEST(choice.after_last > 33 * ms);
            BOOST_TEST(choice.after_last < 50 * ms);
        }
    }
}

BOOST_AUTO_TEST_CASE(many_late_ranks_are_reduced_in_their_order) {
    times arrivals(48);
    for (std::size_t rank = 0; rank < arrivals.size(); ++rank) {
        arrivals[rank] = static_cast<std::int64_t>(rank * 37 % 48) * 2 * ms;
    }
    auto const choice = choose(expect(arrivals), four_mib);
    BOOST_TEST((choice.algorithm.as<front_loaded_ring>() != nullptr), name(choice));
}

BOOST_AUTO_TEST_CASE(delays_do_not_matter_for_short_vectors_and_pairs) {
    auto const check_oblivious = [](std::size_t size, std::size_t bytes) {
        auto const expected = one_late(size, 500 * ms);
        auto const usual = choose_obliviously(on_slow_links(size, bytes));
        BOOST_TEST(name(choose(expected, bytes)) == usual.generator.name());
    };
    for (std::size_t const bytes : {0U, 8U, 4096U, 64U * 1024U}) { check_oblivious(16, bytes); }
    check_oblivious(2, four_mib);
}

BOOST_AUTO_TEST_CASE(a_choice_is_what_it_has_chosen) {
    std::mt19937 random{3};
    for (int trial = 0; trial < 60; ++trial) {
        auto const size = 1 + random() % 20;
        times arrivals(size);
        for (auto& each : arrivals) { each = static_cast<std::int64_t>(random() % 100) * ms; }
        auto const bytes = std::size_t{1} << (10 + random() % 14);
        auto const choice = choose(expect(arrivals), bytes);
        auto const blocks = blocks_for(collective::all_reduce{}, choice, size, bytes);
        auto const verdict = verify(collective::all_reduce{}, choice, size, 0, partition::equal(bytes, blocks));
        BOOST_TEST(verdict.reason == "");
        BOOST_TEST((choice == choose(expect(arrivals), bytes)));
    }
}

// The model in which this is compared has no overlap at all, the forecast has some, so that they differ a little.
BOOST_AUTO_TEST_CASE(nothing_else_takes_much_less) {
    std::mt19937 random{5};
    for (int trial = 0; trial < 40; ++trial) {
        auto const size = 4 + random() % 9;
        times arrivals(size, 0);
        auto const spread = static_cast<std::int64_t>(1 + random() % 60);
        if (trial % 2 == 0) {
            arrivals[random() % size] = spread * ms;
        } else {
            for (auto& each : arrivals) { each = static_cast<std::int64_t>(random()) % (spread * ms); }
        }
        auto const expected = expect(arrivals);
        std::vector<double> const known(arrivals.begin(), arrivals.end());
        auto const tau = 50e3 + 8.0 * static_cast<double>(four_mib / size);
        auto now = on_slow_links(size, four_mib);
        now.its.between_nodes.gap = 50e-6;
        auto const chosen = choose_by_arrivals(expected, now);
        auto const found = mean_elapsed(chosen, expected, four_mib);
        auto const others = {
            mean_elapsed(ring{}, expected, four_mib),
            mean_elapsed(then(circulant{}, reverse(circulant{})), expected, four_mib),
            mean_elapsed(pre_reduced_ring{.arrivals = known, .tau = tau}, expected, four_mib),
            mean_elapsed(sorted_linear_tree{.arrivals = known}, expected, four_mib),
            mean_elapsed(front_loaded_ring{.arrivals = known}, expected, four_mib),
            mean_elapsed(front_loaded_ring{.arrivals = known, .sub_segments = 4, .started = 0}, expected, four_mib),
            mean_elapsed(late_rank{.arrivals = known, .segments = 32}, expected, four_mib)};
        BOOST_TEST(found <= 1.06 * std::min(others), name(chosen) << ' ' << found << " for trial " << trial
                                                                  << ", others take " << std::min(others));
    }
}

BOOST_AUTO_TEST_SUITE_END()
