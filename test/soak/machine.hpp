// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <tutti/cost/in_use.hpp>
#include <tutti/cost/machine.hpp>

#include "random.hpp"

namespace soak {

/// Some machine, on which other algorithms are the fastest, and messages may go through memory.
[[nodiscard]] inline tutti::machine_model draw_machine(draw& from) {
    tutti::machine_model result;
    auto const scaled = [&](double value) {
        for (auto n = from.below(5); n != 0; --n) { value *= 10; }
        return value;
    };
    for (auto* const link : {&result.between_nodes, &result.within_node}) {
        link->latency = scaled(1e-8);
        link->overhead = scaled(1e-9);
        link->gap = link->overhead;
        link->per_byte = scaled(1e-12);
    }
    result.combine_per_byte = scaled(1e-13);
    result.longest_message = static_cast<double>(from.from(64, 200'000));
    result.through_memory = from.one_in(2);
    return result;
}

/// Calls `tutti::use` on all ranks of a world, most often.
template <class World>
void use_some_machine(World& world, draw& from) {
    if (from.one_in(4)) { return; }
    tutti::use(world, draw_machine(from));
}

}  // namespace soak
