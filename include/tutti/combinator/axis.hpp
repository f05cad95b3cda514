// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>

#include <tutti/combinator/group.hpp>
#include <tutti/problem.hpp>

namespace tutti {

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
        check(at.size);
        auto const first = rank - rank / stride % ranks * stride;
        return group::of(rank, first, stride, first + (ranks - 1) * stride + 1, at.root);
    }
    /// If there are several lines, the first and the last rank are on different ones, so one of the two has no root.
    [[nodiscard]] std::array<std::size_t, 3> of_every_kind(problem const& at) const {
        check(at.size);
        return {0, at.root, at.size - 1};
    }
    [[nodiscard]] std::string name() const { return "axis"; }
    friend bool operator==(axis const&, axis const&) = default;

private:
    void check(std::size_t size) const {
        check_width(stride, "axis::stride");
        check_width(ranks, "axis::ranks");
        if (size % stride != 0 || size / stride % ranks != 0) {
            throw std::invalid_argument{"tutti: " + std::to_string(size) + " ranks are not a mesh with an axis of " +
                                        std::to_string(ranks) + " ranks and stride " + std::to_string(stride) +
                                        "; choose factors of the number of ranks"};
        }
    }
};

}  // namespace tutti
