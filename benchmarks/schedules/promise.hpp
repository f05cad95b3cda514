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

/// A generator that is not listed promises what the concept asks for: to cost what its rank does. `divides`: in a
/// collective in which every rank owns a part of the vector.
[[nodiscard]] constexpr promise promise_of(std::string_view generator, bool divides) {
    enum class where { anywhere, parts };
    struct entry {
        std::string_view generator;
        promise made;
        where in = where::anywhere;
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
        entry{"postal_tree", {1, 0, "O(p)"}},
        entry{"arrival_ordered", {1, 0, "O(p log p)"}},
        entry{"ring", {0, 0, "O(1)"}},
        entry{"direct_exchange", {0, 0, "O(1)"}},
        entry{"sorted_linear_tree", {1, 0, "O(p log p)"}},
        entry{"pre_reduced_ring", {1, 0, "O(p log p)"}},
        entry{"front_loaded_ring", {1, 0, "O(p log p)"}},
        entry{"late_rank", {1, 0, "O(p log p)"}},
        entry{"bucket", {0, 0, "O(1)"}},
        entry{"pairwise", {0, 0, "O(1)"}},
        entry{"ordered", {1, 0, "O(p)"}},
        entry{"split", {1, 0, "O(p)"}, where::parts},
        entry{"mesh", {0.5, 0, "O(sqrt p)"}},
        entry{"ordered_mesh", {1, 0, "O(p log p)"}},
        entry{"round_optimal", {1, 0, "O(p (log p + steps))"}, where::parts},
        entry{"multi_lane", {1, 0, "O(p)"}},
    };
    for (auto const& each : listed) {
        if (each.generator == generator && (divides || each.in == where::anywhere)) { return each.made; }
    }
    return {};
}

}  // namespace tutti::generation
