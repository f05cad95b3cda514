// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <vector>

#include <support/meshes.hpp>
#include <support/reduce_scatters.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/combinator/reverse.hpp>

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
