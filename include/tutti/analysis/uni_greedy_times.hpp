// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace tutti {

/// The times at which ranks are free in a uni-greedy reduction, in ascending order. The makespan depends on nothing
/// else: neither on ties nor on which of two ranks sends.
/// Times are exact as long as costs are integers.
class uni_greedy_times {
public:
    /// All of `size` ranks, at least one, are free at 0.
    explicit uni_greedy_times(std::size_t size) : free_(size + 1, 0.0) { free_.back() = never; }

    /// What `before` becomes by the reduction of one more segment. `before` is another object.
    /// Cost: O(p), and no allocation if both have as many ranks.
    void follow(uni_greedy_times const& before, double transfer, double combine) {
        free_.resize(before.free_.size());
        auto const* waiting = before.free_.data();
        auto* const sent = free_.data();
        auto const* received = sent;   // who received is free `combine` after who sent
        auto const first_free = [&] {
            auto const one = *waiting;
            auto const other = *received + combine;
            bool const from_waiting = one <= other;
            waiting += from_waiting;
            received += !from_waiting;
            return from_waiting ? one : other;
        };
        auto const operations = before.free_.size() - 2;
        sent[0] = never;
        for (std::size_t i = 0; i < operations; ++i) {
            first_free();
            auto const start = first_free();
            sent[i] = start + transfer;
            sent[i + 1] = never;
        }
        sent[operations] = first_free();
        sent[operations + 1] = never;
    }

    /// When the root has the last segment so far.
    [[nodiscard]] double makespan() const { return free_[free_.size() - 2]; }

private:
    static constexpr double never = std::numeric_limits<double>::infinity();

    std::vector<double> free_;   // and `never` behind the last
};

}  // namespace tutti
