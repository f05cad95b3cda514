// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include <tutti/generator/bucket.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/pairwise.hpp>
#include <tutti/generator/pattern/range_halvings.hpp>
#include <tutti/generator/short_vector.hpp>

namespace tutti {

/// What the phases of a mesh are thought to cost: a message of s elements alpha + beta s, to combine them gamma s, in
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

/// As long as round the ring, but a rank has two accumulators to combine when its last message has come.
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
    return std::visit([&](auto const& algorithm) { return phase_time(algorithm, costs, ranks, elements); }, any);
}

/// Time of phases one after the other, where each leaves a rank with its share of the vector.
template <class Algorithm>
[[nodiscard]] double mesh_time(std::vector<mesh_phase<Algorithm>> const& phases, mesh_costs const& costs,
                               double elements) {
    double time = 0;
    for (auto const& phase : phases) {
        time += phase_time(phase.algorithm, costs, phase.ranks, elements);
        elements /= static_cast<double>(phase.ranks);
    }
    return time;
}

/// The first of `algorithms` that takes least time, which must be some.
template <class Algorithm>
[[nodiscard]] Algorithm cheapest_phase(std::vector<Algorithm> const& algorithms, mesh_costs const& costs,
                                       std::size_t ranks, double elements) {
    return *std::min_element(algorithms.begin(), algorithms.end(), [&](auto const& a, auto const& b) {
        return phase_time(a, costs, ranks, elements) < phase_time(b, costs, ranks, elements);
    });
}

/// The phases that take least time in all, out of all ordered factorisations of `size` with any of `algorithms` for
/// each factor; of equally fast ones the fewest phases, and then larger factors first.
///
/// What follows a phase depends on the ranks that are left alone, so each divisor of `size` is settled once.
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
            auto const algorithm = cheapest_phase(algorithms, costs, ranks, share);
            settled const candidate{phase_time(algorithm, costs, ranks, share) + after.time, after.phases + 1,
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

}  // namespace tutti
