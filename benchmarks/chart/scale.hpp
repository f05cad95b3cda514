// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/analysis/draw/svg_page.hpp>

namespace tutti::charts {

/// A marked value of an axis; without a label, only a thin line.
struct tick {
    double value;
    std::string label;
};

/// Where values lie between 0 and 1 along an axis, linear or logarithmic, and which of them to mark.
class scale {
public:
    /// An axis of data that lies in [least, greatest], widened to round values.
    scale(double least, double greatest, bool logarithmic) : logarithmic_{logarithmic} {
        if (logarithmic_) {
            from_ = below(least);
            to_ = above(greatest);
        } else {
            step_ = step_of(greatest - least);
            from_ = std::floor(least / step_ + 1e-9) * step_;
            to_ = std::ceil(greatest / step_ - 1e-9) * step_;
        }
        if (from_ == to_) {
            from_ = logarithmic_ ? from_ / 10 : from_ - step_;
            to_ = logarithmic_ ? to_ * 10 : to_ + step_;
        }
    }

    /// An axis from exactly `from` to exactly `to`.
    [[nodiscard]] static scale exact(double from, double to, bool logarithmic) {
        scale result{from, to, logarithmic};
        if (from < to) {
            result.from_ = from;
            result.to_ = to;
        }
        return result;
    }

    [[nodiscard]] double at(double value) const { return (bent(value) - bent(from_)) / (bent(to_) - bent(from_)); }

    [[nodiscard]] bool shows(double value) const {
        return std::isfinite(value) && (!logarithmic_ || value > 0) && at(value) > -1e-9 && at(value) < 1 + 1e-9;
    }

    [[nodiscard]] std::vector<tick> ticks() const {
        std::vector<tick> result;
        auto const add = [&](double value, std::string label) {
            if (shows(value)) { result.push_back({value, std::move(label)}); }
        };
        if (!logarithmic_) {
            for (auto i = std::ceil(from_ / step_ - 1e-9); i * step_ <= to_ + 1e-9 * step_; ++i) {
                add(i * step_, draw::axis::label(i * step_));
            }
            return result;
        }
        auto const decades = std::log10(to_ / from_);
        auto const every = std::max(1, static_cast<int>(decades / 8));
        for (int power = first_power(); std::pow(10.0, power) <= to_ * (1 + 1e-9); ++power) {
            for (int digit = 1; digit < 10; ++digit) {
                bool const named = digit == 1 ? power % every == 0 : decades < 2.5 && (digit == 2 || digit == 5);
                if (!named && decades > 5) { continue; }
                add(digit * std::pow(10.0, power), named ? power_of_ten(digit, power) : "");
            }
        }
        return result;
    }

private:
    [[nodiscard]] double bent(double value) const { return logarithmic_ ? std::log10(value) : value; }
    [[nodiscard]] int first_power() const { return static_cast<int>(std::floor(std::log10(from_) + 1e-9)); }

    /// 1, 2 or 5 times a power of ten, for about five steps.
    static double step_of(double range) {
        if (!(range > 0)) { return 1; }
        auto const least = range / 6;
        auto const power = std::pow(10.0, std::floor(std::log10(least)));
        for (double const factor : {1.0, 2.0, 5.0}) {
            if (factor * power >= least) { return factor * power; }
        }
        return 10 * power;
    }

    static double below(double value) {
        auto const power = std::pow(10.0, std::floor(std::log10(value) + 1e-9));
        return value >= 5 * power ? 5 * power : value >= 2 * power ? 2 * power : power;
    }
    static double above(double value) {
        auto const power = std::pow(10.0, std::floor(std::log10(value) + 1e-9));
        auto const reach = value * (1 - 1e-9);
        return reach <= power ? power : reach <= 2 * power ? 2 * power : reach <= 5 * power ? 5 * power : 10 * power;
    }

    static std::string power_of_ten(int digit, int power) {
        if (power >= -2 && power <= 3) { return draw::axis::label(digit * std::pow(10.0, power)); }
        constexpr std::array<std::string_view, 10> raised{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
        std::string result = digit == 1 ? "10" : std::to_string(digit) + "·10";
        if (power < 0) { result += "⁻"; }
        for (auto const letter : std::to_string(std::abs(power))) {
            result += raised[static_cast<std::size_t>(letter - '0')];
        }
        return result;
    }

    bool logarithmic_;
    double from_ = 0;
    double to_ = 1;
    double step_ = 1;
};

}  // namespace tutti::charts
