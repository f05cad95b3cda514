// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <tutti/arrival/pattern.hpp>

namespace tutti::monitoring {

/// When the ranks came to earlier calls of one kind, and whether that forecasts when they will come to the next one.
/// The same on all ranks, since all are given the same.
///
/// Ranks are expected after the median of their last five delays. A forecast is believed once the one before it would
/// have gained as much, and was not wrong by more than it gains. Where a call that went by one took longer than
/// without, none is believed in the next 16 calls, then in 32, and so on.
class earlier_arrivals {
public:
    using times = std::vector<std::int64_t>;  ///< ns, of each rank

    /// Where no rank was late in the last calls, the times of the 16th one after them are known, then of the 32nd after
    /// that, and so on, at last of each 256th. Where those show that a rank was late, the next ones are known, too.
    static constexpr std::size_t calls_between = 16;
    static constexpr std::size_t most_calls_between = 256;
    static constexpr std::size_t most = 5;  ///< calls that are remembered
    /// A forecast has to gain this part, a twentieth, of what a call takes without delays: a choice.
    static constexpr std::int64_t least_gain = 20;
    /// And this, in ns: ranks come that much later than each other by chance. With 3 of them on 2 processors calls
    /// of 128 KiB took 4 times as long without it (Intel Xeon, 2026-11-29, loops of MPI_Allreduce, Open MPI 4.1,
    /// TUTTI=all beside TUTTI=all,fixed).
    static constexpr std::int64_t least_time = 100'000;

    /// Whether the ranks have to tell each other when they came to the call that ends now.
    [[nodiscard]] bool must_know() const {
        bool const is_watched = !is_quiet_ || watched_ != 0;
        return (is_watched && calls_ >= believed_from_) || calls_ - told_ >= between_;
    }

    /// Whether there is anything to forecast from that was not there at the last forecast.
    [[nodiscard]] bool has_news() const { return has_news_; }

    /// The expected delays; empty if nothing is known yet.
    [[nodiscard]] process_arrival_pattern expected() const {
        process_arrival_pattern result;
        result.iteration = calls_;
        if (known_.empty()) { return result; }
        result.heard = known_.front().size();
        times of_rank(known_.size());
        for (std::size_t rank = 0; rank != result.heard; ++rank) {
            for (std::size_t i = 0; i != known_.size(); ++i) { of_rank[i] = known_[i][rank]; }
            auto const middle = of_rank.begin() + static_cast<std::ptrdiff_t>(of_rank.size() / 2);
            std::nth_element(of_rank.begin(), middle, of_rank.end());
            result.arrivals.push_back(*middle);
        }
        auto const earliest = *std::min_element(result.arrivals.begin(), result.arrivals.end());
        for (auto& each : result.arrivals) { each -= earliest; }
        return result;
    }

    /// Whether a gain, ns for each rank in the mean, is large enough, where a call takes `without` without delays.
    [[nodiscard]] static bool pays(std::int64_t gain, std::int64_t without) {
        return gain > std::max(without / least_gain, least_time);
    }

    /// Notes a gain, and returns whether an algorithm that goes by the forecast may be taken.
    [[nodiscard]] bool believe(std::int64_t gain, std::int64_t without) {
        bool const gains = pays(gain, without);
        bool const believed = gains && paid_before_ && error_ < gain && calls_ >= believed_from_;
        paid_before_ = gains;
        without_ = without;
        if (std::exchange(has_news_, false)) {
            between_ = is_quiet_ && watched_ == 0 ? std::min(2 * between_, most_calls_between) : calls_between;
        }
        if (!gains && known_.size() >= 3) { is_quiet_ = true; }
        if (gains) { is_quiet_ = false; }
        return believed;
    }

    /// A call that went by arrivals took longer than it would have taken without.
    void lost() {
        believed_from_ = calls_ + not_believed_;
        not_believed_ = std::min(2 * not_believed_, most_not_believed);
    }

    /// The call has ended; if `must_know()`, its `arrivals` are given, on one clock.
    void ended(times arrivals) {
        ++calls_;
        if (arrivals.empty()) { return; }
        auto const earliest = *std::min_element(arrivals.begin(), arrivals.end());
        for (auto& each : arrivals) { each -= earliest; }
        auto const before = expected().arrivals;
        error_ = before.empty() ? std::numeric_limits<std::int64_t>::max() : 0;
        for (std::size_t rank = 0; rank != before.size(); ++rank) {
            error_ = std::max(error_, std::max(before[rank], arrivals[rank]) - std::min(before[rank], arrivals[rank]));
        }
        watched_ = watched_ != 0 ? watched_ - 1 : is_quiet_ && pays(error_, without_) ? most - 1 : 0;
        if (known_.size() == most) { known_.erase(known_.begin()); }
        known_.push_back(std::move(arrivals));
        has_news_ = true;
        told_ = calls_;
    }

private:
    static constexpr std::size_t most_not_believed = std::size_t{1} << 16U;

    std::vector<times> known_;
    std::size_t calls_ = 0;
    std::size_t told_ = 0;  // the number of calls when arrivals were last known
    std::size_t between_ = calls_between;
    std::size_t watched_ = 0;   // calls that are still to be known, though no rank seemed to be late
    std::int64_t without_ = 0;  // ns, of the last forecast
    std::size_t believed_from_ = 0;             // the number of calls at which forecasts are believed again
    std::size_t not_believed_ = calls_between;  // how many calls none is, after the next that loses
    std::int64_t error_ = std::numeric_limits<std::int64_t>::max();  // ns, of the last forecast
    bool has_news_ = true;
    bool paid_before_ = false;
    bool is_quiet_ = false;
};

}  // namespace tutti::monitoring
