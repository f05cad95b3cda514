// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>

#include <tutti/operation.hpp>
#include <tutti/operation/combine.hpp>

namespace tutti {

namespace operators {

/// An operator on elements of one type, for code that knows neither: elements are bytes to it, whole elements at a
/// time. All that a call adds to a program that makes another one with the same communicator.
class byte_operator {
public:
    /// Combines nothing, for collectives without an operator.
    byte_operator() = default;

    /// Refers to `op`. Requires T's that travel as bytes.
    template <class T, operator_on<T> Op>
    [[nodiscard]] static byte_operator of(Op& op) {
        byte_operator result;
        if constexpr (std::is_function_v<Op>) {
            result.op_ = reinterpret_cast<void*>(&op);
        } else {
            result.op_ = const_cast<std::remove_const_t<Op>*>(std::addressof(op));
        }
        result.combine_ = combine_bytes<T, Op>;
        if constexpr (has_identity_v<Op, T>) { result.fill_ = fill_bytes<T, Op>; }
        return result;
    }

    /// out = left ⊕ right. Errors: what ⊕ throws.
    void operator()(std::span<std::byte const> left, std::span<std::byte const> right, std::span<std::byte> out) const {
        combine_(op_, left.data(), right.data(), out.data(), out.size());
    }

    [[nodiscard]] bool has_identity() const { return fill_ != nullptr; }

    /// Makes every element of `bytes` bytes the identity.
    void fill(std::byte* out, std::size_t bytes) const { fill_(op_, out, bytes); }

private:
    template <class Op>
    [[nodiscard]] static Op& operator_at(void* op) {
        if constexpr (std::is_function_v<Op>) {
            return *reinterpret_cast<Op*>(op);
        } else {
            return *static_cast<Op*>(op);
        }
    }

    /// Memory of the executor, or of a message, may not be aligned as T's are that are aligned more strictly than
    /// numbers.
    template <class T>
    static constexpr bool may_be_misaligned = alignof(T) > alignof(std::max_align_t);

    template <class T>
    [[nodiscard]] static bool is_aligned(std::byte const* at) {
        return reinterpret_cast<std::uintptr_t>(at) % alignof(T) == 0;
    }

    template <class T, class Op>
    static void combine_bytes(void* op, std::byte const* left, std::byte const* right, std::byte* out,
                              std::size_t bytes) {
        if constexpr (may_be_misaligned<T>) {
            if (!is_aligned<T>(left) || !is_aligned<T>(right) || !is_aligned<T>(out)) {
                struct alignas(T) storage {
                    std::byte element[sizeof(T)];
                };
                auto const copies = std::make_unique<storage[]>(3);
                for (std::size_t i = 0; i != bytes; i += sizeof(T)) {
                    std::memcpy(copies[0].element, left + i, sizeof(T));
                    std::memcpy(copies[1].element, right + i, sizeof(T));
                    combine_bytes<T, Op>(op, copies[0].element, copies[1].element, copies[2].element, sizeof(T));
                    std::memcpy(out + i, copies[2].element, sizeof(T));
                }
                return;
            }
        }
        operators::combine(operator_at<Op>(op), reinterpret_cast<T const*>(left), reinterpret_cast<T const*>(right),
                       reinterpret_cast<T*>(out), bytes / sizeof(T));
    }

    template <class T, class Op>
    static void fill_bytes(void* op, std::byte* out, std::size_t bytes) {
        T const identity = operators::identity_of<T>(operator_at<Op>(op));
        if constexpr (may_be_misaligned<T>) {
            for (std::size_t i = 0; i != bytes; i += sizeof(T)) {
                std::memcpy(out + i, std::addressof(identity), sizeof(T));
            }
        } else {
            std::fill_n(reinterpret_cast<T*>(out), bytes / sizeof(T), identity);
        }
    }

    void* op_ = nullptr;
    void (*combine_)(void*, std::byte const*, std::byte const*, std::byte*, std::size_t) = nullptr;
    void (*fill_)(void*, std::byte*, std::size_t) = nullptr;
};

template <>
inline constexpr bool is_block_operator<byte_operator> = true;

}  // namespace operators

}  // namespace tutti
