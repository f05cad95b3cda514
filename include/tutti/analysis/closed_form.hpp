// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>

#include <tutti/analysis/closed_form/broadcast.hpp>
#include <tutti/analysis/closed_form/reduce.hpp>
#include <tutti/analysis/cost_model.hpp>
#include <tutti/generator.hpp>

namespace tutti {

/// Whether there is a function, found beside the generator,
///
///     std::optional<double> closed_form(Collective, Generator const&, std::size_t size, std::size_t root,
///                                       Cut const&, tutti::cost_model const&);
///
/// that gives the makespan of a simulation wherever it gives one at all. `Cut` is tutti::equal_segments for those that
/// only know equal segments, tutti::partition for the others.
template <class Collective, class Generator, class Cut>
concept has_closed_form = requires(Collective which, Generator const& generator, std::size_t number, Cut const& cut,
                                   cost_model const& costs) {
    { closed_form(which, generator, number, number, cut, costs) } -> std::same_as<std::optional<double>>;
};

}  // namespace tutti
