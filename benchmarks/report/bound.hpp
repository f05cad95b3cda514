// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <tutti/analysis/bounds.hpp>
#include <tutti/analysis/cost_model.hpp>
#include <tutti/ownership.hpp>
#include <tutti/partition.hpp>
#include <tutti/problem.hpp>

#include "measurements.hpp"

namespace tutti::report {

/// A message of m bytes takes alpha + beta m seconds, to combine them takes gamma m.
struct network {
    double alpha = 0;
    double beta = 0;
    double gamma = 0;
};

/// Into so many blocks at most an algorithm cuts what belongs to one rank.
inline constexpr std::size_t pieces_of_a_part = 16;

template <class Collective>
[[nodiscard]] double bound_of(Collective which, setting const& where, cell const& at, cost_model const& costs) {
    if constexpr (collective::divides<Collective>) {
        // parts of nearly one length; looking at every element would take too long
        return lower_bound(which, where.size, partition::equal(at.elements, pieces_of_a_part * where.size), costs);
    } else {
        return lower_bound(which, where.size, cut_summary::by_segment(at.elements, 1), costs);
    }
}

/// Microseconds that no algorithm stays below; none if the collective is not known, or nobody has to do anything.
[[nodiscard]] inline std::optional<double> bound_of(setting const& where, cell const& at, network const& costs) {
    auto const bytes = static_cast<double>(where.element_bytes);
    auto const per_element = cost_model::linear(costs.alpha, costs.beta * bytes, costs.gamma * bytes);
    std::optional<double> result;
    auto const look = [&]<class... Collectives>(Collectives... each) {
        ((each.name == where.collective ? static_cast<void>(result = 1e6 * bound_of(each, where, at, per_element))
                                        : static_cast<void>(0)),
         ...);
    };
    using namespace collective;
    look(reduce{}, all_reduce{}, inclusive_scan{}, exclusive_scan{}, scan_reduce{}, reduce_scatter{}, broadcast{},
         all_gather{}, gather{}, scatter{});
    if (result && !(*result > 0)) { result.reset(); }
    return result;
}

}  // namespace tutti::report
