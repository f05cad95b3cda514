// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <tutti/generator/mesh.hpp>

/// All meshes of a number of ranks.
namespace support {

/// The ordered factorisations of `size` into at most `most` factors of at least 2.
[[nodiscard]] inline std::vector<std::vector<std::size_t>> factorisations(std::size_t size, std::size_t most) {
    if (size == 1) { return {{}}; }
    std::vector<std::vector<std::size_t>> result;
    for (std::size_t first = 2; first <= size && most != 0; ++first) {
        if (size % first != 0) { continue; }
        for (auto& rest : factorisations(size / first, most - 1)) {
            rest.insert(rest.begin(), first);
            result.push_back(std::move(rest));
        }
    }
    return result;
}

/// All lists of `count` out of `choices`, with repetition.
template <class T>
[[nodiscard]] std::vector<std::vector<T>> tuples(std::vector<T> const& choices, std::size_t count) {
    if (count == 0) { return {{}}; }
    std::vector<std::vector<T>> result;
    for (auto const& shorter : tuples(choices, count - 1)) {
        for (auto const& choice : choices) {
            result.push_back(shorter);
            result.back().push_back(choice);
        }
    }
    return result;
}

/// Time of phases one after the other, where each leaves a rank with its share of the vector.
template <class Algorithm>
[[nodiscard]] double mesh_time(std::vector<tutti::generators::mesh_phase<Algorithm>> const& phases,
                               tutti::generators::mesh_costs const& costs, double elements) {
    double time = 0;
    for (auto const& phase : phases) {
        time += phase_time(phase.algorithm, costs, phase.ranks, elements);
        elements /= static_cast<double>(phase.ranks);
    }
    return time;
}

/// Calls function(size, mesh) for all meshes of at most three dimensions of at most `largest` ranks, with every choice
/// of algorithms.
template <class Mesh, class Function>
void for_each_mesh(std::size_t largest, std::vector<typename Mesh::algorithm> const& choices, Function function) {
    for (std::size_t size = 2; size <= largest; ++size) {
        for (auto const& factors : factorisations(size, 3)) {
            for (auto const& algorithms : tuples(choices, factors.size())) {
                function(size, Mesh{factors, algorithms, {}});
            }
        }
    }
}

}  // namespace support
