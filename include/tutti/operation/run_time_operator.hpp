// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>

#include <tutti/operation.hpp>

namespace tutti {

/// An operator that is known only at run time: `combine(state, in, inout, n)` means inout[i] = in[i] ⊕ inout[i] for n
/// elements, as with functions of MPI's operators. The state belongs to the caller.
/// Requires: `combine` treats every element alike, in any block, unless it is `indivisible`: then vectors are not cut,
/// nor are the parts of ranks in a reduce_scatter. It is never called for 0 elements, nor with blocks that overlap;
/// long blocks arrive in slices.
/// Order: operands stay in rank order unless `commutes`, which is the same on all ranks.
/// Errors: the exceptions of `combine`.
/// Cost: as `into`.
struct run_time_operator {
    void (*combine)(void* state, void const* in, void* inout, std::size_t n) = nullptr;
    void* state = nullptr;
    bool commutes = false;
    bool indivisible = false;
    /// out[i] = left[i] ⊕ right[i], of three different vectors; where it is null, `combine` does, and one more copy.
    void (*combine_into)(void* state, void const* left, void const* right, void* out, std::size_t n) = nullptr;
    std::string_view name = {};      ///< if it has one, and its elements: they are compared where calls are; they last
    std::string_view elements = {};  ///< as long as the process

    /// out = left ⊕ right, n elements of `extent` bytes that may be copied as bytes.
    void combine_bytes(std::byte const* left, std::byte const* right, std::byte* out, std::size_t n,
                       std::size_t extent) const {
        if (out == right && out != left) {
            combine(state, left, out, n);
        } else if (combine_into != nullptr && out != left) {
            combine_into(state, left, right, out, n);
        } else if (commutes && out == left && out != right) {
            combine(state, right, out, n);
        } else if (out != left) {
            std::memcpy(out, right, n * extent);
            combine(state, left, out, n);
        } else if (n * extent <= slice_bytes || (extent <= slice_bytes && !indivisible)) {
            alignas(alignment) std::byte copy[slice_bytes];
            combine_copies(left, right, out, n, extent, copy, slice_bytes / extent);
        } else {
            struct deleter {
                void operator()(std::byte* memory) const {
                    ::operator delete[](memory, std::align_val_t{alignment});
                }
            };
            auto const slice = indivisible ? n : 1;
            std::unique_ptr<std::byte[], deleter> const copy{
                static_cast<std::byte*>(::operator new[](slice* extent, std::align_val_t{alignment}))};
            combine_copies(left, right, out, n, extent, copy.get(), slice);
        }
    }

    template <class T>
        requires std::is_trivially_copyable_v<T>
    void operator()(std::span<T const> left, std::span<T const> right, std::span<T> out) const {
        combine_bytes(reinterpret_cast<std::byte const*>(left.data()), reinterpret_cast<std::byte const*>(right.data()),
                      reinterpret_cast<std::byte*>(out.data()), out.size(), sizeof(T));
    }

private:
    static constexpr std::size_t slice_bytes = 4096;  // stays in the first cache beside its operands
    static constexpr std::size_t alignment = 64;      // as the executor's own memory

    // The left operand is where the result goes, and not yet read.
    void combine_copies(std::byte const* left, std::byte const* right, std::byte* out, std::size_t n,
                        std::size_t extent, std::byte* copy, std::size_t slice) const {
        for (std::size_t first = 0; first < n; first += slice) {
            auto const count = std::min(slice, n - first);
            std::memcpy(copy, right + first * extent, count * extent);
            combine(state, left + first * extent, copy, count);
            std::memcpy(out + first * extent, copy, count * extent);
        }
    }
};

namespace operators {

template <>
inline constexpr bool is_block_operator<run_time_operator> = true;

template <>
inline constexpr bool is_run_time_operator<run_time_operator> = true;

}  // namespace operators

}  // namespace tutti
