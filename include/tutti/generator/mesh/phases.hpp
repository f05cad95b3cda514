// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <tutti/combinator/axis.hpp>
#include <tutti/combinator/on_group.hpp>
#include <tutti/combinator/super_blocks.hpp>
#include <tutti/generator.hpp>
#include <tutti/generator/mesh/choice.hpp>

namespace tutti {

/// In which order a mesh takes its dimensions.
enum class mesh_order { first_dimension_first, last_dimension_first };

/// The phases of a mesh, in the order in which they follow one another: its factors and the algorithms named for them,
/// and what is not named out of `choices`, as the costs of the mesh recommend.
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
    if (mesh.factors.empty()) { return cheapest_mesh(choices, mesh.costs, at.size, elements); }
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
        phases.push_back({ranks, mesh.algorithms.empty() ? cheapest_phase(choices, mesh.costs, ranks, elements)
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
    void append(Algorithm const& algorithm, axis const& lines, strided_ranks const& lists) {
        problem const unrooted{at_.rank, at_.size, 0, at_.blocks};
        auto const phase = generate(collective::reduce_scatter{},
                                    on_group(lines, on_super_blocks(lists, algorithm)), unrooted);
        for (step each : phase) {
            each.round += rounds_;
            steps_.push_back(std::move(each));
        }
        rounds_ += phase.rounds();
    }

    template <class... Algorithms>
    void append(std::variant<Algorithms...> const& any, axis const& lines, strided_ranks const& lists) {
        std::visit([&](auto const& algorithm) { append(algorithm, lines, lists); }, any);
    }

    [[nodiscard]] auto as_schedule() && { return stored_schedule(rounds_, std::move(steps_)); }

private:
    problem const& at_;
    std::size_t rounds_ = 0;
    std::vector<step> steps_;
};

}  // namespace tutti
