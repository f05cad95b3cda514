// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/arrival/pattern.hpp>

namespace tutti::forecast {

using times = std::vector<std::int64_t>;  ///< ns, by position

/// When each position of a ring of `starts` ends, if position p arrives at arrivals[p], sorted, and segments have
/// `bytes` bytes.
///
/// A message leaves when its sender has what it sends, the message before it has left, and its receiver has arrived; a
/// position has ended when it has all results and its own messages have left. In whole nanoseconds: all ranks compute
/// the same.
/// Cost: O(p S) for S segments.
/// Source: the timed model of Proficz, Improving all-reduce collective operations for imbalanced process arrival
/// patterns; with receives that are posted early, and messages that follow one another faster than they arrive.
[[nodiscard]] inline times end_of_ring(std::vector<std::size_t> const& starts, times const& arrivals,
                                       link_costs const& costs, std::size_t bytes) {
    auto const size = arrivals.size();
    auto const segments = starts.back() + 1;
    auto const transfer = costs.transfer(bytes);
    auto const interval = costs.interval(bytes);
    std::vector<std::size_t> started(size);  // segments that begin their way at a position
    for (std::size_t p = 0; p < size; ++p) { started[p] = p == 0 ? starts[0] + 1 : starts[p] - starts[p - 1]; }
    auto const next = [size](std::size_t p) { return p + 1 == size ? 0 : p + 1; };
    std::vector<std::size_t> sends(size);
    for (std::size_t p = 0; p < size; ++p) { sends[p] = 2 * segments - started[next(p)] - started[next(next(p))]; }

    times now = arrivals;
    times link_free = arrivals;  // when the last message of a position has left
    std::vector<times> posted(size);
    for (std::size_t p = 0; p < size; ++p) { posted[p].resize(sends[p]); }
    for (std::size_t i = 0; i < 2 * segments; ++i) {
        for (std::size_t p = 0; p < size; ++p) {
            if (i >= started[p] && i < 2 * segments - started[next(p)]) {
                auto const before = p == 0 ? size - 1 : p - 1;
                auto const start = std::max({posted[before][i - started[p]], link_free[before], arrivals[p]});
                link_free[before] = start + interval;
                now[p] = std::max(now[p], start + transfer);
            }
            if (i < sends[p]) { posted[p][i] = now[p]; }
        }
    }
    for (std::size_t p = 0; p < size; ++p) { now[p] = std::max(now[p], link_free[p]); }
    return now;
}

}  // namespace tutti::forecast
