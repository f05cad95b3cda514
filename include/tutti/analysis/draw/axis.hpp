// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <tutti/analysis/draw/number.hpp>

namespace tutti::draw {

/// A time axis: where times lie, and which of them to mark.
class axis {
public:
    /// Times [0, end] on [from, from + length], with marks at least `gap` apart.
    axis(double end, double from, double length, double gap)
        : from_{from}, scale_{end > 0 ? length / end : 0}, end_{end} {
        if (scale_ == 0) {
            step_ = 1;
            return;
        }
        auto const least = gap / scale_;
        step_ = std::pow(10.0, std::floor(std::log10(least)));
        for (double const factor : {1.0, 2.0, 5.0, 10.0}) {
            if (factor * step_ >= least) {
                step_ *= factor;
                break;
            }
        }
        // small whole times need no marks between them
        if (step_ < 1 && end == std::floor(end) && end >= 4) { step_ = 1; }
    }

    [[nodiscard]] double at(double time) const { return from_ + time * scale_; }

    [[nodiscard]] std::vector<double> marks() const {
        std::vector<double> result;
        for (int i = 0; i * step_ <= end_ * (1 + 1e-9); ++i) { result.push_back(i * step_); }
        return result;
    }

    /// A mark's time as text, without what rounding added.
    [[nodiscard]] static std::string label(double time) { return number(std::round(time * 1e9) / 1e9); }

private:
    double from_;
    double scale_;
    double end_;
    double step_ = 1;
};

}  // namespace tutti::draw
