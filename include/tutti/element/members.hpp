// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>

#include <tutti/element.hpp>

/// The members of a tuple, a pair, a std::array or an aggregate of at most eight members.
namespace tutti::members {

template <class T>
concept tuple_like = requires { std::tuple_size<T>::value; };

template <class T>
[[nodiscard]] constexpr std::size_t count() {
    if constexpr (tuple_like<T>) {
        return std::tuple_size_v<T>;
    } else if constexpr (std::is_class_v<T> && std::is_aggregate_v<T>) {
        return elsewhere::members<T>();
    } else {
        return 0;
    }
}

template <class T, std::size_t n>
concept has = members::count<T>()
== n&& n != 0 && (tuple_like<T> || n <= 8);

/// References to the members.
template <class X>
[[nodiscard]] constexpr auto of(X& x) {
    constexpr auto n = members::count<std::remove_const_t<X>>();
    if constexpr (tuple_like<std::remove_const_t<X>>) {
        return std::apply([](auto&... each) { return std::tie(each...); }, x);
    } else if constexpr (n == 1) {
        auto& [a] = x;
        return std::tie(a);
    } else if constexpr (n == 2) {
        auto& [a, b] = x;
        return std::tie(a, b);
    } else if constexpr (n == 3) {
        auto& [a, b, c] = x;
        return std::tie(a, b, c);
    } else if constexpr (n == 4) {
        auto& [a, b, c, d] = x;
        return std::tie(a, b, c, d);
    } else if constexpr (n == 5) {
        auto& [a, b, c, d, e] = x;
        return std::tie(a, b, c, d, e);
    } else if constexpr (n == 6) {
        auto& [a, b, c, d, e, f] = x;
        return std::tie(a, b, c, d, e, f);
    } else if constexpr (n == 7) {
        auto& [a, b, c, d, e, f, g] = x;
        return std::tie(a, b, c, d, e, f, g);
    } else {
        auto& [a, b, c, d, e, f, g, h] = x;
        return std::tie(a, b, c, d, e, f, g, h);
    }
}

template <class T, std::size_t i>
using type = std::remove_cvref_t<std::tuple_element_t<i, decltype(members::of(std::declval<T&>()))>>;

}  // namespace tutti::members
