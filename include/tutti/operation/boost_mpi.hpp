// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <functional>
#include <type_traits>

#include <boost/mpi/operations.hpp>

#include <tutti/operation.hpp>
#include <tutti/operation/minmax.hpp>

namespace tutti {

/// Users' declarations of operators to Boost.MPI count here, too.
template <class Op, class T>
    requires(boost::mpi::is_commutative<Op, T>::value)
struct is_commutative<Op, T> : std::true_type {};

// Boost.MPI's own functors, which it does not list: on arithmetic types, as with the standard ones. Elsewhere two
// operands that compare equal need not be the same.
namespace functors {

template <class U, class T>
inline constexpr bool commutes<boost::mpi::maximum<U>, T> = on_arithmetic<U, T>;
template <class U, class T>
inline constexpr bool commutes<boost::mpi::minimum<U>, T> = on_arithmetic<U, T>;
template <class U, class T>
inline constexpr bool commutes<boost::mpi::bitwise_and<U>, T> = on_arithmetic<U, T>;
template <class U, class T>
inline constexpr bool commutes<boost::mpi::bitwise_or<U>, T> = on_arithmetic<U, T>;
template <class U, class T>
inline constexpr bool commutes<boost::mpi::bitwise_xor<U>, T> = on_arithmetic<U, T>;
template <class U, class T>
inline constexpr bool commutes<boost::mpi::logical_xor<U>, T> = on_arithmetic<U, T>;

/// The identity of another operator with the same meaning.
template <class Same, class T>
struct identity_as_of {
    static constexpr bool known = true;
    template <class Op>
    static constexpr T value(Op const&) {
        return identity<Same, T>::value(Same{});
    }
};

}  // namespace functors

template <class T>
    requires std::is_arithmetic_v<T>
struct identity<boost::mpi::maximum<T>, T> : functors::identity_as_of<maximum<T>, T> {};

template <class T>
    requires std::is_arithmetic_v<T>
struct identity<boost::mpi::minimum<T>, T> : functors::identity_as_of<minimum<T>, T> {};

template <std::integral T>
struct identity<boost::mpi::bitwise_and<T>, T> : functors::identity_as_of<std::bit_and<T>, T> {};

template <std::integral T>
struct identity<boost::mpi::bitwise_or<T>, T> : functors::identity_as_of<std::bit_or<T>, T> {};

template <std::integral T>
struct identity<boost::mpi::bitwise_xor<T>, T> : functors::identity_as_of<std::bit_xor<T>, T> {};

// true or false alone: x ⊕ 0 is 1 for any other number x
template <>
struct identity<boost::mpi::logical_xor<bool>, bool> : functors::identity_is<bool, 0> {};

}  // namespace tutti
