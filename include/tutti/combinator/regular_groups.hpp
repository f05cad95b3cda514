// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include <tutti/combinator/group.hpp>
#include <tutti/problem.hpp>

namespace tutti::groups {

/// Consecutive ranks, `ranks_per_node` at a time; the last node may have fewer.
struct nodes {
    std::size_t ranks_per_node = 1;
    static constexpr bool keeps_order = true;

    [[nodiscard]] group group_of(std::size_t rank, problem const& at) const {
        check_width(ranks_per_node, "nodes::ranks_per_node");
        auto const first = rank - rank % ranks_per_node;
        return group::of(rank, first, 1, first + std::min(ranks_per_node, at.size - first), at.root);
    }
    [[nodiscard]] std::array<std::size_t, 4> representatives(problem const& at) const {
        check_width(ranks_per_node, "nodes::ranks_per_node");
        return {0, std::min(ranks_per_node, at.size - 1), at.root, at.size - 1};
    }
    [[nodiscard]] std::string name() const { return "nodes"; }
    friend bool operator==(nodes const&, nodes const&) = default;
};

/// The first rank of every node, in one group; all others do nothing.
struct leaders {
    std::size_t ranks_per_node = 1;
    static constexpr bool keeps_order = true;

    [[nodiscard]] group group_of(std::size_t rank, problem const& at) const {
        check_width(ranks_per_node, "leaders::ranks_per_node");
        if (rank % ranks_per_node != 0) { return group::of(rank, rank, 1, rank + 1, at.root); }
        return group::of(rank, 0, ranks_per_node, at.size, at.root);
    }
    [[nodiscard]] std::array<std::size_t, 1> representatives(problem const&) const { return {0}; }
    [[nodiscard]] std::string name() const { return "leaders"; }
    friend bool operator==(leaders const&, leaders const&) = default;
};

/// The rows of a mesh that has `columns` columns and is filled row by row; the last row may be shorter.
struct rows {
    std::size_t columns = 1;
    static constexpr bool keeps_order = true;

    [[nodiscard]] group group_of(std::size_t rank, problem const& at) const {
        check_width(columns, "rows::columns");
        return nodes{columns}.group_of(rank, at);
    }
    [[nodiscard]] auto representatives(problem const& at) const { return nodes{columns}.representatives(at); }
    [[nodiscard]] std::string name() const { return "rows"; }
    friend bool operator==(rows const&, rows const&) = default;
};

/// The columns of a mesh that has `count` columns and is filled row by row.
struct columns {
    std::size_t count = 1;
    static constexpr bool keeps_order = false;

    [[nodiscard]] group group_of(std::size_t rank, problem const& at) const {
        check_width(count, "columns::count");
        return group::of(rank, rank % count, count, at.size, at.root);
    }
    /// Columns differ by one row at most, and one of each kind has the root: two from either end show them all.
    [[nodiscard]] std::array<std::size_t, 5> representatives(problem const& at) const {
        check_width(count, "columns::count");
        auto const last = std::min(count, at.size) - 1;
        return {0, std::min<std::size_t>(1, last), last == 0 ? 0 : last - 1, last, at.root};
    }
    [[nodiscard]] std::string name() const { return "columns"; }
    friend bool operator==(columns const&, columns const&) = default;
};

}  // namespace tutti::groups
