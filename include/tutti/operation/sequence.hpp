// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <functional>
#include <optional>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/operation.hpp>
#include <tutti/operation/combine.hpp>

/// The canonical tree over the elements of a sequence, in one process.
///
/// The tree over [first, last) combines the trees over the first 2^k elements and over the others, 2^k the largest
/// power of two below last - first. The tree over n elements consists of perfect trees, one for each binary digit of n
/// that is 1, the largest first: a stack of them is all that has to be known of the elements so far.
namespace tutti::sequence {

/// left ⊕ right as a value.
template <class T, class Op>
[[nodiscard]] constexpr T combined(Op& op, T const& left, T const& right) {
    if constexpr (operators::is_block_operator<std::remove_cvref_t<Op>>) {
        T out = left;
        std::invoke(op, std::span<T const>{&out, 1}, std::span<T const>{&right, 1}, std::span<T>{&out, 1});
        return out;
    } else {
        return static_cast<T>(std::invoke(op, left, right));
    }
}

/// Elements that are combined in registers and in small arrays.
template <class T, class Op>
inline constexpr bool in_registers = kernel::is_small<T> && std::is_default_constructible_v<T> &&
                                     !operators::is_block_operator<std::remove_cvref_t<Op>>;

/// Elements in a block whose trees are combined level by level, in a processor's cache.
inline constexpr std::size_t block = 1024;

/// The perfect tree over N elements, written out.
template <std::size_t N, class T, class Op>
[[nodiscard, gnu::always_inline]] inline T perfect(T const* first, Op& op) {
    if constexpr (N == 1) {
        return *first;
    } else {
        T const left = sequence::perfect<N / 2>(first, op);  // first: memory is read forwards
        return sequence::combined<T>(op, left, sequence::perfect<N / 2>(first + N / 2, op));
    }
}

/// Whether the compiler fills registers with several elements of this size only if four trees are written side by
/// side. g++ 12 does so: 100,000 doubles by -O3 take 1.31 and 0.90 of std::reduce (AMD EPYC, one rank, 2026-11-25,
/// by `./dev bench sequences`).
#if defined(__clang__)
template <class T>
inline constexpr bool side_by_side = false;
#else
template <class T>
inline constexpr bool side_by_side = sizeof(T) == 8;
#endif

/// The perfect trees over the N elements at `first`, and 8, 16 and 24 elements behind it.
template <std::size_t N, class T, class Op>
[[nodiscard, gnu::always_inline]] inline std::array<T, 4> four_perfect(T const* first, Op& op) {
    std::array<T, 4> result;
    if constexpr (N == 1) {
        for (std::size_t i = 0; i != 4; ++i) { result[i] = first[8 * i]; }
    } else {
        auto const left = sequence::four_perfect<N / 2>(first, op);
        auto const right = sequence::four_perfect<N / 2>(first + N / 2, op);
        for (std::size_t i = 0; i != 4; ++i) { result[i] = sequence::combined<T>(op, left[i], right[i]); }
    }
    return result;
}

/// Writes the perfect trees over eight elements each to `out`, which may be `first`. They do not depend on one another.
template <class T, class Op>
void perfect_trees_of_8(T const* first, T* out, std::size_t trees, Op& op) {
    std::size_t i = 0;
    if constexpr (side_by_side<T>) {
        for (; i + 4 <= trees; i += 4) {
            auto const four = sequence::four_perfect<8>(first + 8 * i, op);
            for (std::size_t j = 0; j != 4; ++j) { out[i + j] = four[j]; }
        }
    }
    for (; i != trees; ++i) { out[i] = sequence::perfect<8>(first + 8 * i, op); }
}

/// The perfect tree over at most `block` elements.
template <class T, class Op>
[[nodiscard]] T perfect_in_registers(T const* first, std::size_t count, Op& op) {
    T level[block / 8];
    for (; count >= 8; first = level) {
        count /= 8;
        sequence::perfect_trees_of_8(first, level, count, op);
    }
    switch (count) {
    case 1: return *first;
    case 2: return sequence::perfect<2>(first, op);
    default: return sequence::perfect<4>(first, op);
    }
}

/// The perfect tree over `count` elements, a power of two.
template <class T, class Op>
[[nodiscard]] T perfect(T const* first, std::size_t count, Op& op) {
    if constexpr (in_registers<T, Op>) {
        if (count <= block) { return sequence::perfect_in_registers(first, count, op); }
    }
    if (count == 1) { return *first; }
    if (count == 2) { return sequence::combined<T>(op, first[0], first[1]); }
    T const left = sequence::perfect(first, count / 2, op);
    return sequence::combined<T>(op, left, sequence::perfect(first + count / 2, count / 2, op));
}

/// The canonical tree over `count` elements, of which there are some.
template <class T, class Op>
[[nodiscard]] T canonical(T const* first, std::size_t count, Op& op) {
    auto const most = std::bit_floor(count);
    if (most == count) { return sequence::perfect(first, count, op); }
    T const left = sequence::perfect(first, most, op);
    return sequence::combined<T>(op, left, sequence::canonical(first + most, count - most, op));
}

/// Calls `use(first, count)` for the largest aligned blocks of 2^k positions that fill [first, last), from left to
/// right: the largest subtrees of the tree over all positions that these elements make up. At most 2 log2 of their
/// number.
template <class Use>
constexpr void for_each_subtree(std::size_t first, std::size_t last, Use use) {
    while (first != last) {
        auto const longest = std::bit_floor(last - first);
        auto const aligned = first == 0 ? longest : first & (~first + 1);
        auto const count = std::min(longest, aligned);
        use(first, count);
        first += count;
    }
}

[[nodiscard]] constexpr std::size_t subtrees_of(std::size_t first, std::size_t last) {
    std::size_t result = 0;
    for_each_subtree(first, last, [&](std::size_t, std::size_t) { ++result; });
    return result;
}

/// The trees over the elements so far, one for each binary digit of their number.
template <class T, class Op>
class trees_so_far {
public:
    explicit trees_so_far(Op& op) : op_{op} {}

