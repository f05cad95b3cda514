// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <tutti/operation/annotated.hpp>
#include <tutti/operation/on_blocks.hpp>

#include "random.hpp"

/// The types of elements, what ranks contribute, and operators. All are exact, so that an operator which is associative
/// gives one result however it is bracketed.
namespace soak {

/// 2 x 2, modulo 2^32.
struct matrix {
    std::array<std::uint32_t, 4> at{};
    friend bool operator==(matrix const&, matrix const&) = default;
    friend std::ostream& operator<<(std::ostream& out, matrix const& m) {
        return out << '(' << m.at[0] << ' ' << m.at[1] << ", " << m.at[2] << ' ' << m.at[3] << ')';
    }
};

[[nodiscard]] inline matrix product(matrix const& a, matrix const& b) {
    return {{a.at[0] * b.at[0] + a.at[1] * b.at[2], a.at[0] * b.at[1] + a.at[1] * b.at[3],
             a.at[2] * b.at[0] + a.at[3] * b.at[2], a.at[2] * b.at[1] + a.at[3] * b.at[3]}};
}
[[nodiscard]] inline matrix sum(matrix const& a, matrix const& b) {
    return {{a.at[0] + b.at[0], a.at[1] + b.at[1], a.at[2] + b.at[2], a.at[3] + b.at[3]}};
}

/// What is known of an operation of `element<T>`.
struct operation {
    std::string_view name;
    bool commutes;
    bool has_identity;
};

/// `value(bits)`, `apply(operation, state, a, b)` and `identity(operation, state)` of a type. The operation 0 is that
/// of `standard_operator`.
template <class T>
struct element;

/// Numbers that arithmetic keeps exact.
template <class T>
    requires(std::is_arithmetic_v<T> || std::is_same_v<T, std::complex<double>>)
struct element<T> {
    static constexpr std::string_view name =
        std::is_same_v<T, double> ? "double" : std::is_arithmetic_v<T> ? "int" : "complex";
    static constexpr std::array operations{
        operation{"sum", true, true},
        operation{"sum less a state", true, true},
        operation{"first that is not zero", false, true},
        operation{"left operand", false, false},
        operation{"maximum", true, false},
    };

    static T value(std::uint64_t bits) {
        if (bits % 3 == 0) { return T{}; }
        auto const part = [](std::uint64_t b) { return static_cast<int>(b >> 40U) % 20001 - 10000; };
        if constexpr (std::is_arithmetic_v<T>) {
            return static_cast<T>(part(bits));
        } else {
            return T(part(bits), part(mixed(bits, 1)));
        }
    }
    static T apply(std::size_t which, T const& state, T const& a, T const& b) {
        switch (which) {
            case 0: return a + b;
            case 1: return a + b - state;
            case 2: return a == T{} ? b : a;
            case 3: return a;
            default: return less(a, b) ? b : a;
        }
    }
    static T identity(std::size_t which, T const& state) { return which == 1 ? state : T{}; }

private:
    static bool less(T const& a, T const& b) {
        if constexpr (std::is_arithmetic_v<T>) {
            return a < b;
        } else {
            return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
        }
    }
};

template <>
struct element<matrix> {
    static constexpr std::string_view name = "matrix";
    static constexpr std::array operations{
        operation{"sum", true, true},
        operation{"product", false, true},
        operation{"product with a state between", false, false},
    };

    static matrix value(std::uint64_t bits) {
        auto const more = mixed(bits, 1);
        return {{static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32U),
                 static_cast<std::uint32_t>(more), static_cast<std::uint32_t>(more >> 32U)}};
    }
    static matrix apply(std::size_t which, matrix const& state, matrix const& a, matrix const& b) {
        switch (which) {
            case 0: return sum(a, b);
            case 1: return product(a, b);
            default: return product(product(a, state), b);
        }
    }
    static matrix identity(std::size_t which, matrix const& /*state*/) {
        return which == 0 ? matrix{} : matrix{{1, 0, 0, 1}};
    }
};

template <>
struct element<std::string> {
    static constexpr std::string_view name = "string";
    static constexpr std::array operations{
        operation{"concatenation", false, true},
        operation{"concatenation with a state between", false, false},
        operation{"maximum", true, true},
    };

    static std::string value(std::uint64_t bits) {
        auto const length = bits % 61 == 0 ? bits % 5000 : bits % 7;  // some need more than one message
        std::string result;
        for (std::size_t i = 0; i != length; ++i) {
            result += static_cast<char>('a' + mixed(bits, i) % 26);
        }
        return result;
    }
    static std::string apply(std::size_t which, std::string const& state, std::string const& a, std::string const& b) {
        switch (which) {
            case 0: return a + b;
            case 1: return a + state + b;
            default: return std::max(a, b);
        }
    }
    static std::string identity(std::size_t /*which*/, std::string const& /*state*/) { return {}; }
};

/// A functor with state, which has no default.
template <class T>
struct drawn_operator {
    std::size_t which;
    T state;

    drawn_operator(std::size_t chosen, T const& value) : which{chosen}, state{value} {}
    T operator()(T const& a, T const& b) const { return element<T>::apply(which, state, a, b); }
};

struct sum_of_blocks {
    void operator()(std::span<matrix const> left, std::span<matrix const> right, std::span<matrix> out) const {
        for (std::size_t i = 0; i != out.size(); ++i) { out[i] = sum(left[i], right[i]); }
    }
};

/// One that tutti knows more of: std::plus, or for matrices an operator on blocks.
template <class T>
[[nodiscard]] auto standard_operator() {
    if constexpr (std::is_same_v<T, matrix>) {
        return tutti::with_identity(tutti::commutative(tutti::on_blocks(sum_of_blocks{})), matrix{});
    } else {
        return std::plus<>{};
    }
}

}  // namespace soak
