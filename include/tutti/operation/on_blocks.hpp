// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/operation.hpp>
#include <tutti/operation/annotated.hpp>

namespace tutti {

namespace operators {

/// An operator that combines whole blocks instead of single elements.
template <class Op>
struct block_operator : annotated_operator<Op> {};

}  // namespace operators

/// The operator out[i] = left[i] ⊕ right[i] as one function of three blocks of equal length, `f(std::span<T const>
/// left, std::span<T const> right, std::span<T> out)`: for hand-written kernels.
/// Requires: `f` works if `out` is exactly `left` or exactly `right`, treats every element alike, in any block, and
/// writes every element of `out`. It is never called with empty blocks; long ones arrive in slices.
/// Result: a copy of `f` that is known to take blocks; `on_blocks(std::ref(f))` applies the caller's object.
template <class Op>
[[nodiscard]] constexpr operators::block_operator<std::decay_t<Op>> on_blocks(Op&& f) {
    return {{std::forward<Op>(f)}};
}

template <class Op, class T>
struct is_commutative<operators::block_operator<Op>, T> : is_commutative<Op, T> {};

template <class Op, class T>
    requires operators::has_identity_v<Op, T>
struct identity<operators::block_operator<Op>, T> {
    static constexpr bool known = true;
    static constexpr T value(operators::block_operator<Op> const& op) { return identity<Op, T>::value(op.base); }
};

namespace operators {

template <class Op>
inline constexpr bool is_block_operator<block_operator<Op>> = true;

/// An operator that combines a block with another one in its place.
template <class Op, bool Commutes = false>
struct two_address_operator {
    [[no_unique_address]] Op base;

    template <class T>
        requires std::invocable<Op&, std::span<T const>, std::span<T>>
    constexpr void operator()(std::span<T const> left, std::span<T const> right, std::span<T> out) {
        combine(base, left, right, out);
    }
    template <class T>
        requires std::invocable<Op const&, std::span<T const>, std::span<T>>
    constexpr void operator()(std::span<T const> left, std::span<T const> right, std::span<T> out) const {
        combine(base, left, right, out);
    }

private:
    static constexpr std::size_t slice_bytes = 4096;  // stays in the first cache beside its operands

    template <class F, class T>
    static constexpr void combine(F& f, std::span<T const> left, std::span<T const> right, std::span<T> out) {
        constexpr bool commutes = Commutes || is_commutative_v<Op, T>;
        if (out.data() == right.data() && out.data() != left.data()) {
            std::invoke(f, left, out);
        } else if (commutes && out.data() == left.data() && out.data() != right.data()) {
            std::invoke(f, right, out);
        } else if (out.data() != left.data()) {
            std::copy(right.begin(), right.end(), out.begin());
            std::invoke(f, left, out);
        } else {
            combine_copies(f, left, right, out);
        }
    }

    // The left operand is where the result goes, and not yet read.
    template <class F, class T>
    static constexpr void combine_copies(F& f, std::span<T const> left, std::span<T const> right, std::span<T> out) {
        if constexpr (std::is_trivially_copyable_v<T> && sizeof(T) <= slice_bytes) {
            alignas(T) std::byte memory[slice_bytes];
            auto* const copy = reinterpret_cast<T*>(memory);
            for (std::size_t first = 0; first < out.size(); first += slice_bytes / sizeof(T)) {
                auto const n = std::min(slice_bytes / sizeof(T), out.size() - first);
                std::uninitialized_copy_n(right.data() + first, n, copy);
                std::invoke(f, left.subspan(first, n), std::span<T>{copy, n});
                std::copy_n(copy, n, out.data() + first);
            }
        } else {
            std::vector<T> copy(right.begin(), right.end());
            std::invoke(f, left, std::span<T>{copy});
            std::move(copy.begin(), copy.end(), out.begin());
        }
    }
};

}  // namespace operators

/// The operator inout[i] = left[i] ⊕ inout[i] as one function of two blocks of equal length, `f(std::span<T const>
/// left, std::span<T> inout)`: for functions in the form of MPI's operators, or of BLAS.
/// Requires: `f` treats every element alike, in any block. It is never called with empty blocks; long ones arrive in
/// slices. The blocks never overlap.
/// Result: a copy of `f` that is known to take blocks; `into(std::ref(f))` applies the caller's object, and
/// `commutative(into(f))` may exchange the operands.
/// Cost: none beside `f` if the result replaces the right operand or, with an operator that is known to commute,
/// either. If it has a place of its own (the first combine of a rank that keeps its input), the right operand is first
/// copied there. If it replaces the left operand, the right one is copied in slices of 4 KiB, and each slice of the
/// result back.
template <class Op>
[[nodiscard]] constexpr operators::two_address_operator<std::decay_t<Op>> into(Op&& f) {
    return {std::forward<Op>(f)};
}

/// See `commutative`: this operator makes use of it.
template <class Op, bool Commutes>
[[nodiscard]] constexpr operators::two_address_operator<Op, true>
commutative(operators::two_address_operator<Op, Commutes> op) {
    return {std::move(op.base)};
}

template <class Op, bool Commutes, class T>
struct is_commutative<operators::two_address_operator<Op, Commutes>, T>
    : std::bool_constant<Commutes || operators::is_commutative_v<Op, T>> {};

template <class Op, bool Commutes, class T>
    requires operators::has_identity_v<Op, T>
struct identity<operators::two_address_operator<Op, Commutes>, T> {
    static constexpr bool known = true;
    static constexpr T value(operators::two_address_operator<Op, Commutes> const& op) {
        return identity<Op, T>::value(op.base);
    }
};

namespace operators {

template <class Op, bool Commutes>
inline constexpr bool is_block_operator<two_address_operator<Op, Commutes>> = true;

}  // namespace operators

}  // namespace tutti
