// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

#include <complex>
#include <concepts>
#include <functional>
#include <span>
#include <type_traits>

namespace tutti {

/// What is known of the standard functors when they are applied to numbers.
namespace functors {

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;

template <class T>
concept number = std::is_arithmetic_v<T> || is_complex<T>;

/// `F<U>` computes with arithmetic types (or numbers) when it is applied to elements of type T; U is void for the
/// transparent functors. A user's type on either side is unknown ground.
template <class U, class T>
concept on_arithmetic = std::is_arithmetic_v<T> && (std::is_void_v<U> || std::is_arithmetic_v<U>);
template <class U, class T>
concept on_numbers = number<T> && (std::is_void_v<U> || number<U>);

/// `F<U>` computes in the element type itself, so that identities carry over.
template <class U, class T>
concept in_elements = std::is_void_v<U> || std::same_as<U, T>;

template <class Op, class T>
inline constexpr bool commutes = false;
template <class U, class T>
inline constexpr bool commutes<std::plus<U>, T> = on_numbers<U, T>;
template <class U, class T>
inline constexpr bool commutes<std::multiplies<U>, T> = on_numbers<U, T>;
template <class U, class T>
inline constexpr bool commutes<std::bit_and<U>, T> = on_arithmetic<U, T>;
template <class U, class T>
inline constexpr bool commutes<std::bit_or<U>, T> = on_arithmetic<U, T>;
template <class U, class T>
inline constexpr bool commutes<std::bit_xor<U>, T> = on_arithmetic<U, T>;
template <class U, class T>
inline constexpr bool commutes<std::logical_and<U>, T> = on_arithmetic<U, T>;
template <class U, class T>
inline constexpr bool commutes<std::logical_or<U>, T> = on_arithmetic<U, T>;

}  // namespace functors

/// Whether a ⊕ b = b ⊕ a is known for the operator `Op` on elements of type `T`. True for the standard functors,
/// `minimum` and `maximum` on arithmetic types (sums and products also on `std::complex`). Everything else,
/// `std::plus<std::string>` included, keeps rank order. Specialise it, or write `tutti::commutative(op)` in the call.
template <class Op, class T>
struct is_commutative : std::bool_constant<functors::commutes<Op, T>> {};

template <class Op, class T>
struct is_commutative<std::reference_wrapper<Op>, T> : is_commutative<std::remove_const_t<Op>, T> {};

namespace operators {

template <class Op, class T>
inline constexpr bool is_commutative_v = is_commutative<std::remove_cvref_t<Op>, T>::value;

}  // namespace operators

/// The element e with e ⊕ a = a ⊕ e = a. If it is known, `known` is true and `static T value(Op const&)` returns it.
/// Known for the standard functors, `minimum` and `maximum` on arithmetic types. Specialise it, or write
/// `tutti::with_identity(op, value)` in the call.
template <class Op, class T>
struct identity {
    static constexpr bool known = false;
};

template <class Op, class T>
struct identity<std::reference_wrapper<Op>, T> : identity<std::remove_const_t<Op>, T> {};

namespace operators {

template <class Op, class T>
inline constexpr bool has_identity_v = identity<std::remove_cvref_t<Op>, T>::known;

template <class T, class Op>
    requires has_identity_v<Op, T>
[[nodiscard]] constexpr T identity_of(Op const& op) {
    return identity<Op, T>::value(op);
}

}  // namespace operators

namespace functors {

template <class T, int Value>
struct identity_is {
    static constexpr bool known = true;
    template <class Op>
    static constexpr T value(Op const&) {
        return static_cast<T>(Value);
    }
};

}  // namespace functors

template <class U, functors::number T>
    requires functors::in_elements<U, T>
struct identity<std::plus<U>, T> : functors::identity_is<T, 0> {};

template <class U, functors::number T>
    requires functors::in_elements<U, T>
struct identity<std::multiplies<U>, T> : functors::identity_is<T, 1> {};

template <class U, std::integral T>
    requires functors::in_elements<U, T>
struct identity<std::bit_and<U>, T> : functors::identity_is<T, -1> {};  // all ones, in every integral type

template <class U, std::integral T>
    requires functors::in_elements<U, T>
struct identity<std::bit_or<U>, T> : functors::identity_is<T, 0> {};

template <class U, std::integral T>
    requires functors::in_elements<U, T>
struct identity<std::bit_xor<U>, T> : functors::identity_is<T, 0> {};

template <class U, class T>
    requires std::is_arithmetic_v<T> && functors::in_elements<U, T>
struct identity<std::logical_and<U>, T> : functors::identity_is<T, 1> {};

template <class U, class T>
    requires std::is_arithmetic_v<T> && functors::in_elements<U, T>
struct identity<std::logical_or<U>, T> : functors::identity_is<T, 0> {};

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

/// Whether results of the operator `Op` on elements of type `T` have the same bits for every order and bracketing of
/// the operands. True for the standard functors on integers, and for `minimum`, `maximum` and logical functors on
/// arithmetic types. Specialise it for your own types with exact addition.
template <class Op, class T>
struct is_exact : std::bool_constant<is_commutative<Op, T>::value && identity<Op, T>::known &&
                                     (std::integral<T> || (std::is_arithmetic_v<T> && functors::selects<Op>))> {};
template <class Op, class T>
struct is_exact<std::reference_wrapper<Op>, T> : is_exact<std::remove_const_t<Op>, T> {};

namespace operators {

/// Whether `Op` combines whole blocks (see `tutti::on_blocks`). Known from the type alone: calling a generic lambda
/// with spans, only to see whether it takes them, would not compile.
template <class Op>
inline constexpr bool is_block_operator = false;

template <class Op>
inline constexpr bool is_block_operator<std::reference_wrapper<Op>> = is_block_operator<std::remove_const_t<Op>>;

/// Whether it is known only at run time if an `Op` commutes: then `op.commutes` is the answer (see
/// `run_time_operator`).
template <class Op>
inline constexpr bool is_run_time_operator = false;

template <class Op>
inline constexpr bool is_run_time_operator<std::reference_wrapper<Op>> = is_run_time_operator<std::remove_const_t<Op>>;

/// Whether an `Op` takes an X, which is a contiguous range, as one element (see `each`).
template <class Op, class X>
inline constexpr bool takes_whole = false;

/// `op(left, right)` gives an element.
template <class Op, class T>
concept element_operator_on = !is_block_operator<std::remove_cvref_t<Op>> && requires(Op& op, T const& operand) {
    { std::invoke(op, operand, operand) } -> std::convertible_to<T>;
};

/// `op(left, right, out)` combines two blocks into a third, which may be either of them.
template <class Op, class T>
concept block_operator_on = is_block_operator<std::remove_cvref_t<Op>> &&
                            std::invocable<Op&, std::span<T const>, std::span<T const>, std::span<T>>;

/// In place of the operator where a collective has none.
struct no_operator {};

/// What collectives accept as an operator on elements of type T. Its meaning must be associative.
template <class Op, class T>
concept operator_on = element_operator_on<Op, T> || block_operator_on<Op, T>;

}  // namespace operators

}  // namespace tutti
