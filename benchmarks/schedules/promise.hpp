// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <string_view>

namespace tutti::generation {

/// What a generator's documentation says that the schedule of one rank costs, besides its steps: as powers of the
/// number of ranks and of blocks, logarithms left out.
struct promise {
    double ranks = 0;
    double blocks = 0;
    std::string_view words = "O(log p)";
};

/// A generator that is not listed promises what the concept asks for: to cost what its rank does.
[[nodiscard]] constexpr promise promise_of(std::string_view generator) {
    struct entry {
        std::string_view generator;
        promise made;
    };
    constexpr std::array listed{
        entry{"linear", {0, 0, "O(1)"}},
        entry{"pipeline", {0, 0, "O(1)"}},
        entry{"uni_greedy", {1, 1, "O(p q)"}},
        entry{"bi_greedy", {1, 1, "O(p (q + log p))"}},
        entry{"overlapped_greedy", {1, 0, "O(p)"}},
        entry{"limited_transfers", {1, 0, "O(p)"}},
        entry{"limited_reducers", {1, 0, "O(p)"}},
        entry{"fibonacci", {1, 0, "O(p)"}},
        entry{"arrival_ordered", {1, 0, "O(p log p)"}},
    };
    for (auto const& each : listed) {
        if (each.generator == generator) { return each.made; }
    }
    return {};
}

}  // namespace tutti::generation
