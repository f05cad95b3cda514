// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace tutti::analysis::symbolic {

/// What a block holds: nothing, the operand of one rank, or a tree of combines. Equal trees are equal values.
using value = std::uint32_t;
inline constexpr value nothing = 0;

/// All trees of combines that occur in one run, each stored once.
///
/// The canonical tree over operands [first, last) combines the canonical trees of the first 2^k operands and of the
/// others, where 2^k is the largest power of two below last - first. Over [0, 2^k) it is the perfect binary tree, and
/// the canonical tree over [0, n) consists of the perfect trees that the binary digits of n name.
class expressions {
public:
    explicit expressions(std::size_t size) : nodes_(size + 1), size_{size} {
        for (std::size_t rank = 0; rank < size; ++rank) {
            nodes_[rank + 1] = {nothing, nothing, rank, rank + 1, true, true};
        }
    }

    /// What `rank` contributes.
    [[nodiscard]] static value operand(std::size_t rank) { return static_cast<value>(rank + 1); }

    /// left ⊕ right; both must hold something.
    [[nodiscard]] value combine(value left, value right) {
        auto const key = (std::uint64_t{left} << 32U) | right;
        auto const [at, is_new] = known_.try_emplace(key, static_cast<value>(nodes_.size()));
        if (is_new) {
            auto const& a = nodes_[left];
            auto const& b = nodes_[right];
            bool const ascending = a.ascending && b.ascending && a.last == b.first;
            bool const canonical = ascending && a.canonical && b.canonical &&
                                   a.last - a.first == std::bit_floor(b.last - a.first - 1);
            nodes_.push_back({left, right, a.first, b.last, ascending, canonical});
        }
        return at->second;
    }

    /// The expression with all its brackets, e.g. "((0+1)+2)"; "" for nothing.
    [[nodiscard]] std::string text(value of) const {
        if (of == nothing) { return {}; }
        auto const& tree = nodes_[of];
        if (tree.left == nothing) { return std::to_string(tree.first); }
        return '(' + text(tree.left) + '+' + text(tree.right) + ')';
    }

    /// Whether `of` is the canonical tree over its operands; nothing is.
    [[nodiscard]] bool is_canonical(value of) const { return of == nothing || nodes_[of].canonical; }

    /// Why `of` is not the combination of the operands of ranks [first, last), each once, and, if `ordered`, in
    /// that order; "" when it is. Reads as the end of "rank 3, block 2: result ...".
    [[nodiscard]] std::string complaint(value of, std::size_t first, std::size_t last, bool ordered) const {
        if (of == nothing) { return first == last ? "" : "is empty"; }
        auto const& tree = nodes_[of];
        if (tree.ascending && tree.first == first && tree.last == last) { return {}; }
        std::vector<char> seen(size_, 0);
        std::vector<value> open{of};
        std::size_t previous = first;
        std::string disorder;
        // ends at the first operand that occurs twice, hence after at most `size` operands
        while (!open.empty()) {
            auto const& here = nodes_[open.back()];
            open.pop_back();
            if (here.left != nothing) {
                open.push_back(here.right);
                open.push_back(here.left);
                continue;
            }
            auto const rank = here.first;
            if (rank < first || rank >= last) {
                return "holds the contribution of rank " + std::to_string(rank) + " and must not";
            }
            if (seen[rank] != 0) { return "holds the contribution of rank " + std::to_string(rank) + " twice"; }
            seen[rank] = 1;
            if (rank < previous && disorder.empty()) {
                disorder = "holds the contribution of rank " + std::to_string(rank) + " to the right of that of rank " +
                           std::to_string(previous) + ", though it claims to keep operands in rank order";
            }
            previous = rank;
        }
        for (auto rank = first; rank < last; ++rank) {
            if (seen[rank] == 0) { return "lacks the contribution of rank " + std::to_string(rank); }
        }
        return ordered ? disorder : "";
    }

private:
    struct node {
        value left = nothing;
        value right = nothing;
        std::size_t first = 0;   // the operands, if ascending: ranks [first, last)
        std::size_t last = 0;
        bool ascending = false;
        bool canonical = false;
    };

    std::vector<node> nodes_;
    std::unordered_map<std::uint64_t, value> known_;
    std::size_t size_;
};

}  // namespace tutti::analysis::symbolic
