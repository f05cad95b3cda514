// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <tutti/generator.hpp>
#include <tutti/generator/mesh/phases.hpp>

namespace tutti {

/// A reduce_scatter along each dimension of a mesh of ranks, the first one first, each on what the one before left.
///
/// With p = d_0 ... d_{k-1} ranks, numbered with the last coordinate fastest, phase i reduces along lines of d_i ranks
/// what the ranks with the same first coordinates need. `factors` and `algorithms` name d_i and what runs on the lines;
/// what is not named (of the algorithms: bucket or short_vector) is chosen by `costs`.
/// Requires: a commutative operator. Result: on each rank its part of the combination of all x_r, any size; in one
/// place for each part. Reversed, it is an all_gather.
/// Errors: std::invalid_argument, when schedules are generated, unless the factors multiply to p, with an algorithm for
/// each or none.
/// Cost, for equal parts: the sum of what the phases cost, phase i with m / (d_0 ... d_{i-1}) elements; with buckets
/// on all dimensions Σ(d_i - 1) α + (p-1)/p m (β + γ). To generate: O(√p + Σ d_i).
struct mesh {
    using algorithm = std::variant<bucket, short_vector, pairwise, circulant>;

    std::vector<std::size_t> factors{};     ///< none: chosen
    std::vector<algorithm> algorithms{};    ///< one for each factor; none: chosen
    mesh_costs costs{};
    friend bool operator==(mesh const&, mesh const&) = default;
};

constexpr facts describe(collective::reduce_scatter, std::type_identity<mesh>) {
    return {.name = "mesh", .requires_commutative = true};
}

/// One block per rank.
[[nodiscard]] inline std::size_t blocks_for(collective::reduce_scatter, mesh const&, std::size_t size,
                                            std::size_t /*bytes*/) {
    return size;
}

/// The phases of `generator` in a problem, as named or chosen.
[[nodiscard]] inline std::vector<mesh_phase<mesh::algorithm>> phases_of(mesh const& generator, problem const& at) {
    return phases_of(generator, mesh_order::first_dimension_first,
                     std::vector<mesh::algorithm>{bucket{}, short_vector{}}, at);
}

[[nodiscard]] inline lazy_schedule generate(collective::reduce_scatter, mesh const& generator, problem const& at) {
    phase_steps steps{at};
    auto shared = at.size;  // neighbouring ranks that have the same blocks
    for (auto const& phase : phases_of(generator, at)) {
        auto const first = at.rank - at.rank % shared;
        shared /= phase.ranks;
        steps.append(phase.algorithm, axis{shared, phase.ranks},
                     {.size = at.size, .first = first, .stride = shared, .length = shared});
    }
    return std::move(steps).as_schedule();
}

}  // namespace tutti
