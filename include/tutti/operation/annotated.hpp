// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <functional>
#include <utility>

namespace tutti {

/// An operator of which the caller says more than its type does: it is applied as `base` itself. What is said is
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

}  // namespace tutti
