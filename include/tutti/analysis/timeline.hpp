// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/generator/named.hpp>

namespace tutti::analysis {

enum class activity : std::uint8_t { transfer, combine, copy };

[[nodiscard]] constexpr std::string_view name(activity what) {
    return what == activity::transfer ? "transfer" : what == activity::combine ? "combine" : "copy";
}

/// The actions of all ranks over time: the result of a simulation.
struct timeline {
    /// A transfer from `rank` to `peer`, or a combine (copy) on `rank` of an operand that came from `peer`
    /// (`rank` itself if it lay there).
    struct event {
        activity what = activity::transfer;
        std::size_t rank = 0;
        std::size_t peer = 0;
        std::size_t block = 0;    ///< the first one
        std::size_t blocks = 1;   ///< how many
        double start = 0;
        double end = 0;
        friend bool operator==(event const&, event const&) = default;
    };

    ports model = ports::bidirectional;
    std::vector<event> events;      ///< in the order in which they start
    std::vector<double> arrivals;   ///< per rank: when it may begin
    std::vector<double> finish;     ///< per rank: when its last event ends, its arrival if it has none
    std::string title = {};         ///< "reduce by binomial, 4 ranks, 1 block"

    [[nodiscard]] std::size_t size() const { return finish.size(); }

    /// When the last rank has finished.
    [[nodiscard]] double makespan() const {
        return finish.empty() ? 0 : *std::max_element(finish.begin(), finish.end());
    }

    /// Per rank the time between arrival and finish in which it neither sends, receives nor combines.
    [[nodiscard]] std::vector<double> idle() const {
        std::vector<std::vector<std::pair<double, double>>> busy(size());
        for (auto const& each : events) {
            busy[each.rank].emplace_back(each.start, each.end);
            if (each.what == activity::transfer) { busy[each.peer].emplace_back(each.start, each.end); }
        }
        std::vector<double> result(size());
        for (std::size_t rank = 0; rank < size(); ++rank) {
            std::sort(busy[rank].begin(), busy[rank].end());
            auto until = arrivals[rank];
            for (auto const& [start, end] : busy[rank]) {
                result[rank] += std::max(0.0, start - until);
                until = std::max(until, end);
            }
        }
        return result;
    }
};

}  // namespace tutti::analysis
