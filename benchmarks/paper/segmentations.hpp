// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/predict.hpp>

namespace tutti::paper {

/// How well a vector can be cut.
struct segmentations {
    std::vector<double> equal_times{};   ///< [s-1]: in segments of s elements, the last one possibly shorter
    double best_time = 0;                ///< the least of all cuts
    std::vector<std::vector<std::size_t>> optimal{};   ///< every cut that takes it, in lexicographic order

    [[nodiscard]] double best_equal_time() const {
        return equal_times.empty() ? 0 : *std::min_element(equal_times.begin(), equal_times.end());
    }
    /// Whether no cut into equal segments is as good as the best one.
    [[nodiscard]] bool unequal_is_better() const { return best_time < best_equal_time(); }
};

/// When the ranks of a pipeline on one port are free after some segments, each operation as early as its two ranks
/// allow.
class pipeline_times {
public:
    explicit pipeline_times(std::size_t size) : free_(size, 0.0) {}

    /// After one more segment than `before`.
    void follow(pipeline_times const& before, double transfer, double combine) {
        free_ = before.free_;
        for (auto sender = free_.size() - 1; sender > 0; --sender) {
            auto const arrives = std::max(free_[sender], free_[sender - 1]) + transfer;
            free_[sender] = arrives;
            free_[sender - 1] = arrives + combine;
        }
    }
    [[nodiscard]] double makespan() const { return free_.front(); }

private:
    std::vector<double> free_;  // root first
};

/// Goes through the cuts of a vector into segments, each as long as one likes: those that begin alike are reduced
/// together up to where they part. `Times` is uni_greedy_times or pipeline_times.
template <class Times>
class segmentation_search {
public:
    segmentation_search(std::size_t size, std::size_t elements, cost_model const& costs)
        : costs_{costs}, alone_{size == 1}, after_(elements + 1, Times{size}) {
        for (std::size_t segment = 1; segment <= elements; ++segment) {
            found_.equal_times.push_back(equal_time(elements, segment));
        }
        found_.best_time = found_.best_equal_time();
        if (elements != 0) { extend(elements); }
    }

    [[nodiscard]] segmentations const& found() const { return found_; }

private:
    void follow(std::size_t depth, std::size_t segment) {
        after_[depth + 1].follow(after_[depth], costs_.transfer(segment), costs_.combine(segment));
    }

    [[nodiscard]] double equal_time(std::size_t elements, std::size_t segment) {
        std::size_t depth = 0;
        for (auto left = elements; left != 0; ++depth) {
            auto const next = std::min(segment, left);
            follow(depth, next);
            left -= next;
        }
        return after_[depth].makespan();
    }

    void extend(std::size_t left) {
        auto const depth = begun_.size();
        for (std::size_t segment = 1; segment <= left; ++segment) {
            follow(depth, segment);
            auto const time = after_[depth + 1].makespan();
            auto const rest = left - segment;
            // the root has yet to receive and combine all the rest, in one message or more
            auto const least = rest == 0 || alone_ ? time : time + costs_.transfer(rest) + costs_.combine(rest);
            if (least > found_.best_time) { continue; }
            begun_.push_back(segment);
            if (rest != 0) {
                extend(rest);
            } else {
                if (time < found_.best_time) { found_.optimal.clear(); }
                found_.best_time = time;
                found_.optimal.push_back(begun_);
            }
            begun_.pop_back();
        }
    }

    cost_model costs_;
    bool alone_;
    std::vector<Times> after_;  // the segments begun so far, by their number
    std::vector<std::size_t> begun_;
    segmentations found_;
};

/// The best of all 2^(m-1) ways to cut m elements into segments for a reduction on `size` ranks, uni-greedy or by a
/// pipeline, planned for `costs`, which are unidirectional whatever their model says.
/// Requires at least one rank. Costs that are integers are compared exactly.
/// Cost: up to 2^m - 1 reductions of one segment, O(p) each; beginnings that cannot win are left.
/// Source: Lowery and Langou, section VIII.
template <class Times = analysis::uni_greedy_times>
[[nodiscard]] segmentations search_segmentations(std::size_t size, std::size_t elements, cost_model const& costs) {
    return segmentation_search<Times>{size, elements, costs}.found();
}

}  // namespace tutti::paper
