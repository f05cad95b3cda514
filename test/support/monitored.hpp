// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// What every exchange of a monitor must do, on a rank of any world.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <support/ranks.hpp>
#include <tutti/arrival/monitor.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/barrier.hpp>
#include <tutti/operation/minmax.hpp>

namespace support {

inline void compute_for(std::chrono::microseconds time) { std::this_thread::sleep_for(time); }

/// Whether all ranks give the same; they enter together.
template <class World>
[[nodiscard]] bool all_agree(World& world, std::vector<std::int64_t> const& values) {
    std::int64_t digest = 1;
    for (auto const each : values) { digest = (digest * 31 + each) % 1'000'000'007; }
    std::vector<std::int64_t> extremes{digest, -digest};
    tutti::all_reduce(world, tutti::inplace(extremes), tutti::maximum<>{});
    return extremes[0] == -extremes[1];
}

[[nodiscard]] inline std::vector<std::int64_t> numbers_of(tutti::process_arrival_pattern const& pattern) {
    std::vector<std::int64_t> result{static_cast<std::int64_t>(pattern.iteration),
                                     static_cast<std::int64_t>(pattern.time_scale.value() * 65536)};
    result.insert(result.end(), pattern.arrivals.begin(), pattern.arrivals.end());
    return result;
}

/// Ends the iteration, and looks at the pattern as all ranks have it.
template <class World>
tutti::process_arrival_pattern checked_pattern(World& world, tutti::arrival_monitor& monitor, std::uint64_t iteration) {
    auto const pattern = monitor.pattern();
    auto const size = static_cast<std::size_t>(size_of(world));
    check_equal(pattern.iteration, iteration, "iteration");
    check_equal(pattern.arrivals.size(), size, "arrivals");
    check_equal(*std::min_element(pattern.arrivals.begin(), pattern.arrivals.end()), 0, "the earliest arrival");
    check(all_agree(world, numbers_of(pattern)), "all ranks have the same pattern");
    return pattern;
}

/// Ranks that compute for a while, and say so or not, as each of them pleases.
template <class World>
void check_random_iterations(World& world, tutti::monitoring::arrival_options const& how, unsigned seed,
                             int count = 12) {
    tutti::arrival_monitor monitor{world, how};
    std::minstd_rand luck{seed + 17U * static_cast<unsigned>(rank_of(world))};
    auto const one_in = [&](unsigned n) { return luck() / 16 % n == 0; };
    for (int iteration = 0; iteration < count; ++iteration) {
        if (!one_in(4)) { monitor.begin_compute(); }
        for (int edge = 0; !one_in(3); ++edge) {
            compute_for(std::chrono::microseconds{luck() % 1000});
            monitor.edge(edge == 0 ? 0.3 : edge == 1 ? 0.6 : 0);
        }
        if (!one_in(4)) { compute_for(std::chrono::microseconds{luck() % 3000}); }
        if (!one_in(3)) { monitor.end_compute(); }
        static_cast<void>(checked_pattern(world, monitor, static_cast<std::uint64_t>(iteration)));
        if (!one_in(4)) {
            monitor.predicted(100'000);
            monitor.finished();
        }
    }
}

/// One rank is late and stands last, told by an edge or by how long it took last time. A machine with fewer processors
/// than ranks may delay others as much: then nothing is checked.
template <class World>
void check_late_rank(World& world, tutti::monitoring::arrival_options const& how, bool with_edges) {
    using namespace std::chrono;
    auto const now = [] { return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count(); };
    constexpr std::int64_t margin = 20'000'000;
    tutti::arrival_monitor monitor{world, how};
    auto const size = size_of(world);
    std::int64_t last_duration = 0;
    for (int iteration = 0; iteration < 3; ++iteration) {
        auto const late = with_edges ? iteration % size : size - 1;
        auto const is_late = rank_of(world) == late;
        tutti::barrier(world);
        auto const begun = now();
        monitor.begin_compute();
        compute_for(milliseconds{10});
        auto expected = begun + last_duration;
        if (with_edges && is_late) {
            expected = begun + 8 * (now() - begun);
            monitor.edge(0.125);
        } else if (with_edges) {
            monitor.edge(0.5);
            expected = begun + 2 * (now() - begun);
        }
        compute_for(milliseconds{is_late ? 70 : 10});
        monitor.end_compute();
        last_duration = now() - begun;
        auto const pattern = checked_pattern(world, monitor, static_cast<std::uint64_t>(iteration));
        std::vector<std::int64_t> latest{is_late ? 0 : expected, is_late ? expected : 0};
        tutti::all_reduce(world, tutti::inplace(latest), tutti::maximum<>{});
        if (latest[0] + margin > latest[1]) { continue; }
        check_equal(pattern.order().back(), static_cast<std::size_t>(late), "the last rank");
    }
}

/// Collectives that follow each other: entering says all.
template <class World>
void check_without_computing(World& world, tutti::monitoring::arrival_options const& how) {
    tutti::arrival_monitor monitor{world, how};
    for (std::uint64_t iteration = 0; iteration < 20; ++iteration) {
        static_cast<void>(checked_pattern(world, monitor, iteration));
    }
}

/// A rank may be ahead of the others by as much as the exchange lets it.
template <class World>
void check_without_collectives(World& world, tutti::monitoring::arrival_options const& how) {
    tutti::arrival_monitor monitor{world, how};
    std::vector<std::int64_t> seen;
    for (int iteration = 0; iteration < 20; ++iteration) {
        if (rank_of(world) == 1 && iteration == 5) { compute_for(std::chrono::milliseconds{20}); }
        monitor.begin_compute();
        monitor.edge(0.5);
        auto const numbers = numbers_of(monitor.pattern());
        seen.insert(seen.end(), numbers.begin(), numbers.end());
    }
    check(all_agree(world, seen), "all ranks have the same patterns");
}

template <class World>
void check_two_monitors(World& world, tutti::monitoring::arrival_options const& how) {
    tutti::arrival_monitor one{world, how};
    std::uint64_t of_one = 0;
    for (std::uint64_t outer = 0; outer < 4; ++outer) {
        tutti::arrival_monitor other{world, how};
        for (std::uint64_t inner = 0; inner < 3; ++inner) {
            one.begin_compute();
            other.begin_compute();
            one.edge(0.5);
            static_cast<void>(checked_pattern(world, other, inner));
            if (inner != 1) { static_cast<void>(checked_pattern(world, one, of_one++)); }
        }
    }
    static_cast<void>(checked_pattern(world, one, of_one));
}

/// What was said of an iteration that nobody ends is forgotten.
template <class World>
void check_unfinished_iteration(World& world, tutti::monitoring::arrival_options const& how, bool begun_by_all) {
    for (int again = 0; again < 5; ++again) {
        tutti::arrival_monitor monitor{world, how};
        static_cast<void>(checked_pattern(world, monitor, 0));
        if (begun_by_all || (rank_of(world) + again) % 3 == 0) {
            monitor.begin_compute();
            monitor.edge(0.5);
        }
    }
}

/// The time factor follows what collectives are said to take.
template <class World>
void check_time_scale(World& world, tutti::monitoring::arrival_options how) {
    tutti::arrival_monitor monitor{world, how};
    auto time_scale = checked_pattern(world, monitor, 0).time_scale.value();
    check(time_scale == 1, "nothing has been learnt");
    for (std::uint64_t iteration = 1; time_scale <= 1; ++iteration) {
        check(iteration < 1000, "the factor follows");
        monitor.predicted(1);
        monitor.finished();
        time_scale = checked_pattern(world, monitor, iteration).time_scale.value();
    }
}

}  // namespace support
