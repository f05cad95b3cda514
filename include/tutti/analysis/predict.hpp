// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <optional>

#include <tutti/analysis/bounds.hpp>
#include <tutti/analysis/closed_form.hpp>
#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/segments.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/generator.hpp>
#include <tutti/partition.hpp>

namespace tutti {

/// How long a collective takes, and how long any algorithm for it takes at least in the same blocks.
struct prediction {
    double time = 0;
    bool closed_form = false;   ///< from a formula; otherwise from a simulation
    double lower_bound = 0;     ///< of every algorithm in the same blocks; other blocks may allow less
};

/// The time of the closed form that holds for `generator`, `cut` and `costs`, if there is one.
template <class Collective, generator_for<Collective> Generator>
[[nodiscard]] std::optional<double> closed_form_of(Collective which, Generator const& generator, std::size_t size,
                                                   std::size_t root, partition const& cut, cost_model const& costs) {
    if (costs.transfers_at_once < size) { return std::nullopt; }
    if constexpr (has_closed_form<Collective, Generator, partition>) {
        return closed_form(which, generator, size, root, cut, costs);
    } else if constexpr (has_closed_form<Collective, Generator, equal_segments>) {
        auto const segments = equal_segments_of(cut);
        return segments ? closed_form(which, generator, size, root, *segments, costs) : std::nullopt;
    } else {
        return std::nullopt;
    }
}

/// When the last rank ends: from a closed form where one is exact for that generator, cut and cost model, otherwise
/// from a simulation; and the time that no algorithm stays below whose messages hold whole blocks of the same cut.
/// Requires root < size, else throws std::invalid_argument.
/// Both agree to the last bit if costs are integers.
template <class Collective, generator_for<Collective> Generator>
[[nodiscard]] prediction predict(Collective which, Generator const& generator, std::size_t size, std::size_t root,
                                 partition const& cut, cost_model const& costs) {
    auto const formula = root < size ? closed_form_of(which, generator, size, root, cut, costs) : std::nullopt;
    auto const time = formula ? *formula : simulate(which, generator, size, root, cut, costs).makespan();
    return {time, formula.has_value(), lower_bound(which, size, cut, costs)};
}

/// Root 0.
template <class Collective, generator_for<Collective> Generator>
[[nodiscard]] prediction predict(Collective which, Generator const& generator, std::size_t size, partition const& cut,
                                 cost_model const& costs) {
    return predict(which, generator, size, 0, cut, costs);
}

/// A reduction to rank 0.
template <generator_for<collective::reduce> Generator>
[[nodiscard]] prediction predict(Generator const& generator, std::size_t size, partition const& cut,
                                 cost_model const& costs) {
    return predict(collective::reduce{}, generator, size, 0, cut, costs);
}

}  // namespace tutti
