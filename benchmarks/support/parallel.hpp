// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <future>
#include <iostream>
#include <thread>
#include <vector>

namespace tutti {

/// work(i) for all i < count, computed on all cores, the greatest i first: where work grows with i, no core is left
/// with the longest one in the end. Every 10 s a line on standard error says how many have begun.
template <class Work>
[[nodiscard]] auto in_parallel(std::size_t count, Work work) {
    std::vector<decltype(work(count))> results(count);
    std::atomic<std::size_t> begun{0};
    auto const run = [&] {
        for (auto i = begun++; i < count; i = begun++) { results[count - 1 - i] = work(count - 1 - i); }
    };
    std::vector<std::future<void>> cores;
    for (unsigned i = 0; i < std::clamp(std::thread::hardware_concurrency(), 1U, 8U); ++i) {
        cores.push_back(std::async(std::launch::async, run));
    }
    for (auto& each : cores) {
        while (each.wait_for(std::chrono::seconds{10}) != std::future_status::ready) {
            std::cerr << "  " << std::min(begun.load(), count) << " of " << count << " begun" << std::endl;
        }
        each.get();
    }
    return results;
}

}  // namespace tutti
