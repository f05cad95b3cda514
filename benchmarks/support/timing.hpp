// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <chrono>
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

/// Seconds that a call of `run` takes, by `clock`: the mean over `calls`.
template <class Run>
[[nodiscard]] double time_of(std::size_t calls, double (*clock)(), Run& run) {
    auto const start = clock();
    for (std::size_t i = 0; i != calls; ++i) { run(); }
    return (clock() - start) / static_cast<double>(calls);
}

}  // namespace tutti::timing
