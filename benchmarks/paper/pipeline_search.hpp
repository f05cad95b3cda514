// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include <tutti/analysis/cost_model.hpp>

namespace tutti::paper {

/// The pipeline on one port under every segmentation of a vector, each operation as early as its two ranks allow.
class pipeline_search {
public:
    pipeline_search(std::size_t size, std::size_t elements, cost_model const& costs)
        : costs_{costs}, free_(elements + 1, std::vector<double>(size, 0.0)) {
        extend(0, elements);
    }

    [[nodiscard]] bool equal_is_best() const { return best_equal_ <= best_; }

private:
    /// When ranks are free, root first, after one more segment.
    void follow(std::size_t depth, std::size_t segment) {
        auto const transfer = costs_.transfer(segment);
        auto const combine = costs_.combine(segment);
        auto& after = free_[depth + 1];
        after = free_[depth];
        for (auto sender = after.size() - 1; sender > 0; --sender) {
            auto const arrives = std::max(after[sender], after[sender - 1]) + transfer;
            after[sender] = arrives;
            after[sender - 1] = arrives + combine;
        }
    }

    void extend(std::size_t depth, std::size_t left) {
        if (left == 0) {
            auto const time = free_[depth].front();
            best_ = std::min(best_, time);
            bool const equal =
                std::all_of(begun_.begin(), begun_.end() - 1, [&](auto each) { return each == begun_[0]; }) &&
                begun_.back() <= begun_.front();
            if (equal) { best_equal_ = std::min(best_equal_, time); }
            return;
        }
        for (std::size_t segment = 1; segment <= left; ++segment) {
            follow(depth, segment);
            begun_.push_back(segment);
            extend(depth + 1, left - segment);
            begun_.pop_back();
        }
    }

    cost_model costs_;
    std::vector<std::vector<double>> free_;  // by the number of segments so far
    std::vector<std::size_t> begun_;
    double best_ = std::numeric_limits<double>::infinity();
    double best_equal_ = std::numeric_limits<double>::infinity();
};

}  // namespace tutti::paper
