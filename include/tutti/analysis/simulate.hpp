// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <vector>

#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/schedules_of.hpp>
#include <tutti/analysis/simulation/engine.hpp>
#include <tutti/analysis/timeline.hpp>
#include <tutti/generator.hpp>

namespace tutti {

/// What all ranks do when, if messages and combines take what `costs` says and rank r begins at arrivals[r]
/// (without arrivals: all at 0).
/// Requires root < size and as many arrivals as ranks, or none; throws std::invalid_argument otherwise, and
/// broken_schedule if messages do not match or ranks wait for one another. A schedule that verifies does neither.
/// Cost: O(n log n) for n steps in all; schedules are read as time goes on.
template <class Collective, generator_for<Collective> Generator>
[[nodiscard]] timeline simulate(Collective, Generator const& generator, std::size_t size, std::size_t root,
                                partition const& cut, cost_model const& costs,
                                std::vector<double> const& arrivals = {}) {
    if (!arrivals.empty() && arrivals.size() != size) {
        throw std::invalid_argument{"tutti: a simulation needs one arrival time for every rank, or none"};
    }
    return simulation::engine{schedules_of(Collective{}, generator, size, root, cut), cut, costs, arrivals}.run();
}

}  // namespace tutti
