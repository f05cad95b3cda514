// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <tutti/combinator/group.hpp>
#include <tutti/combinator/on_group.hpp>
#include <tutti/combinator/super_blocks.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/bucket.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/papers/pairwise.hpp>
#include <tutti/generator/papers/short_vector.hpp>

namespace tutti::generators {

/// The assumed costs of the phases of a mesh: a message of s elements takes alpha + beta s, combining them gamma s, in
/// any unit of time.
struct mesh_costs {
    double alpha = 1000;
    double beta = 1;
    double gamma = 0.25;
    friend bool operator==(mesh_costs const&, mesh_costs const&) = default;
};

/// One phase: `algorithm` within lines of `ranks` ranks.
template <class Algorithm>
struct mesh_phase {
    std::size_t ranks;
    Algorithm algorithm;
    friend bool operator==(mesh_phase const&, mesh_phase const&) = default;
};

/// Time of a reduce_scatter of `elements` elements, in equal parts, among `ranks` ranks that send one message and
/// receive one at a time.
[[nodiscard]] inline double phase_time(bucket const&, mesh_costs const& costs, std::size_t ranks, double elements) {
    auto const others = static_cast<double>(ranks - 1);
    return others * costs.alpha + others / static_cast<double>(ranks) * elements * (costs.beta + costs.gamma);
}

/// As long as `bucket`, but a rank has two accumulators to combine when its last message has arrived.
[[nodiscard]] inline double phase_time(pairwise const&, mesh_costs const& costs, std::size_t ranks, double elements) {
    auto const last = ranks > 2 ? elements / static_cast<double>(ranks) * costs.gamma : 0;
    return phase_time(bucket{}, costs, ranks, elements) + last;
}

[[nodiscard]] inline double phase_time(circulant const&, mesh_costs const& costs, std::size_t ranks, double elements) {
    auto const sent = static_cast<double>(ranks - 1) / static_cast<double>(ranks) * elements;
    return static_cast<double>(split_levels(ranks)) * costs.alpha + sent * (costs.beta + costs.gamma);
}

[[nodiscard]] inline double phase_time(short_vector const&, mesh_costs const& costs, std::size_t ranks,
                                       double elements) {
    auto const levels = static_cast<double>(split_levels(ranks));
    auto const scattered = static_cast<double>(ranks - 1) / static_cast<double>(ranks);
    return 2 * levels * costs.alpha + (levels + scattered) * elements * costs.beta + levels * elements * costs.gamma;
}

template <class... Algorithms>
[[nodiscard]] double phase_time(std::variant<Algorithms...> const& any, mesh_costs const& costs, std::size_t ranks,
                                double elements) {
    return std::visit([&](auto const& algorithm) { return generators::phase_time(algorithm, costs, ranks, elements); },
                      any);
}

/// The first of `algorithms` that takes least time, which must be some.
template <class Algorithm>
[[nodiscard]] Algorithm cheapest_phase(std::vector<Algorithm> const& algorithms, mesh_costs const& costs,
                                       std::size_t ranks, double elements) {
    return *std::min_element(algorithms.begin(), algorithms.end(), [&](auto const& a, auto const& b) {
        return generators::phase_time(a, costs, ranks, elements) < generators::phase_time(b, costs, ranks, elements);
    });
}

/// The phases that take least time in all, out of all ordered factorisations of `size` with any of `algorithms` for
/// each factor; of equally fast ones the fewest phases, and then larger factors first.
///
/// The phases after a phase depend only on the number of ranks that are left, so each divisor of `size` is settled
/// once.
/// Requires size >= 1. Cost: O(√p + d²) for d divisors of p.
template <class Algorithm>
[[nodiscard]] std::vector<mesh_phase<Algorithm>> cheapest_mesh(std::vector<Algorithm> const& algorithms,
                                                               mesh_costs const& costs, std::size_t size,
                                                               double elements) {
    std::vector<std::size_t> divisors;
    for (std::size_t d = 1; d <= size / d; ++d) {
        if (size % d != 0) { continue; }
        divisors.push_back(d);
        if (d != size / d) { divisors.push_back(size / d); }
    }
    std::sort(divisors.begin(), divisors.end());

    struct settled {
        double time = 0;
        std::size_t phases = 0;
        mesh_phase<Algorithm> first;
    };
    auto const is_better = [](settled const& a, settled const& b) {
        // sums of the same terms in another order differ a little
        auto const same = std::abs(a.time - b.time) <= 1e-12 * std::max(a.time, b.time);
        return same ? a.phases < b.phases : a.time < b.time;
    };
    std::vector<settled> best{{0, 0, {1, algorithms.front()}}};  // for divisors[i] ranks that still share their blocks
    for (std::size_t i = 1; i < divisors.size(); ++i) {
        auto const share = elements * static_cast<double>(divisors[i]) / static_cast<double>(size);
        for (auto j = i; j > 0; --j) {
            auto const ranks = divisors[j];
            if (divisors[i] % ranks != 0) { continue; }
            auto const rest = std::lower_bound(divisors.begin(), divisors.end(), divisors[i] / ranks);
            auto const& after = best[static_cast<std::size_t>(rest - divisors.begin())];
            auto const algorithm = generators::cheapest_phase(algorithms, costs, ranks, share);
            settled const candidate{generators::phase_time(algorithm, costs, ranks, share) + after.time,
                                    after.phases + 1,
                                    {ranks, algorithm}};
            if (best.size() == i) {
                best.push_back(candidate);
            } else if (is_better(candidate, best[i])) {
                best[i] = candidate;
            }
        }
    }

    std::vector<mesh_phase<Algorithm>> phases;
    for (auto left = size; left != 1; left /= phases.back().ranks) {
        auto const at = std::lower_bound(divisors.begin(), divisors.end(), left);
        phases.push_back(best[static_cast<std::size_t>(at - divisors.begin())].first);
    }
    return phases;
}

/// In which order a mesh takes its dimensions.
enum class mesh_order { first_dimension_first, last_dimension_first };

/// The phases of a mesh, in their order: its factors and their algorithms; those that are not given are chosen, by the
/// costs of the mesh and among `choices`.
///
/// Errors: std::invalid_argument unless the factors multiply to the number of ranks, and there is an algorithm for each
/// or none at all.
template <class Mesh, class Algorithm>
[[nodiscard]] std::vector<mesh_phase<Algorithm>> phases_of(Mesh mesh, mesh_order order,
                                                           std::vector<Algorithm> const& choices, problem const& at) {
    auto elements = static_cast<double>(at.blocks.elements());
    if (!mesh.algorithms.empty() && mesh.algorithms.size() != mesh.factors.size()) {
        throw std::invalid_argument{"tutti: a mesh of " + std::to_string(mesh.factors.size()) + " factors has " +
                                    std::to_string(mesh.algorithms.size()) +
                                    " algorithms; name one for each factor, or none"};
    }
    if (mesh.factors.empty()) { return generators::cheapest_mesh(choices, mesh.costs, at.size, elements); }
    auto left = at.size;
    for (auto const factor : mesh.factors) { left = factor != 0 && left % factor == 0 ? left / factor : 0; }
    if (left != 1) {
        throw std::invalid_argument{"tutti: the factors of a mesh do not multiply to " + std::to_string(at.size) +
                                    " ranks; choose others, or name none and leave them to the costs"};
    }
    if (order == mesh_order::last_dimension_first) {
        std::reverse(mesh.factors.begin(), mesh.factors.end());
        std::reverse(mesh.algorithms.begin(), mesh.algorithms.end());
    }
    std::vector<mesh_phase<Algorithm>> phases;
    for (std::size_t i = 0; i < mesh.factors.size(); ++i) {
        auto const ranks = mesh.factors[i];
        phases.push_back({ranks, mesh.algorithms.empty()
                                     ? generators::cheapest_phase(choices, mesh.costs, ranks, elements)
                                     : mesh.algorithms[i]});
        elements /= static_cast<double>(ranks);
    }
    return phases;
}

/// The steps of one rank in phases that follow one another.
class phase_steps {
public:
    explicit phase_steps(problem const& at) : at_{at} {}

