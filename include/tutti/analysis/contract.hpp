// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>

#include <tutti/analysis/expression.hpp>
#include <tutti/ownership.hpp>
#include <tutti/problem.hpp>

namespace tutti::symbolic {

/// What a collective gives every rank at first, and what it owes every rank in the end.
template <class Collective>
struct contract {
    std::size_t size;
    std::size_t root;
    std::size_t blocks;

    /// Operands [first, last), each once.
    struct operands {
        std::size_t first;
        std::size_t last;
    };

    /// Whose value `block` of the input of `rank` is; result starts as a copy of it.
    [[nodiscard]] value given(std::size_t rank, std::size_t block) const {
        if constexpr (is<collective::broadcast> || is<collective::scatter>) {
            return rank == root ? expressions::operand(rank) : nothing;
        } else if constexpr (is<collective::all_gather> || is<collective::gather>) {
            return owner(block) == rank ? expressions::operand(rank) : nothing;
        } else {
            return expressions::operand(rank);
        }
    }

    /// Whether `block` of `held` counts on `rank`; if so `due` says what it must hold.
    [[nodiscard]] bool owed(std::size_t rank, buffer held, std::size_t block) const {
        if (held == buffer::prefix()) { return is<collective::exclusive_scan> || is<collective::scan_reduce>; }
        if (held != buffer::result() || is<collective::exclusive_scan>) { return false; }
        if constexpr (is<collective::reduce> || is<collective::gather>) { return rank == root; }
        if constexpr (is<collective::reduce_scatter> || is<collective::scatter>) { return owner(block) == rank; }
        return true;
    }

    [[nodiscard]] operands due(std::size_t rank, buffer held, std::size_t block) const {
        if (held == buffer::prefix()) { return {0, rank}; }
        if constexpr (is<collective::inclusive_scan>) { return {0, rank + 1}; }
        if constexpr (is<collective::broadcast> || is<collective::scatter>) { return {root, root + 1}; }
        if constexpr (is<collective::all_gather> || is<collective::gather>) { return {owner(block), owner(block) + 1}; }
        return {0, size};
    }

private:
    template <class Other>
    static constexpr bool is = std::same_as<Collective, Other>;

    [[nodiscard]] std::size_t owner(std::size_t block) const { return ownership::owner_of(block, size, blocks); }
};

}  // namespace tutti::symbolic
