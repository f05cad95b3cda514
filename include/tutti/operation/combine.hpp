// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

#include <tutti/operation.hpp>

namespace tutti {

/// How two blocks are combined in memory.
namespace kernel {

/// Elements that vector registers can hold, and more.
template <class T>
inline constexpr bool is_small = std::is_trivially_copyable_v<T> && sizeof(T) <= 16;

template <class Op, class T>
constexpr void combine_one(Op& op, T const& left, T const& right, T& out) {
    if constexpr (std::same_as<std::remove_cvref_t<std::invoke_result_t<Op&, T const&, T const&>>, T>) {
        out = std::invoke(op, left, right);
    } else {
        out = static_cast<T>(std::invoke(op, left, right));
    }
}

/// Combines small elements. The pointers that are read or written never overlap, which spares the compiler its checks
/// for that: where `out` is one of the operands, that operand is read through `out`.
template <bool LeftIsOut, bool RightIsOut, class Op, class T>
void combine_small(Op& op, T const* __restrict left, T const* __restrict right, T* __restrict out, std::size_t n) {
    T const* const a = LeftIsOut ? out : left;
    T const* const b = RightIsOut ? out : right;
    // GCC at -O2 vectorises loops of constant length only, and then does not unroll them without a pragma.
    // Clang needs neither, and with a pragma it would not vectorise.
    constexpr std::size_t chunk = 128 / sizeof(T);
    std::size_t i = 0;
    for (; n - i >= chunk; i += chunk) {
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC unroll 4
#endif
        for (std::size_t j = 0; j != chunk; ++j) { kernel::combine_one(op, a[i + j], b[i + j], out[i + j]); }
    }
    for (; i != n; ++i) { kernel::combine_one(op, a[i], b[i], out[i]); }
}

/// Destroys what was constructed so far, unless the work was finished.
template <class T>
struct constructed {
    T* first;
    std::size_t count = 0;

    explicit constructed(T* raw) : first{raw} {}
    constructed(constructed const&) = delete;
    constructed& operator=(constructed const&) = delete;
    ~constructed() { std::destroy_n(first, count); }
    void keep() { count = 0; }
};

}  // namespace kernel

namespace operators {

/// out[i] = left[i] ⊕ right[i] for i = 0 .. n - 1.
/// Requires: `out` is `left`, or `right`, or both, or overlaps neither; `op` itself does not reach into `out`.
/// Order: elements are combined one by one from the first to the last by the caller's own `op`, so that a functor with
/// state sees each once; a block operator is called once, or not at all where n = 0.
/// Errors: what `op` throws; the elements combined before that stay, the others keep their values.
/// Cost: γ n; small elements with an inlined operator at the speed of vector instructions.
template <class T, operator_on<T> Op>
void combine(Op& op, T const* left, T const* right, T* out, std::size_t n) {
    if constexpr (block_operator_on<Op, T>) {
        if (n == 0) { return; }
        std::invoke(op, std::span<T const>{left, n}, std::span<T const>{right, n}, std::span<T>{out, n});
    } else if constexpr (kernel::is_small<T>) {
        if (out == left && out == right) {
            kernel::combine_small<true, true>(op, left, right, out, n);
        } else if (out == left) {
            kernel::combine_small<true, false>(op, left, right, out, n);
        } else if (out == right) {
            kernel::combine_small<false, true>(op, left, right, out, n);
        } else {
            kernel::combine_small<false, false>(op, left, right, out, n);
        }
    } else {
        for (std::size_t i = 0; i != n; ++i) { kernel::combine_one(op, left[i], right[i], out[i]); }
    }
}

/// raw[i] = left[i] ⊕ right[i] for i = 0 .. n - 1, where `raw` is memory without elements.
/// Requires: as `combine`; elements that are not trivially copyable do not overlap `raw`. Block operators find copies
/// of `left` in `raw`.
/// Result: n elements in `raw`. Order, cost: as `combine`.
/// Errors: what `op` or a constructor throws; then nothing is left constructed in `raw`.
template <class T, operator_on<T> Op>
void combine_into_raw(Op& op, T const* left, T const* right, T* raw, std::size_t n) {
    if constexpr (std::is_trivially_copyable_v<T> && std::is_copy_assignable_v<T>) {
        operators::combine(op, left, right, raw, n);
    } else {
        kernel::constructed<T> done{raw};
        if constexpr (block_operator_on<Op, T>) {
            std::uninitialized_copy_n(left, n, raw);
            done.count = n;
            operators::combine(op, left, right, raw, n);
        } else {
            // Placement new, not construct_at: the operator's result is then the element, and not moved into it.
            for (; done.count != n; ++done.count) {
                ::new (static_cast<void*>(raw + done.count)) T(std::invoke(op, left[done.count], right[done.count]));
            }
        }
        done.keep();
    }
}

}  // namespace operators

}  // namespace tutti
