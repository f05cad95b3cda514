// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace tutti::paper {

/// Calls work(i) for all i < count on all cores, the greatest i first: where work grows with i, no core is left with
/// the longest one in the end. Rethrows what one of the calls threw, after all others.
template <class Work>
void in_parallel(std::size_t count, Work work) {
    std::atomic<std::size_t> begun{0};
    std::vector<std::exception_ptr> failures(count);
    auto const run = [&] {
        for (auto i = begun++; i < count; i = begun++) {
            auto const place = count - 1 - i;
            try {
                work(place);
            } catch (...) { failures[place] = std::current_exception(); }
        }
    };
    std::vector<std::thread> others;
    for (unsigned i = 1; i < std::min(std::thread::hardware_concurrency(), 8U); ++i) { others.emplace_back(run); }
    run();
    for (auto& each : others) { each.join(); }
    for (auto const& each : failures) {
        if (each) { std::rethrow_exception(each); }
    }
}

}  // namespace tutti::paper
