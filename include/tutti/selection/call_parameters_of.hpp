// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>

#include <tutti/collective.hpp>
#include <tutti/cost/call_parameters.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/node_map.hpp>
#include <tutti/selection/planner.hpp>

namespace tutti::selection {

/// What the choice of an algorithm for the call depends on.
template <class Collective>
[[nodiscard, gnu::cold]] call_parameters call_parameters_of(Collective, planned_call const& call) {
    auto const& kind = *call.kind;
    auto const bytes = call.lends_objects || kind.travels_as_bytes ? call.elements * kind.element_bytes : 0;
    auto const longest =
        call.counts.empty() || bytes == 0 ? 0 : *std::ranges::max_element(call.counts) * kind.element_bytes;
    call_parameters result{call.size, bytes, longest};
    if (call.nodes != nullptr) { result.nodes = *call.nodes; }
    result.lends_objects = call.lends_objects;
    result.parts_differ = !call.counts.empty();
    result.indivisible = kind.indivisible;
    auto const& machine = call.machine != nullptr ? *call.machine : pricing::supposed_machine();
    result.adopt(machine, Collective::name);
    if constexpr (collective::combines<Collective>) {
        result.combine_per_byte = pricing::combine_cost(machine, kind.combine, kind.element);
    }
    return result;
}

}  // namespace tutti::selection
