// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <cstddef>
#include <utility>
#include <vector>

#include <range/v3/range/conversion.hpp>

#include <laws/mesh_laws.hpp>
#include <laws/reduce_scatter_laws.hpp>
#include <support/reduce_scatters.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/papers/ordered_mesh.hpp>

BOOST_AUTO_TEST_SUITE(generator_papers_ordered_mesh)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::schedules;

namespace {

std::vector<ordered_mesh::algorithm> const all_algorithms{pairwise{}, short_vector{}};

ordered_mesh of(std::vector<std::size_t> factors, std::vector<ordered_mesh::algorithm> algorithms) {
    return {std::move(factors), std::move(algorithms), {}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_rank_gets_its_part_in_order_on_a_mesh_that_is_chosen) {
    laws::check_there_and_back(ordered_mesh{}, {1, 2, 6, 7, 12, 36}, {1, 2, 5, 6, 11, 12, 30, 44});
    static_assert(!facts_of<collective::reduce_scatter, ordered_mesh>.requires_commutative);
    static_assert(facts_of<collective::reduce_scatter, ordered_mesh>.one_ported);
}

BOOST_AUTO_TEST_CASE(every_rank_gets_its_part_in_order_on_every_small_mesh) {
    BOOST_TEST(laws::check_small_meshes<ordered_mesh>(18, all_algorithms) > 100U);
    laws::check_schedules(collective::reduce_scatter{}, of({4, 3, 5}, {pairwise{}, short_vector{}, pairwise{}}), {60});
    laws::check_schedules(collective::reduce_scatter{}, of({2, 2, 3, 3}, {}), {36});
}

BOOST_AUTO_TEST_CASE(the_last_dimension_is_the_first_phase) {
    auto const cut = partition::equal(12, 6);
    auto const steps = generate(collective::reduce_scatter{}, of({2, 3}, {short_vector{}, pairwise{}}),
                                problem{1, 6, 0, cut});
    auto const all = ranges::to<std::vector>(steps);
    // the blocks of a column lie three apart
    block_list column_2{std::size_t{2}};
    column_2.append({5, 6});
    BOOST_TEST((all.front() == step::send(0, 2, buffer::result(), column_2)));
    BOOST_TEST((all.back() == step::send(3, 4, buffer::result(), 4)));
    BOOST_TEST(steps.rounds() == 2U + 2U);
}

BOOST_AUTO_TEST_CASE(the_formulas_are_what_a_simulation_takes) {
    support::for_each_mesh<ordered_mesh>(12, all_algorithms, [](std::size_t size, ordered_mesh const& each) {
        auto const cut = support::one_block_each(size, 2);
        BOOST_TEST(phases_of(each, {0, size, 0, cut}).front().ranks == each.factors.back());
        laws::check_mesh_time(each, size, 2, {7, 2, 3});
    });
}

BOOST_AUTO_TEST_CASE(each_rank_has_one_block) {
    BOOST_TEST(blocks_for(collective::reduce_scatter{}, ordered_mesh{}, 6, 1000) == 6U);
    BOOST_TEST(blocks_for(collective::all_gather{}, reverse(ordered_mesh{}), 6, 1000) == 6U);
}

BOOST_AUTO_TEST_SUITE_END()
