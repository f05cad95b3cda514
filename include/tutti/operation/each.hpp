// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tutti/operation.hpp>
#include <tutti/element/members.hpp>

namespace tutti {

namespace operators {

/// Whether `Ops` fit the members of T, one each, in their order.
template <class T, class... Ops>
[[nodiscard]] constexpr bool fit_members() {
    if constexpr (members::has<T, sizeof...(Ops)>) {
        return []<std::size_t... i>(std::index_sequence<i...>) {
            return (element_operator_on<Ops, members::type<T, i>> && ...);
        }(std::index_sequence_for<Ops...>{});
    } else {
        return false;
    }
}

/// A member of each operator's own.
template <class... Ops>
struct operator_on_members {
    std::tuple<Ops...> ops;

    template <class T>
        requires(operators::fit_members<T, Ops...>())
    [[nodiscard]] constexpr T operator()(T const& left, T const& right) {
        return combine(ops, left, right);
    }
    template <class T>
        requires(operators::fit_members<T, Ops const...>())
    [[nodiscard]] constexpr T operator()(T const& left, T const& right) const {
        return combine(ops, left, right);
    }

private:
    template <class All, class T>
    [[nodiscard]] static constexpr T combine(All& all, T const& left, T const& right) {
        T out = left;
        auto const to = members::of(out);
        auto const a = members::of(left);
        auto const b = members::of(right);
        [&]<std::size_t... i>(std::index_sequence<i...>) {
            ((std::get<i>(to) = static_cast<members::type<T, i>>(
                  std::invoke(std::get<i>(all), std::get<i>(a), std::get<i>(b)))),
             ...);
        }(std::index_sequence_for<Ops...>{});
        return out;
    }
};

/// A std::array with one number for each operator is one element.
template <class... Ops, class T, std::size_t n>
inline constexpr bool takes_whole<operator_on_members<Ops...>, std::array<T, n>> = sizeof...(Ops) == n;

template <class T, template <class, class> class Known, class... Ops, std::size_t... i>
[[nodiscard]] constexpr bool known_of_members(std::index_sequence<i...>) {
    return (Known<Ops, members::type<T, i>>::value && ...);
}

template <class Op, class T>
struct knows_identity : std::bool_constant<has_identity_v<Op, T>> {};

}  // namespace operators

/// The operator (a_1, a_2, …) ⊕ (b_1, b_2, …) = (a_1 ⊕_1 b_1, a_2 ⊕_2 b_2, …): one call in place of several.
/// Requires: elements that are tuples, pairs, std::arrays or aggregates (of up to eight members), with as many members
/// as there are operators; ⊕_i associative on member i.
/// Result: copies of the operators; std::ref(op) applies the caller's. A std::array given as a single value to a call
/// is one element; elsewhere write `tutti::value(x)`.
/// Order: it commutes if all operators are known to commute on their members. Its identity is known if all of theirs
/// are.
/// Cost: as the operators; one message with all members in place of one for each call.
template <class... Ops>
[[nodiscard]] constexpr operators::operator_on_members<std::decay_t<Ops>...> each(Ops&&... ops) {
    static_assert(sizeof...(Ops) != 0, "tutti: each needs one operator for each member, as in "
                                       "each(std::plus<>{}, tutti::maximum<>{})");
    return {{std::forward<Ops>(ops)...}};
}

template <class... Ops, class T>
    requires(members::has<T, sizeof...(Ops)>)
struct is_commutative<operators::operator_on_members<Ops...>, T>
    : std::bool_constant<operators::known_of_members<T, is_commutative, Ops...>(std::index_sequence_for<Ops...>{})> {};

template <class... Ops, class T>
    requires(members::has<T, sizeof...(Ops)> && std::default_initializable<T> &&
             operators::known_of_members<T, operators::knows_identity, Ops...>(std::index_sequence_for<Ops...>{}))
struct identity<operators::operator_on_members<Ops...>, T> {
    static constexpr bool known = true;
    static constexpr T value(operators::operator_on_members<Ops...> const& op) {
        T out{};
        auto const to = members::of(out);
        [&]<std::size_t... i>(std::index_sequence<i...>) {
            ((std::get<i>(to) = operators::identity_of<members::type<T, i>>(std::get<i>(op.ops))), ...);
        }(std::index_sequence_for<Ops...>{});
        return out;
    }
};

}  // namespace tutti
