// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <utility>
#include <vector>

#include <support/reduce_scatters.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/papers/mesh.hpp>

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

/// What every kind of mesh must keep.
namespace laws {

/// Every rank gets its part, and gives it back, on all meshes of at most `largest` ranks. Gives their number.
template <class Mesh>
[[nodiscard]] std::size_t check_small_meshes(std::size_t largest,
                                             std::vector<typename Mesh::algorithm> const& algorithms) {
    using namespace tutti;
    using namespace tutti::generators;
    std::size_t meshes = 0;
    support::for_each_mesh<Mesh>(largest, algorithms, [&](std::size_t size, Mesh const& each) {
        std::vector<std::size_t> uneven;
        for (std::size_t rank = 0; rank < size; ++rank) { uneven.push_back(rank * rank % 4); }
        for (auto const& cut : {support::one_block_each(size), partition::of_sizes(uneven), partition::equal(5, 3)}) {
            auto const verdict = verify(collective::reduce_scatter{}, each, size, 0, cut);
            BOOST_REQUIRE_MESSAGE(verdict.ok, verdict.reason);
            auto const back = verify(collective::all_gather{}, reverse(each), size, 0, cut);
            BOOST_REQUIRE_MESSAGE(back.ok, back.reason);
        }
        ++meshes;
    });
    return meshes;
}

/// The formula gives the time that a simulation takes with as many elements of each rank.
template <class Mesh>
void check_mesh_time(Mesh const& mesh, std::size_t size, std::size_t elements,
                     tutti::generators::mesh_costs const& costs) {
    auto const cut = support::one_block_each(size, elements);
    auto const formula =
        support::mesh_time(phases_of(mesh, {0, size, 0, cut}), costs, static_cast<double>(cut.elements()));
    auto const linear = tutti::cost_model::linear(costs.alpha, costs.beta, costs.gamma);
    auto const time = simulate(tutti::collective::reduce_scatter{}, mesh, size, 0, cut, linear).makespan();
    BOOST_TEST(formula == time, boost::test_tools::tolerance(1e-12));
}

}  // namespace laws
