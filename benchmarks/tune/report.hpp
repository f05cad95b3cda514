// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iomanip>
#include <ostream>
#include <string_view>
#include <vector>

#include <tutti/collective/explain.hpp>
#include <tutti/cost/file.hpp>

#include "rules.hpp"
#include "trial.hpp"

namespace tutti::benchmark::tuning {

/// A line for every algorithm, the fastest first, with a star where it is chosen by costs and a plus if better.
inline void print(std::ostream& out, std::string_view collective, std::size_t size, finding const& of) {
    auto const* const better = of.better_choice();
    std::vector<trial const*> order;
    for (auto const& each : of.trials) { order.push_back(&each); }
    std::sort(order.begin(), order.end(), [](auto const* a, auto const* b) { return a->measured() < b->measured(); });
    out << '\n'
        << collective << " of " << of.bytes << " bytes on " << size << " ranks; microseconds\n"
        << "      measured    expected\n"
        << std::fixed << std::setprecision(2);
    for (auto const* each : order) {
        out << (each->expected.chosen ? "* "
                : each == better      ? "+ "
                                      : "  ")
            << std::setw(12) << each->measured() * 1e6 << std::setw(12) << each->expected.seconds * 1e6 << "  "
            << selection::to_string(each->expected) << '\n';
    }
    out << std::flush;
}

inline void print(std::ostream& out, std::vector<choice_rule> const& rules) {
    out << "\n* is expected to take the least time; + is faster by 5 % and more, always\n";
    if (rules.empty()) { out << "no rules are needed\n"; }
    for (auto const& each : rules) { out << model_file::line_of(each) << '\n'; }
    out << std::flush;
}

}  // namespace tutti::benchmark::tuning
