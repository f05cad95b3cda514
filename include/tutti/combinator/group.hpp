// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>

#include <tutti/problem.hpp>

namespace tutti::groups {

/// The group of one rank: ranks first, first + stride, ..., `size` of them. A rank that takes no part is a group by
/// itself.
struct group {
    std::size_t size;
    std::size_t position;   ///< of the rank that was asked for
    std::size_t root;       ///< position of the group's root
    std::size_t first;
    std::size_t stride;

    [[nodiscard]] constexpr std::size_t rank_at(std::size_t position_in_group) const {
        return first + position_in_group * stride;
    }

    /// The group of `rank` among the ranks below `end`; its root is `root` if it has it, else its first rank.
    static constexpr group of(std::size_t rank, std::size_t first, std::size_t stride, std::size_t end,
                              std::size_t root) {
        auto const size = (end - first + stride - 1) / stride;
        bool const has_root = root >= first && root < end && (root - first) % stride == 0;
        return {size, (rank - first) / stride, has_root ? (root - first) / stride : 0, first, stride};
    }
};

/// The members of the group of a rank: as in a `group`, or of a type with the same members where ranks do not lie at
/// equal distances.
template <class G>
concept rank_group = requires(G const& members, std::size_t position) {
    { members.size } -> std::convertible_to<std::size_t>;
    { members.position } -> std::convertible_to<std::size_t>;
    { members.root } -> std::convertible_to<std::size_t>;
    { members.rank_at(position) } -> std::same_as<std::size_t>;
};

/// A division of the ranks into groups, the same on every rank. `representatives` gives at least one rank out of
/// every size of group with every position of its root. `keeps_order`: every group reduced to its
/// first rank leaves operands in rank order.
template <class G>
concept grouping = std::regular<G> && requires(G const& groups, std::size_t rank, problem const& at) {
    { groups.group_of(rank, at) } -> rank_group;
    { *groups.representatives(at).begin() } -> std::convertible_to<std::size_t>;
    { G::keeps_order } -> std::convertible_to<bool>;
    { groups.name() } -> std::convertible_to<std::string>;
};

/// Groups that share the vector out: each works on its own blocks and leaves the others alone. `representatives` also
/// gives at least one rank for each way in which such parts are cut.
template <class G>
concept sharing_groups = grouping<G> && requires(G const& groups, std::size_t rank, problem const& at) {
    { groups.part_of(rank, at) } -> std::same_as<schedules::block_range>;
};

/// Throws unless groups of `width` ranks are possible; `what` names the number as users type it.
inline void check_width(std::size_t width, char const* what) {
    if (width == 0) { throw std::invalid_argument{"tutti: " + std::string{what} + " must be at least 1"}; }
}

/// The lines of a mesh along one of its axes: groups of `ranks` ranks that differ in that coordinate only, `stride`
/// ranks between neighbours.
///
/// In a mesh of d_0 x ... x d_{k-1} ranks, numbered with the last coordinate fastest, axis m has d_m ranks with stride
/// d_{m+1} ... d_{k-1}.
/// Errors: std::invalid_argument, when schedules are generated, unless lines of that length fill the communicator.
struct axis {
    std::size_t stride = 1;
    std::size_t ranks = 1;
    static constexpr bool keeps_order = false;

    [[nodiscard]] group group_of(std::size_t rank, problem const& at) const {
        check_size(at.size);
        auto const first = rank - rank / stride % ranks * stride;
        return group::of(rank, first, stride, first + (ranks - 1) * stride + 1, at.root);
    }
    /// If there are several lines, the first and the last rank are on different ones, so one of the two has no root.
    [[nodiscard]] std::array<std::size_t, 3> representatives(problem const& at) const {
        check_size(at.size);
        return {0, at.root, at.size - 1};
    }
    [[nodiscard]] std::string name() const { return "axis"; }
    friend bool operator==(axis const&, axis const&) = default;

private:
    void check_size(std::size_t size) const {
        check_width(stride, "axis::stride");
        check_width(ranks, "axis::ranks");
        if (size % stride != 0 || size / stride % ranks != 0) {
            throw std::invalid_argument{"tutti: " + std::to_string(size) + " ranks are not a mesh with an axis of " +
                                        std::to_string(ranks) + " ranks and stride " + std::to_string(stride) +
                                        "; choose factors of the number of ranks"};
        }
    }
};

}  // namespace tutti::groups
