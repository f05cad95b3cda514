// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <tutti/analysis/expression.hpp>
#include <tutti/problem.hpp>

namespace tutti::analysis::symbolic {

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
        return holds(traits.gives, rank, block) ? expressions::operand(rank) : nothing;
    }

    /// Whether `block` of `held` counts on `rank`; if so `due` is what it must hold.
    [[nodiscard]] bool owed(std::size_t rank, buffer held, std::size_t block) const {
        if (held == buffer::prefix()) { return traits.prefix; }
        return held == buffer::result() && holds(traits.is_owed, rank, block);
    }

    [[nodiscard]] operands due(std::size_t rank, buffer held, std::size_t block) const {
        if (held == buffer::prefix()) { return {0, rank}; }
        switch (traits.result) {
        case collective::operands::of_all: return {0, size};
        case collective::operands::up_to_own: return {0, rank + 1};
        case collective::operands::of_root: return {root, root + 1};
        case collective::operands::of_owner: return {owner(block), owner(block) + 1};
        }
        return {0, 0};
    }

private:
    static constexpr auto traits = collective::traits<Collective>;

    [[nodiscard]] bool holds(collective::holder who, std::size_t rank, std::size_t block) const {
        switch (who) {
        case collective::holder::none: return false;
        case collective::holder::root: return rank == root;
        case collective::holder::owner: return rank == owner(block);
        case collective::holder::every_rank: return true;
        }
        return false;
    }

    [[nodiscard]] std::size_t owner(std::size_t block) const { return ownership::owner_of(block, size, blocks); }
};

}  // namespace tutti::analysis::symbolic
