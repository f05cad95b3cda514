// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <iterator>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/schedule.hpp>

namespace tutti {

/// The steps that one rank takes in several schedules, each begun in a round of its own, in the order of
/// rounds; in the same round those of earlier schedules come first. Both ends of a message sort it alike, so
/// messages between two ranks keep their order.
class merged_steps {
public:
    merged_steps() = default;
    merged_steps(dynamic_array<lazy_schedule> schedules, dynamic_array<std::size_t> starting_rounds)
        : schedules_{std::move(schedules)}, starts_{std::move(starting_rounds)} {}

    class iterator {
    public:
        using value_type = step;
        using reference = step;
        using pointer = step const*;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::forward_iterator_tag;

        iterator() = default;
        iterator(merged_steps const& all, dynamic_array<lazy_steps::iterator> at) : all_{&all}, at_{std::move(at)} {
            choose();
        }

        [[nodiscard]] step operator*() const { return now_; }
        [[nodiscard]] step const* operator->() const { return &now_; }
        iterator& operator++() {
            ++at_[chosen_];
            choose();
            return *this;
        }
        iterator operator++(int) {
            auto const before = *this;
            ++*this;
            return before;
        }

        friend bool operator==(iterator const& a, iterator const& b) { return a.at_ == b.at_; }

    private:
        void choose() {
            chosen_ = at_.size();
            for (std::size_t i = 0; i != at_.size(); ++i) {
                if (at_[i] == all_->schedules_[i].end()) { continue; }
                auto candidate = *at_[i];
                candidate.round += all_->starts_[i];
                if (chosen_ != at_.size() && candidate.round >= now_.round) { continue; }
                now_ = std::move(candidate);
                chosen_ = i;
            }
        }

        merged_steps const* all_ = nullptr;
        dynamic_array<lazy_steps::iterator> at_;
        std::size_t chosen_ = 0;
        step now_;
    };

    [[nodiscard]] iterator begin() const {
        dynamic_array<lazy_steps::iterator> all;
        for (auto const& each : schedules_) { all.push_back(each.begin()); }
        return {*this, std::move(all)};
    }
    [[nodiscard]] iterator end() const {
        dynamic_array<lazy_steps::iterator> all;
        for (auto const& each : schedules_) { all.push_back(each.end()); }
        return {*this, std::move(all)};
    }

private:
    dynamic_array<lazy_schedule> schedules_;
    dynamic_array<std::size_t> starts_;
};

}  // namespace tutti