    /// Adds the tree over the next `count` elements, a power of two that divides the number of elements so far.
    void add(T tree, std::size_t count) {
        elements_ += count;
        // elements of trees of `count` elements that are complete now
        for (; (elements_ & count) == 0; count *= 2) {
            tree = sequence::combined<T>(op_, trees_.back(), tree);
            trees_.pop_back();
        }
        trees_.push_back(std::move(tree));
    }

    [[nodiscard]] std::size_t elements() const { return elements_; }
    [[nodiscard]] bool empty() const { return trees_.empty(); }

    /// The tree over all elements; there must be some.
    [[nodiscard]] T total() const {
        auto rest = trees_.size() - 1;
        T result = trees_[rest];
        while (rest-- > 0) { result = sequence::combined<T>(op_, trees_[rest], result); }
        return result;
    }

    /// Puts them in front of what some of the next elements combine to, each by itself: `count` prefixes.
    void put_before(T* prefixes, std::size_t count) const {
        for (auto i = trees_.size(); i-- > 0;) {
            for (std::size_t j = 0; j != count; ++j) {
                prefixes[j] = sequence::combined<T>(op_, trees_[i], prefixes[j]);
            }
        }
    }

    /// Replaces the elements of the next block of `count`, a power of two that divides the number of those so far, by
    /// their prefixes, and adds the block. Cost: log2(n) / 2 combines for each.
    void scan(T* elements, std::size_t count) { add(scan_block(elements, count), count); }

private:
    // The tree over the block; a left half counts as one more tree while its right half is scanned.
    T scan_block(T* elements, std::size_t count) {
        if (count == 1) {
            T const tree = *elements;
            put_before(elements, 1);
            return tree;
        }
        if constexpr (in_registers<T, Op>) {
            if (count <= block) {
                for (std::size_t half = 1; half != count; half *= 2) {
                    for (std::size_t first = 0; first != count; first += 2 * half) {
                        T const left = elements[first + half - 1];
                        T* const right = elements + first + half;
                        for (std::size_t j = 0; j != half; ++j) {
                            right[j] = sequence::combined<T>(op_, left, right[j]);
                        }
                    }
                }
                T const tree = elements[count - 1];
                put_before(elements, count);
                return tree;
            }
        }
        T left = scan_block(elements, count / 2);
        trees_.push_back(left);
        T const right = scan_block(elements + count / 2, count / 2);
        trees_.pop_back();
        return sequence::combined<T>(op_, left, right);
    }

    Op& op_;
    std::vector<T> trees_;
    std::size_t elements_ = 0;
};

}  // namespace tutti::sequence

namespace tutti {

/// x_0 ⊕ x_1 ⊕ … ⊕ x_{n-1} by the canonical tree over the positions 0 … n - 1.
///
/// Requires: ⊕ associative, elements that can be copied, a contiguous range.
/// Result: nothing if the range is empty.
/// Order: the order of the range. The tree, and so the bits, depend on n alone. Floating-point sums have the bits of
/// pairwise summation, whose error grows like log n. `all_reduce_sequence` has the same tree.
/// Errors: the exceptions of ⊕.
/// Cost: n - 1 combines; for small elements, eight independent ones at a time.
template <std::ranges::contiguous_range Range, class Op>
    requires operators::operator_on<Op, std::ranges::range_value_t<Range>>
[[nodiscard]] std::optional<std::ranges::range_value_t<Range>> reduce_sequence(Range const& range, Op&& op) {
    auto const n = static_cast<std::size_t>(std::ranges::size(range));
    if (n == 0) { return std::nullopt; }
    return sequence::canonical(std::ranges::data(range), n, op);
}

}  // namespace tutti