    /// A phase along `lines`, in which each member of a line gets its super-block of `lists`.
    template <class Algorithm>
    void append(Algorithm const& algorithm, groups::axis const& lines, strided_ranks const& lists) {
        problem const unrooted{at_.rank, at_.size, 0, at_.blocks};
        auto const phase =
            generate(collective::reduce_scatter{},
                     generators::on_group(lines, generators::on_super_blocks(lists, algorithm)), unrooted);
        for (step each : phase) {
            each.round += rounds_;
            steps_.push_back(std::move(each));
        }
        rounds_ += phase.rounds();
    }

    template <class... Algorithms>
    void append(std::variant<Algorithms...> const& any, groups::axis const& lines, strided_ranks const& lists) {
        std::visit([&](auto const& algorithm) { append(algorithm, lines, lists); }, any);
    }

    [[nodiscard]] auto as_schedule() && { return stored_schedule(rounds_, std::move(steps_)); }

private:
    problem const& at_;
    std::size_t rounds_ = 0;
    std::vector<step> steps_;
};

/// A reduce_scatter along each dimension of a mesh of ranks, the first one first, each on the result of the one before.
///
/// With p = d_0 ... d_{k-1} ranks, numbered with the last coordinate fastest, phase i reduces along lines of d_i ranks
/// the parts of the ranks with the same first coordinates. `factors` and `algorithms` give d_i and the algorithms on
/// the lines; those that are not given are chosen by `costs` (algorithms: bucket or short_vector).
/// Each part is combined in one place. Reversed, it is an all_gather.
/// Errors: std::invalid_argument, when schedules are generated, unless the factors multiply to p, with an algorithm for
/// each or none.
/// Cost, for equal parts: the sum of the phases' costs, phase i with m / (d_0 ... d_{i-1}) elements; with buckets
/// on all dimensions Σ(d_i - 1) α + (p-1)/p m (β + γ). To generate: O(√p + Σ d_i).
/// Source: [poster].
/// Counts of reduce_scatter: down to the sum of the prime factors of p less 1 each | m (p - 1)/p | m (p - 1)/p.
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
        steps.append(phase.algorithm, groups::axis{shared, phase.ranks},
                     {.size = at.size, .first = first, .stride = shared, .width = shared});
    }
    return std::move(steps).as_schedule();
}

}  // namespace tutti::generators

namespace tutti {
using generators::mesh;
}  // namespace tutti
