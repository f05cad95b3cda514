// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include <c/error.hpp>
#include <tutti/operation/minmax.hpp>
#include <tutti/text.hpp>

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

/// A type of elements: its name and size, and the functions of operators on it.
struct element_type {
    std::string_view name;
    std::size_t bytes;
    tutti_combine* (*function_on)(int function);
};

template <class T>
inline constexpr auto type_named = [](std::string_view name) { return element_type{name, sizeof(T), function_on<T>}; };

/// By their numbers, from TUTTI_FLOAT on.
inline constexpr std::array element_types{type_named<float>("float"),
                                          type_named<double>("double"),
                                          type_named<std::complex<float>>("complex float"),
                                          type_named<std::complex<double>>("complex double"),
                                          type_named<std::int8_t>("int8"),
                                          type_named<std::int16_t>("int16"),
                                          type_named<std::int32_t>("int32"),
                                          type_named<std::int64_t>("int64"),
                                          type_named<std::uint8_t>("uint8"),
                                          type_named<std::uint16_t>("uint16"),
                                          type_named<std::uint32_t>("uint32"),
                                          type_named<std::uint64_t>("uint64")};

/// What the state of an operator of `tutti_operator_for` is.
struct known_operator {
    std::string_view function;
    std::string_view type;
    std::size_t bytes;  ///< of an element
};

/// All of them, by function and type.
inline constexpr auto known_operators = [] {
    constexpr std::string_view functions[] = {"sum", "product", "minimum", "maximum", "bit_and", "bit_or", "bit_xor"};
    std::array<std::array<known_operator, element_types.size()>, std::size(functions)> all{};
    for (std::size_t f = 0; f != all.size(); ++f) {
        for (std::size_t t = 0; t != all[f].size(); ++t) {
            all[f][t] = {functions[f], element_types[t].name, element_types[t].bytes};
        }
    }
    return all;
}();

[[nodiscard]] inline tutti_operator operator_for(int function, int type) {
    auto const t = static_cast<std::size_t>(type) - 1;
    auto* const combine = t < element_types.size() ? element_types[t].function_on(function) : nullptr;
    if (combine == nullptr) { return {nullptr, nullptr, 1}; }
    auto const& known = known_operators[static_cast<std::size_t>(function) - 1][t];
    return {combine, const_cast<known_operator*>(&known), 1};
}

/// What is known of an operator; null of one of the caller's.
[[nodiscard]] inline known_operator const* known_of(tutti_operator const& op) {
    auto const* const state = static_cast<known_operator const*>(op.state);
    std::less<> const before;
    bool const is_known = !before(state, known_operators.front().data()) &&
                          before(state, known_operators.back().data() + known_operators.back().size());
    return is_known ? state : nullptr;
}

/// The operator of a call whose elements have `extent` bytes.
[[nodiscard]] inline operator_of_c checked(tutti_operator const& op, std::size_t extent) {
    if (op.combine == nullptr) {
        throw std::invalid_argument{"tutti: the operator has no function; give it one (tutti_operator_for gives none "
                                    "where there is no such operation on the type)"};
    }
    operator_of_c result{{.combine = op.combine, .state = op.state, .commutes = op.commutes != 0}};
    if (auto const* const known = known_of(op)) {
        if (known->bytes != extent) {
            throw std::invalid_argument{
                text::joined({"tutti: the ", known->function, " of ", known->type, " is for elements of ", known->bytes,
                              " bytes, and these have ", extent, "; give the extent of the type"})};
        }
        result.name = known->function;
        result.elements = known->type;
    }
    return result;
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
