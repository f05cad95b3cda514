// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <limits>
#include <type_traits>

#include <tutti/language.hpp>
#include <tutti/operation.hpp>

namespace tutti {

/// The smaller of two elements, by `<`; of equivalent ones the left.
template <class T = void>
struct minimum {
    [[nodiscard]] constexpr T operator()(T const& left, T const& right) const { return right < left ? right : left; }
};

template <>
struct minimum<void> {
    template <class T>
    [[nodiscard]] constexpr T operator()(T const& left, T const& right) const {
        return right < left ? right : left;
    }
    using is_transparent = void;
};

/// The larger of two elements, by `<`; of equivalent ones the left.
template <class T = void>
struct maximum {
    [[nodiscard]] constexpr T operator()(T const& left, T const& right) const { return left < right ? right : left; }
};

template <>
struct maximum<void> {
    template <class T>
    [[nodiscard]] constexpr T operator()(T const& left, T const& right) const {
        return left < right ? right : left;
    }
    using is_transparent = void;
};

namespace functors {

template <class U, class T>
inline constexpr bool commutes<minimum<U>, T> = on_arithmetic<U, T>;
template <class U, class T>
inline constexpr bool commutes<maximum<U>, T> = on_arithmetic<U, T>;

}  // namespace functors

template <class U, class T>
    requires std::is_arithmetic_v<T> && functors::in_elements<U, T>
struct identity<minimum<U>, T> {
    static constexpr bool known = true;
    static constexpr T value(minimum<U> const&) {
        using limits = std::numeric_limits<T>;
        return limits::has_infinity && language::has_infinities ? limits::infinity() : limits::max();
    }
};

template <class U, class T>
    requires std::is_arithmetic_v<T> && functors::in_elements<U, T>
struct identity<maximum<U>, T> {
    static constexpr bool known = true;
    static constexpr T value(maximum<U> const&) {
        using limits = std::numeric_limits<T>;
        if constexpr (limits::has_infinity && language::has_infinities) {
            return -limits::infinity();
        } else {
            return limits::lowest();
        }
    }
};

}  // namespace tutti
