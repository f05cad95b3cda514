// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

#include <tutti/selection/expectation.hpp>
#include <tutti/selection/situation.hpp>

namespace tutti::selection {

/// "L = 0.9 us, o = 0.3 us, g = 0.3 us, G = 0.25 ns and gamma = 0.1 ns per byte"
[[nodiscard]] inline std::string costs_in_words(situation const& now) {
    constexpr double us = 1e6, ns = 1e9;
    std::ostringstream text;
    text << "L = " << now.link.latency * us << " us, o = " << now.link.overhead * us << " us, g = " << now.link.gap * us
         << " us, G = " << now.link.per_byte * ns << " ns and gamma = " << now.combine_per_byte * ns << " ns per byte";
    return text.str();
}

/// "recursive_multiplying in 1 block, 3 messages at once"
[[nodiscard]] inline std::string in_words(expectation const& of) {
    auto const counted = [](std::size_t n, std::string const& noun) {
        return std::to_string(n) + ' ' + noun + (n == 1 ? "" : "s");
    };
    return of.algorithm + " in " + counted(of.blocks, "block") +
           (of.ports == 0 ? "" : ", " + counted(of.ports, "message") + " at once");
}

/// A line for each; a star says which is chosen.
[[nodiscard]] inline std::string in_words(std::vector<expectation> const& all) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(2);
    for (auto const& each : all) {
        text << (each.chosen ? "* " : "  ") << std::setw(12) << each.seconds * 1e6 << " us  " << in_words(each) << '\n';
    }
    return text.str();
}

}  // namespace tutti::selection
