// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <type_traits>
#include <utility>

#include <tutti/operation.hpp>
#include <tutti/operation/annotated.hpp>

namespace tutti {

/// An operator whose operands the caller allows to change places.
template <class Op>
struct commutative_operator : annotated_operator<Op> {};

/// The operator a ⊕ b of which the caller says that a ⊕ b = b ⊕ a, so that every algorithm may be used.
/// Requires that it is true: nothing checks it.
/// Result: a copy of `op` that is known to be commutative; `commutative(std::ref(op))` applies the caller's object.
template <class Op>
[[nodiscard]] constexpr commutative_operator<std::decay_t<Op>> commutative(Op&& op) {
    return {{std::forward<Op>(op)}};
}

template <class Op, class T>
struct is_commutative<commutative_operator<Op>, T> : std::true_type {};

template <class Op, class T>
    requires has_identity_v<Op, T>
struct identity<commutative_operator<Op>, T> {
    static constexpr bool known = true;
    static constexpr T value(commutative_operator<Op> const& op) { return identity<Op, T>::value(op.base); }
};

template <class Op>
inline constexpr bool is_block_operator<commutative_operator<Op>> = is_block_operator<Op>;

}  // namespace tutti
