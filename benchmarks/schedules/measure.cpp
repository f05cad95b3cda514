// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "measure.hpp"

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <vector>

#include <tutti/partition.hpp>

#include "allocation.hpp"

namespace tutti::generation {

namespace {

/// Seconds that this thread has run: another program on the same core does not count.
[[nodiscard]] double thread_time() {
    std::timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

[[nodiscard]] double median(std::vector<double> values) {
    auto const middle = values.size() / 2;
    std::sort(values.begin(), values.end());
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// Seconds for one schedule that took `best` seconds once: the best of some batches, each long enough for the clock.
[[nodiscard]] double time_of(subject const& of, problem const& at, double best) {
    constexpr double batch = 1e-4;
    constexpr double long_enough = 1e-2;
    if (best > long_enough) { return best; }
    auto const once = [&](std::size_t calls) {
        auto const start = thread_time();
        for (std::size_t i = 0; i < calls; ++i) { static_cast<void>(of.generate(at)); }
        return (thread_time() - start) / static_cast<double>(calls);
    };
    for (int turn = 0; turn < 4; ++turn) {
        best = std::min(best, once(static_cast<std::size_t>(std::clamp(batch / (best + 1e-9), 1.0, 1000.0))));
    }
    return best;
}

}  // namespace

point measure(subject const& of, std::size_t size, std::size_t blocks, double& spent) {
    auto const start = thread_time();
    auto const cut = partition::equal(blocks, blocks);
    std::vector<double> work;
    std::vector<double> seconds;
    std::vector<double> peaks;
    std::vector<double> calls;
    double of_root = 0;
    for (auto const rank : {std::size_t{0}, std::size_t{1}, size / 2, size - 1}) {
        problem const at{rank, size, 0, cut};
        auto const begin = thread_time();
        count_allocations();
        auto const read = of.generate(at);
        auto const memory = counted_allocations();
        seconds.push_back(time_of(of, at, thread_time() - begin));
        if (rank == 0 && of.waits_for_root) { of_root = static_cast<double>(read.blocks); }
        work.push_back(static_cast<double>(read.steps) + of_root);
        peaks.push_back(static_cast<double>(memory.peak_bytes));
        calls.push_back(static_cast<double>(memory.calls));
    }
    spent = thread_time() - start;
    return {size, blocks, median(work), median(seconds), median(peaks), median(calls)};
}

std::vector<point> measure_against_size(subject const& of, std::size_t largest, double budget) {
    std::vector<point> result;
    double spent = 0;
    for (std::size_t size : {2U, 4U, 16U, 64U, 256U, 1024U, 4096U, 16'384U, 65'536U, 262'144U, 1'000'000U}) {
        if (size > largest || spent > budget) { break; }
        if (!of.supports(size)) { continue; }
        result.push_back(measure(of, size, of.blocks_for(size, bytes_meanwhile), spent));
    }
    return result;
}

std::vector<point> measure_against_blocks(subject const& of, std::size_t most, double budget) {
    std::vector<point> result;
    double spent = 0;
    for (std::size_t blocks : {1U, 3U, 10U, 30U, 100U, 300U, 1000U, 3000U, 10'000U, 30'000U, 100'000U}) {
        if (blocks > most || spent > budget) { break; }
        result.push_back(measure(of, size_meanwhile, blocks, spent));
    }
    return result;
}

}  // namespace tutti::generation
