// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <ctime>
#include <vector>

namespace tutti::timing {

/// Seconds that this thread has run: another program on the same core does not count.
[[nodiscard]] inline double thread_time() {
    std::timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

[[nodiscard]] inline double wall_time() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Of two in the middle their mean. Requires at least one.
[[nodiscard]] inline double median(std::vector<double> sample) {
    std::sort(sample.begin(), sample.end());
    auto const n = sample.size();
    return (sample[(n - 1) / 2] + sample[n / 2]) / 2;
}

/// The least of the sample that `percent` % of it do not exceed. Requires at least one.
[[nodiscard]] inline double percentile(std::vector<double> sample, std::size_t percent) {
    std::sort(sample.begin(), sample.end());
    return sample[(std::max<std::size_t>(percent * sample.size(), 1) - 1) / 100];
}

/// Requires at least one.
[[nodiscard]] inline double geometric_mean(std::vector<double> const& sample) {
    double logarithms = 0;
    for (auto const each : sample) { logarithms += std::log(each); }
    return std::exp(logarithms / static_cast<double>(sample.size()));
}

/// Seconds that a call of `run` takes, by `clock`: the mean over `calls`.
template <class Run>
[[nodiscard]] double time_of(std::size_t calls, double (*clock)(), Run& run) {
    auto const start = clock();
    for (std::size_t i = 0; i != calls; ++i) { run(); }
    return (clock() - start) / static_cast<double>(calls);
}

/// The medians of what a call of each of `runs` takes, over as many turns: all in turn, each before being timed called
/// once by `before(run)`, and another one first each time: what ran before is no one's advantage.
template <class Before, class... Runs>
[[nodiscard]] std::array<double, sizeof...(Runs)> medians_in_turn(std::size_t turns, std::size_t calls,
                                                                  double (*clock)(), Before before, Runs... runs) {
    std::array<std::vector<double>, sizeof...(Runs)> times;
    for (std::size_t turn = 0; turn != turns; ++turn) {
        for (std::size_t i = 0; i != times.size(); ++i) {
            auto const wanted = (turn + i) % times.size();
            std::size_t at = 0;
            auto const time = [&](auto& run) {
                if (at++ != wanted) { return; }
                before(run);
                times[wanted].push_back(time_of(calls, clock, run));
            };
            (time(runs), ...);
        }
    }
    std::array<double, sizeof...(Runs)> result{};
    std::transform(times.begin(), times.end(), result.begin(), median);
    return result;
}

}  // namespace tutti::timing
