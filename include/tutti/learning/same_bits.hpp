// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <tutti/analysis/terms.hpp>
#include <tutti/collective.hpp>
#include <tutti/generator/any_generator.hpp>
#include <tutti/selection/planner.hpp>

namespace tutti::selection {

/// Ranks up to which terms are compared; a choice, since a term has as many operands, and each rank has one.
inline constexpr std::size_t most_ranks_compared = 64;

/// Whether a call has the same bits by two generators: since nothing is combined, or exactly; since two operands that
/// commute are combined; or since the terms are the same.
template <class Collective>
[[nodiscard]] bool same_bits(Collective which, planned_call const& call,
                             generators::any_generator<Collective> const& one,
                             generators::any_generator<Collective> const& other) {
    if constexpr (!collective::combines<Collective>) {
        return true;
    } else {
        if (call.kind->exact || (call.size == 2 && call.kind->commutes)) { return true; }
        return call.size <= most_ranks_compared && analysis::same_terms(which, one, other, call.size, call.root);
    }
}

}  // namespace tutti::selection
