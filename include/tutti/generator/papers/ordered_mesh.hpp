// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <tutti/generator/named.hpp>
#include <tutti/generator/papers/mesh.hpp>

namespace tutti::generators {

/// A reduce_scatter along each dimension of a mesh of ranks, the last one first, so that partial results always combine
/// operands of neighbouring ranks.
///
/// With p = d_0 ... d_{k-1} ranks, numbered with the last coordinate fastest, the phase of dimension i leaves a rank
/// with the blocks whose owners agree with it in the coordinates from i on: they do not lie together, and messages list
/// them. `factors` and `algorithms` give d_i and the algorithms on its lines; those not given are chosen by `costs`.
/// Each part is combined in one place. Reversed, it is an all_gather.
/// Errors: std::invalid_argument, when schedules are generated, unless the factors multiply to p, with an algorithm for
/// each or none.
/// Cost: as `mesh` with the dimensions reversed. To generate: O(p), with short_vector O(p log p).
/// Source: [poster], dimensions reversed.
/// Counts of reduce_scatter: down to the sum of the prime factors of p less 1 each | m (p - 1)/p | m (p - 1)/p.
struct ordered_mesh {
    using algorithm = std::variant<pairwise, short_vector>;

    std::vector<std::size_t> factors{};     ///< none: chosen
    std::vector<algorithm> algorithms{};    ///< one for each factor; none: chosen
    mesh_costs costs{};
    friend bool operator==(ordered_mesh const&, ordered_mesh const&) = default;
};

constexpr facts describe(collective::reduce_scatter, std::type_identity<ordered_mesh>) {
    return {.name = "ordered_mesh"};
}

/// The phases of `generator` in a problem, as named or chosen: the one of the last dimension is the first.
[[nodiscard]] inline std::vector<mesh_phase<ordered_mesh::algorithm>> phases_of(ordered_mesh const& generator,
                                                                                problem const& at) {
    return phases_of(generator, mesh_order::last_dimension_first,
                     std::vector<ordered_mesh::algorithm>{pairwise{}, short_vector{}}, at);
}

[[nodiscard]] inline lazy_schedule generate(collective::reduce_scatter, ordered_mesh const& generator,
                                            problem const& at) {
    phase_steps steps{at};
    std::size_t reduced = 1;  // neighbouring ranks whose contributions are combined already
    for (auto const& phase : phases_of(generator, at)) {
        auto const line = reduced * phase.ranks;
        steps.append(phase.algorithm, groups::axis{reduced, phase.ranks},
                     {.size = at.size, .first = at.rank % reduced, .stride = reduced, .count = at.size / line,
                      .step = line});
        reduced = line;
    }
    return std::move(steps).as_schedule();
}

}  // namespace tutti::generators

namespace tutti {
using generators::ordered_mesh;
}  // namespace tutti
