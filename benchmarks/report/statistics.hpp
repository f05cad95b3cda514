// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cells.hpp"
#include "comparison.hpp"

namespace tutti::report {

class geometric_mean {
public:
    void add(double value) {
        logarithms_ += std::log(value);
        ++count_;
    }
    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] std::optional<double> value() const {
        if (count_ == 0) { return std::nullopt; }
        return std::exp(logarithms_ / static_cast<double>(count_));
    }

private:
    double logarithms_ = 0;
    std::size_t count_ = 0;
};

inline constexpr std::size_t bytes_of_long_vectors = std::size_t{64} << 10;

/// How the automatic choice compares with the best peer over some cells.
struct standing {
    geometric_mean all;
    geometric_mean of_long_vectors;
    std::size_t behind = 0;
    std::size_t behind_noise = 0;  ///< some peer, by more than noise
    double worst = 0;              ///< the least ratio

    void add(contest const& one) {
        auto const ratio = one.ratio();
        worst = all.count() == 0 ? ratio : std::min(worst, ratio);
        all.add(ratio);
        if (one.at->bytes >= bytes_of_long_vectors) { of_long_vectors.add(ratio); }
        if (ratio < 1) { ++behind; }
        if (one.beyond_noise != nullptr) { ++behind_noise; }
    }
};

/// How far the repetitions of one thing lie apart: (max - min) / median, over all that was repeated.
struct noise {
    std::vector<double> spreads = {};  ///< in order
    setting const* worst_setting = nullptr;
    cell const* worst_cell = nullptr;
    timing const* worst = nullptr;

    static double spread(timing const& one) { return (one.most - one.least) / one.median; }

    static noise of(std::vector<setting> const& settings, std::string const& ground) {
        noise result;
        for (auto const& where : settings) {
            if (where.ground != ground) { continue; }
            for (auto const& at : where.cells) {
                for (auto const& each : at.timings) { result.add(where, at, each); }
            }
        }
        std::sort(result.spreads.begin(), result.spreads.end());
        return result;
    }

    /// Requires that something was repeated.
    [[nodiscard]] double median() const {
        auto const n = spreads.size();
        return (spreads[(n - 1) / 2] + spreads[n / 2]) / 2;
    }

private:
    void add(setting const& where, cell const& at, timing const& one) {
        if (one.repetitions < 2 || !(one.median > 0)) { return; }
        spreads.push_back(spread(one));
        if (worst == nullptr || spreads.back() > spread(*worst)) {
            worst_setting = &where;
            worst_cell = &at;
            worst = &one;
        }
    }
};

}  // namespace tutti::report
