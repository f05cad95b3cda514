// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

namespace tutti::selection {

/// The algorithm that a call names, its type erased: all that code without templates sees of it.
class held_algorithm {
public:
    held_algorithm() = default;
    held_algorithm(held_algorithm const&) = delete;
    held_algorithm& operator=(held_algorithm const&) = delete;
    virtual ~held_algorithm() = default;

    /// Whether it was made of an equal object. Requires that `named` points to one of the same type.
    [[nodiscard]] virtual bool is(void const* named) const = 0;
};

/// A copy of the algorithm of type A at `named`, owned by the caller, as it is meant for calls of a collective. The
/// definition comes with <tutti/generator/named.hpp>, and so with every generator. An operator for which the algorithm
/// is not suited stops the compilation: `Commutes` and `HasIdentity` are what is known of it.
template <class Collective, bool Commutes, bool HasIdentity, class A>
[[nodiscard]] held_algorithm* hold_algorithm(void const* named);

/// The algorithm `reproducible` for calls of a collective. Linked, or included by <tutti/selection/canonical.hpp>;
/// where it is neither, `canonical_is_included` has no definition.
template <class Collective>
[[nodiscard]] held_algorithm* hold_reproducible_for(void const* named);
template <class>
struct canonical_is_included;

}  // namespace tutti::selection
