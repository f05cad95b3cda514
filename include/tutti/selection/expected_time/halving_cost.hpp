// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

#include <tutti/generator/pattern/hypercube.hpp>
#include <tutti/selection/message_costs.hpp>
#include <tutti/selection/call_parameters.hpp>

namespace tutti {

/// What it takes that neighbouring groups of leaves become one, level after level, share out the vector in the first
/// `halvings` of them, exchange what they have in the others, and go back through the halvings with a result.
///
/// The first ranks are one leaf each, the others, if ranks are no power of two, two leaves: these have nothing to do in
/// the first level, and twice as much in the others. Groups of one kind take the same time; a group that has some of
/// both takes the maximum of both where they meet, and goes on like ranks of two leaves. If nothing is halved, pairs of
/// the first ranks fold, and no rank has more to do than another.
class halving_cost {
public:
    halving_cost(std::size_t halvings, message_costs const& costs, call_parameters const& now)
        : all_{now.size},
          halvings_{halvings},
          folds_{halvings == 0 && !all_.is_power_of_two()},
          costs_{costs},
          now_{now} {}

    /// Until all ranks have shares of the total.
    [[nodiscard, gnu::cold]] double reduce_scatter_time() const { return latest(all_.levels(), costs_, 1); }

    /// Until all ranks have the whole of so many vectors.
    [[nodiscard, gnu::cold]] double all_gather_time(std::size_t vectors = 1) const {
        return latest(folds_ ? 1 : halvings_, costs_.without_combines(), static_cast<double>(vectors));
    }

    /// The same of scans, of which only what lies before it reaches a rank. If the upper half of the leaves are of one
    /// kind, the lower half, which has both, goes back while what the upper one still exchanges is under way.
    [[nodiscard, gnu::cold]] double scan_return_time() const {
        if (all_.is_power_of_two() || folds_ || border() > all_.count() / 2) { return all_gather_time(); }
        double upper = 0;
        auto const giving = costs_.without_combines();
        for (std::size_t k = 1; k < halvings_; ++k) { upper += exchange(k, 2, giving); }
        auto const last = all_.levels() - 1;
        return std::max(upper, all_gather_time() - exchange(last, 2, costs_) + costs_.latency(factors(last)));
    }

private:
    // The first leaf that is not a rank's only one.
    [[nodiscard]] std::size_t border() const { return all_.is_power_of_two() ? all_.count() : 2 * all_.fold.pairs; }

    [[nodiscard, gnu::noinline, gnu::cold]] double latest(std::size_t levels, message_costs const& costs,
                                                          double vectors) const {
        auto const meet = static_cast<std::size_t>(std::countr_zero(border()));
        double of_one = 0, of_two = 0, result = 0;
        for (std::size_t k = 0; k != levels; ++k) {
            auto const twice =
                k == 0 || all_.is_power_of_two() ? 0 : exchange(k, (folds_ ? 1.0 : 2.0) * vectors, costs);
            of_one += exchange(k, vectors, costs);
            of_two += twice;
            result = k < meet ? std::max(of_one, of_two) : result + twice;
        }
        return result;
    }

    [[nodiscard, gnu::cold]] double bytes(std::size_t level, double vectors) const {
        return vectors * static_cast<double>(now_.bytes) /
               static_cast<double>(std::size_t{1} << std::min(level + 1, halvings_));
    }
    // Groups are of 2^level ranks, or somewhat more.
    [[nodiscard, gnu::cold]] contention factors(std::size_t level) const {
        return now_.contention_of_changing_partners((std::size_t{1} << level) * now_.size / std::bit_floor(now_.size));
    }
    [[nodiscard, gnu::cold]] double exchange(std::size_t level, double vectors, message_costs const& costs) const {
        return costs.exchange(bytes(level, vectors), factors(level));
    }

    hypercube all_;
    std::size_t halvings_;
    bool folds_;
    message_costs const& costs_;
    call_parameters const& now_;  // outlives this
};

}  // namespace tutti
