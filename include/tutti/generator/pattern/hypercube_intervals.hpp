// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>

#include <tutti/generator/pattern/halving.hpp>
#include <tutti/generator/pattern/hypercube.hpp>
#include <tutti/schedule.hpp>

namespace tutti {

/// Which blocks the leaves of a hypercube share out among themselves, level by level, as intervals.
///
/// In the first `halvings` levels partners, which have the same interval, keep one half each and give the other one
/// away. In later levels both keep all they have. If leaves fold, in the first level the lower partner keeps everything
/// and the upper one nothing.
struct hypercube_intervals {
    std::size_t blocks;
    std::size_t halvings;
    bool folds = false;

    /// What a leaf has after the first `levels` levels. Cost: O(levels).
    [[nodiscard]] constexpr block_range interval(std::size_t leaf, std::size_t levels) const {
        auto const halved = std::min(levels, halvings);
        if (!folds || halved == 0) { return halving{leaf, blocks}.kept(halved); }
        return leaf % 2 == 0 ? halving{leaf / 2, blocks}.kept(halved - 1) : block_range{};
    }

    [[nodiscard]] block_list kept(leaf_range which, std::size_t levels) const {
        block_list result;
        for (auto leaf = which.first; leaf < which.last; ++leaf) { result.append(interval(leaf, levels)); }
        return result;
    }
};

}  // namespace tutti
