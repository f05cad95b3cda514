// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

#include <tutti/operation.hpp>

namespace tutti {

namespace operators {

/// An operator of which the caller states more than its type shows: it is applied as `base` itself. What is said is
/// the type, or the members, of the class that derives from it.
template <class Op>
struct annotated_operator {
    [[no_unique_address]] Op base;

    template <class... Operands>
        requires std::invocable<Op&, Operands...>
    constexpr decltype(auto) operator()(Operands&&... operands) {
        return std::invoke(base, std::forward<Operands>(operands)...);
    }
    template <class... Operands>
        requires std::invocable<Op const&, Operands...>
    constexpr decltype(auto) operator()(Operands&&... operands) const {
        return std::invoke(base, std::forward<Operands>(operands)...);
    }
};

/// An operator whose operands the caller allows to change places.
template <class Op>
struct commutative_operator : annotated_operator<Op> {};

}  // namespace operators

/// The operator a ⊕ b, which the caller declares to commute: a ⊕ b = b ⊕ a. Every algorithm may then be used.
/// Requires: the declaration is true; nothing checks it.
/// Result: a copy of `op` that is known to commute; `commutative(std::ref(op))` applies the caller's object.
template <class Op>
[[nodiscard]] constexpr operators::commutative_operator<std::decay_t<Op>> commutative(Op&& op) {
    return {{std::forward<Op>(op)}};
}

template <class Op, class T>
struct is_commutative<operators::commutative_operator<Op>, T> : std::true_type {};

template <class Op, class T>
    requires operators::has_identity_v<Op, T>
struct identity<operators::commutative_operator<Op>, T> {
    static constexpr bool known = true;
    static constexpr T value(operators::commutative_operator<Op> const& op) { return identity<Op, T>::value(op.base); }
};

namespace operators {

template <class Op>
inline constexpr bool is_block_operator<commutative_operator<Op>> = is_block_operator<Op>;

/// An operator together with its identity, which the caller gave.
template <class Op, class Value>
struct operator_with_identity : annotated_operator<Op> {
    Value neutral;
};

}  // namespace operators

/// The operator a ⊕ b with the identity `value`: value ⊕ a = a ⊕ value = a.
/// Requires: this is true, and `value` converts to the element type. Of nested identities the outermost counts.
/// Result: a copy of `op` with a copy of `value`; `with_identity(std::ref(op), value)` applies the caller's object.
template <class Op, class Value>
[[nodiscard]] constexpr operators::operator_with_identity<std::decay_t<Op>, std::decay_t<Value>> with_identity(Op&& op,
                                                                                                    Value&& value) {
    return {{std::forward<Op>(op)}, std::forward<Value>(value)};
}

template <class Op, class Value, class T>
struct is_commutative<operators::operator_with_identity<Op, Value>, T> : is_commutative<Op, T> {};

template <class Op, class Value, class T>
struct identity<operators::operator_with_identity<Op, Value>, T> {
    static_assert(std::convertible_to<Value const&, T>,
                  "tutti: the value given to with_identity does not convert to the element type");
    static constexpr bool known = true;
    static constexpr T value(operators::operator_with_identity<Op, Value> const& op) {
        return static_cast<T>(op.neutral);
    }
};

namespace operators {

template <class Op, class Value>
inline constexpr bool is_block_operator<operator_with_identity<Op, Value>> = is_block_operator<Op>;

}  // namespace operators

}  // namespace tutti
