// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <tutti/operation.hpp>
#include <tutti/operation/annotated.hpp>

namespace tutti {

/// An operator together with its identity, which the caller gave.
template <class Op, class Value>
struct operator_with_identity : annotated_operator<Op> {
    Value neutral;
};

/// The operator a ⊕ b of which the caller says that value ⊕ a = a ⊕ value = a.
/// Requires that it is true, and that `value` converts to the element type. Of nested identities the outermost holds.
/// Result: a copy of `op` with a copy of `value`; `with_identity(std::ref(op), value)` applies the caller's object.
template <class Op, class Value>
[[nodiscard]] constexpr operator_with_identity<std::decay_t<Op>, std::decay_t<Value>> with_identity(Op&& op,
                                                                                                    Value&& value) {
    return {{std::forward<Op>(op)}, std::forward<Value>(value)};
}

template <class Op, class Value, class T>
struct is_commutative<operator_with_identity<Op, Value>, T> : is_commutative<Op, T> {};

template <class Op, class Value, class T>
struct identity<operator_with_identity<Op, Value>, T> {
    static_assert(std::convertible_to<Value const&, T>,
                  "tutti: the value given to with_identity does not convert to the element type");
    static constexpr bool known = true;
    static constexpr T value(operator_with_identity<Op, Value> const& op) { return static_cast<T>(op.neutral); }
};

template <class Op, class Value>
inline constexpr bool is_block_operator<operator_with_identity<Op, Value>> = is_block_operator<Op>;

}  // namespace tutti
