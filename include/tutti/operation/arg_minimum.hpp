// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <limits>
#include <tuple>
#include <type_traits>

#include <tutti/language.hpp>
#include <tutti/operation.hpp>
#include <tutti/element/members.hpp>
#include <tutti/operation/minmax.hpp>

namespace tutti {

namespace functors {

/// A value and where it is from, both with an order.
template <class T>
concept value_and_place = members::has<T, 2> && requires(T const& x) {
    { std::get<0>(members::of(x)) < std::get<0>(members::of(x)) } -> std::convertible_to<bool>;
    { std::get<1>(members::of(x)) < std::get<1>(members::of(x)) } -> std::convertible_to<bool>;
};

/// Whether `right` is chosen: by its value, of equal ones by its place. NaNs are chosen last.
template <class Better, class T>
[[nodiscard]] constexpr bool is_right(T const& left, T const& right) {
    auto const [a, at_a] = members::of(left);
    auto const [b, at_b] = members::of(right);
    if constexpr (std::floating_point<members::type<T, 0>>) {
        if (a != a || b != b) { return a != a && (b == b || at_b < at_a); }
    }
    return Better{}(b, a) || (!Better{}(a, b) && at_b < at_a);
}

struct less {
    template <class V>
    [[nodiscard]] constexpr bool operator()(V const& left, V const& right) const {
        return left < right;
    }
};
struct greater {
    template <class V>
    [[nodiscard]] constexpr bool operator()(V const& left, V const& right) const {
        return right < left;
    }
};

}  // namespace functors

/// Of two elements (value, place), which are pairs, tuples or structs, the one with the smaller value, by `<`; of equal
/// values the one with the smaller place. A place is a rank, an index, or anything with an order. A NaN is chosen only
/// if there is nothing else.
///
///     auto [least, rank] = tutti::all_reduce(world, std::pair{x, world.rank()}, tutti::arg_minimum<>{});
template <class T = void>
struct arg_minimum {
    template <functors::value_and_place Element>
        requires(std::is_void_v<T> || std::same_as<T, Element>)
    [[nodiscard]] constexpr Element operator()(Element const& left, Element const& right) const {
        return functors::is_right<functors::less>(left, right) ? right : left;
    }
};

/// The same for the larger value; of equal values too the smaller place.
template <class T = void>
struct arg_maximum {
    template <functors::value_and_place Element>
        requires(std::is_void_v<T> || std::same_as<T, Element>)
    [[nodiscard]] constexpr Element operator()(Element const& left, Element const& right) const {
        return functors::is_right<functors::greater>(left, right) ? right : left;
    }
};

namespace functors {

template <class T>
concept numbers_and_places = value_and_place<T> && std::is_arithmetic_v<members::type<T, 0>> &&
                             std::is_arithmetic_v<members::type<T, 1>> && std::default_initializable<T>;

template <class U, value_and_place T>
inline constexpr bool commutes<arg_minimum<U>, T> = true;
template <class U, value_and_place T>
inline constexpr bool commutes<arg_maximum<U>, T> = true;

/// The value that is chosen last, at the last place.
template <class Extreme, class T>
struct identity_with_place {
    static constexpr bool known = true;
    template <class Op>
    static constexpr T value(Op const&) {
        T out{};
        auto const to = members::of(out);
        using value_type = members::type<T, 0>;
        if constexpr (std::numeric_limits<value_type>::has_quiet_NaN && language::has_infinities) {
            std::get<0>(to) = std::numeric_limits<value_type>::quiet_NaN();
        } else {
            std::get<0>(to) = identity<Extreme, value_type>::value(Extreme{});
        }
        std::get<1>(to) = std::numeric_limits<members::type<T, 1>>::max();
        return out;
    }
};

}  // namespace functors

template <class U, functors::numbers_and_places T>
    requires functors::in_elements<U, T>
struct identity<arg_minimum<U>, T> : functors::identity_with_place<minimum<>, T> {};
template <class U, functors::numbers_and_places T>
    requires functors::in_elements<U, T>
struct identity<arg_maximum<U>, T> : functors::identity_with_place<maximum<>, T> {};

}  // namespace tutti
