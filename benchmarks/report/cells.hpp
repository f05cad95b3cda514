// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "rows.hpp"
#include "source.hpp"

namespace tutti::report {

/// What one algorithm of one implementation took, in microseconds.
struct timing {
    std::string implementation;
    std::string algorithm;
    double median;
    double least;
    double most;
    std::size_t repetitions;
    source const* from;

    [[nodiscard]] bool is_ours() const { return implementation == "tutti"; }
    [[nodiscard]] bool is_automatic() const { return is_ours() && algorithm == "automatic"; }
    [[nodiscard]] std::string label() const {
        return !is_ours() && algorithm == "automatic" ? implementation : implementation + ' ' + algorithm;
    }
};

/// One length of vector.
struct cell {
    std::size_t elements;
    std::size_t bytes;
    std::vector<timing> timings;
    std::optional<double> lower_bound = {};  ///< in microseconds, if it is known
};

/// A collective with an operator on so many ranks of a ground: its cells, by length.
struct setting {
    std::string ground;
    std::string collective;
    std::string operator_name;
    std::size_t size;
    std::size_t element_bytes;
    std::vector<cell> cells;

    [[nodiscard]] std::string title() const {
        return collective + (operator_name == "none" ? "" : ", " + operator_name) + ", " + std::to_string(size) +
               (size == 1 ? " rank" : " ranks") +
               (element_bytes == 8 ? "" : ", elements of " + std::to_string(element_bytes) + " bytes");
    }
};

/// Puts the rows of all files together, ground by ground, in the order of the files.
[[nodiscard]] inline std::vector<setting> settings_of(std::deque<source> const& senders) {
    std::vector<setting> result;
    auto const setting_of = [&](std::string const& ground, row const& one) -> setting& {
        auto const found = std::find_if(result.begin(), result.end(), [&](setting const& each) {
            return each.ground == ground && each.collective == one.collective &&
                   each.operator_name == one.operator_name && each.size == one.size &&
                   each.element_bytes == one.element_bytes;
        });
        if (found != result.end()) { return *found; }
        return result.emplace_back(setting{ground, one.collective, one.operator_name, one.size, one.element_bytes, {}});
    };
    auto const cell_of = [](setting& where, row const& one) -> cell& {
        auto const at = std::lower_bound(where.cells.begin(), where.cells.end(), one.elements,
                                         [](cell const& each, std::size_t n) { return each.elements < n; });
        if (at != where.cells.end() && at->elements == one.elements) { return *at; }
        return *where.cells.insert(at, {one.elements, one.elements * one.element_bytes, {}});
    };
    for (auto const& ground : grounds_of(senders)) {
        for (auto const& file : senders) {
            if (file.ground != ground) { continue; }
            for (auto const& one : file.rows) {
                cell_of(setting_of(ground, one), one)
                    .timings.push_back(
                        {one.implementation, one.algorithm, one.median, one.least, one.most, one.repetitions, &file});
            }
        }
    }
    return result;
}

}  // namespace tutti::report
