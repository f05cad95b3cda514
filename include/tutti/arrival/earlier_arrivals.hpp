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

/// When the ranks arrived at earlier calls of one kind, and whether that forecasts when they will arrive at the next
/// one. The same on all ranks, since all are given the same times.
///
/// The expected delay of a rank is the median of its last five. An algorithm may rely on a forecast if the one before
/// promised a gain, too, and was not wrong by more than this one gains. After a call that took longer by such an
/// algorithm than it would have taken without, the next 16 calls do not rely on forecasts, after another one 32, and so
/// on.
class earlier_arrivals {
public:
    using times = std::vector<std::int64_t>;  ///< ns, of each rank

    /// Where no rank was late in the last calls, ranks exchange times in the 16th call after them, then in the 32nd
    /// after that, and so on, at last in each 256th. If a rank was late there, they do so in the next calls, too.
    static constexpr std::size_t calls_between = 16;
    static constexpr std::size_t most_calls_between = 256;
    static constexpr std::size_t most = 5;  ///< calls that are remembered
    /// A forecast has to gain this part, a twentieth, of what a call takes without delays: a choice.
    static constexpr std::int64_t least_gain = 20;
    /// And this, in ns: ranks arrive that much later than each other by chance. With 3 of them on 2 processors calls
    /// of 128 KiB took 4 times as long without it (Intel Xeon, 2026-11-29, loops of MPI_Allreduce, Open MPI 4.1,
    /// TUTTI=all! beside TUTTI=all!,fixed).
    static constexpr std::int64_t least_time = 100'000;

    /// Whether the ranks have to exchange their times of arrival at the current call.
    [[nodiscard]] bool must_know() const {
        bool const is_watched = !stable_ || watched_ != 0;
        return (is_watched && calls_ >= confident_from_) || calls_ - sampled_at_ >= between_;
    }

    /// Whether times have been added since the last forecast.
    [[nodiscard]] bool has_new_samples() const { return has_new_samples_; }

    /// The expected delays; empty if nothing is known yet.
    [[nodiscard]] process_arrival_pattern expected() const {
        process_arrival_pattern result;
        result.iteration = calls_;
        if (samples_.empty()) { return result; }
        times of_rank(samples_.size());
        for (std::size_t rank = 0; rank != samples_.front().size(); ++rank) {
            for (std::size_t i = 0; i != samples_.size(); ++i) { of_rank[i] = samples_[i][rank]; }
            auto const middle = of_rank.begin() + static_cast<std::ptrdiff_t>(of_rank.size() / 2);
            std::nth_element(of_rank.begin(), middle, of_rank.end());
            result.arrivals.push_back(*middle);
        }
        make_relative(result.arrivals);
        return result;
    }

    /// Whether a gain, ns for each rank in the mean, is large enough, where a call takes `without` without delays.
    [[nodiscard]] static bool is_worthwhile(std::int64_t gain, std::int64_t without) {
        return gain > std::max(without / least_gain, least_time);
    }

    /// Notes what the forecast for the next call gains, and returns whether that call may rely on it.
    [[nodiscard]] bool judge(std::int64_t gain, std::int64_t without) {
        bool const gains = is_worthwhile(gain, without);
        bool const is_confident = gains && gained_before_ && error_ < gain && calls_ >= confident_from_;
        gained_before_ = gains;
        without_ = without;
        if (std::exchange(has_new_samples_, false)) {
            between_ = stable_ && watched_ == 0 ? std::min(2 * between_, most_calls_between) : calls_between;
        }
        stable_ = !gains && (stable_ || samples_.size() >= 3);
        return is_confident;
    }

    /// A call that relied on a forecast took longer than it would have taken without.
    void mispredicted() {
        confident_from_ = calls_ + pause_;
        pause_ = std::min(2 * pause_, longest_pause);
    }

    /// The call has ended; if `must_know()`, its `arrivals` are given, on one clock.
    void ended(times arrivals) {
        ++calls_;
        if (arrivals.empty()) { return; }
        make_relative(arrivals);
        auto const before = expected().arrivals;
        error_ = before.empty() ? std::numeric_limits<std::int64_t>::max() : 0;
        for (std::size_t rank = 0; rank != before.size(); ++rank) {
            error_ = std::max(error_, std::max(before[rank], arrivals[rank]) - std::min(before[rank], arrivals[rank]));
        }
        watched_ = watched_ != 0 ? watched_ - 1 : stable_ && is_worthwhile(error_, without_) ? most - 1 : 0;
        if (samples_.size() == most) { samples_.erase(samples_.begin()); }
        samples_.push_back(std::move(arrivals));
        has_new_samples_ = true;
        sampled_at_ = calls_;
    }

private:
    static constexpr std::size_t longest_pause = std::size_t{1} << 16U;

    std::vector<times> samples_;
    std::size_t calls_ = 0;
    std::size_t sampled_at_ = 0;  // the number of calls when times were last exchanged
    std::size_t between_ = calls_between;
    std::size_t watched_ = 0;             // calls of which times are still exchanged, though no rank seemed to be late
    std::int64_t without_ = 0;            // ns, of the last forecast
    std::size_t confident_from_ = 0;      // the number of calls from which on forecasts may be relied on
    std::size_t pause_ = calls_between;   // calls without, after the next misprediction
    std::int64_t error_ = std::numeric_limits<std::int64_t>::max();  // ns, of the last forecast
    bool has_new_samples_ = true;
    bool gained_before_ = false;
    bool stable_ = false;  // no rank was late in the last calls
};

}  // namespace tutti::monitoring
