// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>

#include <tutti/operation.hpp>

namespace tutti {

/// An operator that combines whole blocks instead of single elements.
template <class Op>
struct block_operator {
    [[no_unique_address]] Op base;

    template <class T>
        requires std::invocable<Op&, std::span<T const>, std::span<T const>, std::span<T>>
    constexpr void operator()(std::span<T const> left, std::span<T const> right, std::span<T> out) {
        std::invoke(base, left, right, out);
    }
    template <class T>
        requires std::invocable<Op const&, std::span<T const>, std::span<T const>, std::span<T>>
    constexpr void operator()(std::span<T const> left, std::span<T const> right, std::span<T> out) const {
        std::invoke(base, left, right, out);
    }
};

/// The operator out[i] = left[i] ⊕ right[i] as one function of three blocks of equal length,
/// `f(std::span<T const> left, std::span<T const> right, std::span<T> out)`: for hand-written kernels.
/// Requires that `f` works when `out` is exactly `left` or exactly `right`, treats every element alike, whatever block
/// it comes in, and leaves an element in each place of `out`. It is never called with empty blocks; long ones come in
/// slices.
/// Result: a copy of `f` that is known to take blocks; `on_blocks(std::ref(f))` applies the caller's object.
template <class Op>
[[nodiscard]] constexpr block_operator<std::decay_t<Op>> on_blocks(Op&& f) {
    return {std::forward<Op>(f)};
}

template <class Op, class T>
struct is_commutative<block_operator<Op>, T> : is_commutative<Op, T> {};

template <class Op, class T>
    requires has_identity_v<Op, T>
struct identity<block_operator<Op>, T> {
    static constexpr bool known = true;
    static constexpr T value(block_operator<Op> const& op) { return identity<Op, T>::value(op.base); }
};

template <class Op>
inline constexpr bool is_block_operator<block_operator<Op>> = true;

}  // namespace tutti
