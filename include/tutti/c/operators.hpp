// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>

#include <tutti/c/error.hpp>
#include <tutti/operation/minmax.hpp>

/// Operators that need no function of the caller's.
namespace tutti::c {

/// inout[i] = op(in[i], inout[i])
template <class T, class Op>
void combine_numbers(void*, void const* in, void* inout, std::size_t n) {
    auto const* const left = static_cast<T const*>(in);
    auto* const right = static_cast<T*>(inout);
    for (std::size_t i = 0; i != n; ++i) { right[i] = static_cast<T>(Op{}(left[i], right[i])); }
}

/// The function of an operator on elements of type T; null if there is none.
template <class T>
[[nodiscard]] tutti_combine* function_on(int function) {
    switch (function) {
    case TUTTI_SUM: return combine_numbers<T, std::plus<>>;
    case TUTTI_PRODUCT: return combine_numbers<T, std::multiplies<>>;
    default: break;
    }
    if constexpr (std::is_arithmetic_v<T>) {
        if (function == TUTTI_MINIMUM) { return combine_numbers<T, minimum<>>; }
        if (function == TUTTI_MAXIMUM) { return combine_numbers<T, maximum<>>; }
    }
    if constexpr (std::integral<T>) {
        if (function == TUTTI_BIT_AND) { return combine_numbers<T, std::bit_and<>>; }
        if (function == TUTTI_BIT_OR) { return combine_numbers<T, std::bit_or<>>; }
        if (function == TUTTI_BIT_XOR) { return combine_numbers<T, std::bit_xor<>>; }
    }
    return nullptr;
}

[[nodiscard]] inline tutti_combine* function_on(int function, int type) {
    switch (type) {
    case TUTTI_FLOAT: return function_on<float>(function);
    case TUTTI_DOUBLE: return function_on<double>(function);
    case TUTTI_COMPLEX_FLOAT: return function_on<std::complex<float>>(function);
    case TUTTI_COMPLEX_DOUBLE: return function_on<std::complex<double>>(function);
    case TUTTI_INT8: return function_on<std::int8_t>(function);
    case TUTTI_INT16: return function_on<std::int16_t>(function);
    case TUTTI_INT32: return function_on<std::int32_t>(function);
    case TUTTI_INT64: return function_on<std::int64_t>(function);
    case TUTTI_UINT8: return function_on<std::uint8_t>(function);
    case TUTTI_UINT16: return function_on<std::uint16_t>(function);
    case TUTTI_UINT32: return function_on<std::uint32_t>(function);
    case TUTTI_UINT64: return function_on<std::uint64_t>(function);
    default: return nullptr;
    }
}

/// `members` is a tutti_members.
inline void combine_members(void* members, void const* in, void* inout, std::size_t n) {
    auto const& all = *static_cast<tutti_members const*>(members);
    auto const* left = static_cast<std::byte const*>(in);
    auto* right = static_cast<std::byte*>(inout);
    for (std::size_t i = 0; i != n; ++i, left += all.extent, right += all.extent) {
        for (std::size_t j = 0; j != all.count; ++j) {
            auto const& each = all.member[j];
            each.op.combine(each.op.state, left + each.offset, right + each.offset, each.count == 0 ? 1 : each.count);
        }
    }
}

[[nodiscard]] inline tutti_operator each(tutti_members const* members) {
    if (members == nullptr) { return {nullptr, nullptr, 0}; }
    int commutes = 1;
    for (std::size_t j = 0; j != members->count; ++j) {
        auto const& op = members->member[j].op;
        if (op.combine == nullptr) { return {nullptr, nullptr, 0}; }
        commutes = commutes != 0 && op.commutes != 0;
    }
    return {&combine_members, const_cast<tutti_members*>(members), commutes};
}

}  // namespace tutti::c
