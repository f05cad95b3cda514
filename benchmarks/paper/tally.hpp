// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>

#include "exhibit.hpp"

namespace tutti::paper {

/// In how many of all cases something holds.
struct tally {
    std::size_t yes = 0;
    std::size_t cases = 0;

    void add(bool holds) {
        yes += holds ? 1U : 0U;
        ++cases;
    }

    /// The claim that it holds in all cases.
    [[nodiscard]] claim all(std::string what, std::string why_not) const {
        return {std::move(what), share(cases, cases) + " cases", share(yes, cases) + " cases", yes == cases,
                std::move(why_not)};
    }

    friend tally operator+(tally a, tally b) { return {a.yes + b.yes, a.cases + b.cases}; }
};

}  // namespace tutti::paper
