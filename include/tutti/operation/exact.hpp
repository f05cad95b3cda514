// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <functional>
#include <type_traits>

#include <tutti/operation.hpp>

namespace tutti {

template <class T>
struct minimum;
template <class T>
struct maximum;

namespace functors {

template <class Op>
inline constexpr bool selects = false;
template <class U>
inline constexpr bool selects<minimum<U>> = true;
template <class U>
inline constexpr bool selects<maximum<U>> = true;
template <class U>
inline constexpr bool selects<std::logical_and<U>> = true;
template <class U>
inline constexpr bool selects<std::logical_or<U>> = true;

}  // namespace functors

/// Whether results of the operator `Op` on elements of type `T` have the same bits in whatever order, and in whatever
/// brackets, operands are combined. True for the standard functors on integers, and for `minimum`, `maximum` and
/// logical functors on arithmetic types. Specialise it for types of your own that add exactly.
template <class Op, class T>
struct is_exact : std::bool_constant<is_commutative<Op, T>::value && identity<Op, T>::known &&
                                     (std::integral<T> || (std::is_arithmetic_v<T> && functors::selects<Op>))> {};
template <class Op, class T>
struct is_exact<std::reference_wrapper<Op>, T> : is_exact<std::remove_const_t<Op>, T> {};

}  // namespace tutti
