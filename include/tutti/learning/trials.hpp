// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tutti::selection {

/// How many calls a run of one variant has, and how many of these, the first ones, are discarded.
struct trial_run {
    std::size_t calls = 8;
    std::size_t not_counted = 2;
};

/// Which of several variants each call of one kind takes: most calls take the chosen one, some try others. It depends
/// on the number of calls, and on what all ranks agree on, and so is the same on all of them.
///
/// After a few calls each variant is tried in turn, in runs of calls. The first calls of a run are discarded: they may
/// have to set something up, and are disturbed by the variant before, or by the agreement of the ranks. Of the others
/// all ranks give when they began and ended. After the first round of runs, variants that take much longer are tried no
/// more; after the last one medians decide. The chosen variant is tried first, and if it takes very long no other is
/// tried. Later all this is repeated, since loads change, each time after twice as many calls.
class trials {
public:
    using times = std::vector<std::int64_t>;  ///< ns

    static constexpr std::size_t calls_before = 6;  ///< of a kind that is new
    static constexpr std::size_t rounds = 4;        ///< of one run of each variant
    /// The first time; four variants that are close take 96 calls of others than the chosen one, which is 1.9 %.
    static constexpr std::size_t calls_between = 5000;
    static constexpr std::size_t most_calls_between = std::size_t{1} << 20U;
    static constexpr std::int64_t longest = 1'000'000'000;  ///< ns of a call of which nothing else is tried
    static constexpr double much_longer = 1.5;              ///< beside the least
    static constexpr double margin = 0.95;  ///< of the chosen variant's median and lower quartile: what others may take
    static constexpr double preferred_margin = 0.98;  ///< the same for the variant that is preferred
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    /// Of `variants` of them the first one is chosen.
    explicit trials(std::size_t variants, trial_run of_run = {}, std::size_t preferred = none)
        : samples_(variants), costs_(variants), of_run_{of_run}, preferred_{preferred} {
        clear();
        if (variants < 2) { left_ = forever; }
    }

    /// The variant of the next call.
    [[nodiscard]] std::size_t now() const { return left_ == 0 ? tried_[run_ % tried_.size()] : chosen_; }
    [[nodiscard]] std::size_t chosen() const { return chosen_; }

    /// Whether the next call belongs to no trial, as most calls.
    [[nodiscard]] bool is_usual() const { return left_ != 0; }
    void usual_call_ended() { left_ -= left_ == forever ? 0 : 1; }

    /// The call of a trial has begun and ended on this rank, in ns of its clock.
    void ended(std::int64_t begun, std::int64_t end) {
        auto& all = samples_[now()];
        if (call_ >= of_run_.not_counted) { all.insert(all.end(), {begun, end}); }
        if (++call_ == of_run_.calls) {
            call_ = 0;
            ++run_;
        }
    }

    /// Whether all ranks have to agree before the next call.
    [[nodiscard]] bool must_agree() const {
        return left_ == 0 && call_ == 0 && run_ != agreed_ &&
               ((run_ == 1 && !is_known_to_be_short_) || run_ == tried_.size() || run_ == rounds * tried_.size());
    }

    /// What this rank gives: when calls began and ended, of one variant after the other.
    [[nodiscard]] times given() const {
        times all;
        for (auto const& each : samples_) { all.insert(all.end(), each.begin(), each.end()); }
        return all;
    }

    /// `latest` has for each number the largest that any rank gave.
    void agree(times const& latest) {
        auto next = latest.begin();
        double worst = 0;
        for (std::size_t variant = 0; variant != samples_.size(); ++variant) {
            times spent;
            for (std::size_t i = 0; i != samples_[variant].size(); i += 2, next += 2) {
                spent.push_back(next[1] - next[0]);
            }
            if (spent.empty()) { continue; }
            std::sort(spent.begin(), spent.end());
            auto const part = [&](std::size_t n) { return static_cast<double>(spent[spent.size() / n]); };
            costs_[variant] = {part(4), part(2)};
            worst = std::max(worst, static_cast<double>(spent.back()));
        }
        agreed_ = run_;
        if (worst > longest) {
            give_up();
        } else if (run_ < tried_.size()) {
            is_known_to_be_short_ = true;
        } else if (run_ == tried_.size()) {
            auto const limit = costs_[fastest(&cost::quartile)].quartile * much_longer;
            std::erase_if(tried_, [&](std::size_t variant) { return costs_[variant].quartile > limit; });
            run_ = agreed_ = tried_.size();
            if (tried_.size() == 1) { choose(tried_.front()); }
        } else {
            auto const best = fastest(&cost::median);
            auto const& now = costs_[chosen_];
            auto const limit = best == preferred_ ? preferred_margin : margin;
            bool const is_better =
                costs_[best].median < now.median * limit && costs_[best].quartile < now.quartile * limit;
            choose(is_better || tried_.front() != chosen_ ? best : chosen_);
        }
    }

    /// Nothing more is tried.
    void give_up() {
        clear();
        left_ = forever;
    }

    /// Seconds of a call by a variant, as agreed on last; 0: it has not been tried.
    [[nodiscard]] double seconds(std::size_t variant) const { return costs_[variant].median * 1e-9; }
    [[nodiscard]] std::size_t made() const { return made_; }
    /// Calls take too long for any trial.
    [[nodiscard]] bool is_retired() const { return left_ == forever && samples_.size() > 1; }

private:
    struct cost {
        double quartile = 0;  // ns, the lower one
        double median = 0;
    };

    static constexpr std::size_t forever = std::numeric_limits<std::size_t>::max();

    [[nodiscard]] std::size_t fastest(double cost::*time) const {
        return *std::min_element(tried_.begin(), tried_.end(),
                                 [&](std::size_t a, std::size_t b) { return costs_[a].*time < costs_[b].*time; });
    }

    void choose(std::size_t variant) {
        chosen_ = variant;
        ++made_;
        left_ = between_;
        between_ = std::min(2 * between_, most_calls_between);
        clear();
    }

    /// The chosen variant is tried first.
    void clear() {
        tried_.assign(1, chosen_);
        for (std::size_t variant = 0; variant != samples_.size(); ++variant) {
            samples_[variant].clear();
            if (variant != chosen_) { tried_.push_back(variant); }
        }
        run_ = call_ = agreed_ = 0;
    }

    std::vector<times> samples_;
    std::vector<cost> costs_;
    trial_run of_run_;
    std::size_t preferred_;
    std::vector<std::size_t> tried_;
    std::size_t chosen_ = 0;
    std::size_t left_ = calls_before;  // usual calls before the next trial
    std::size_t between_ = calls_between;
    std::size_t run_ = 0;
    std::size_t call_ = 0;    // of the run
    std::size_t agreed_ = 0;  // the run after which ranks agreed last
    std::size_t made_ = 0;
    bool is_known_to_be_short_ = false;
};

}  // namespace tutti::selection
