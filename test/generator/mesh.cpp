// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <range/v3/algorithm/equal.hpp>

#include <laws/mesh_laws.hpp>
#include <laws/reduce_scatter_laws.hpp>
#include <support/meshes.hpp>
#include <support/reduce_scatters.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/mesh.hpp>

BOOST_AUTO_TEST_SUITE(generator_mesh)

using namespace tutti;
using namespace tutti::generators;

namespace {

std::vector<mesh::algorithm> const all_algorithms{bucket{}, short_vector{}, pairwise{}, circulant{}};

mesh of(std::vector<std::size_t> factors, std::vector<mesh::algorithm> algorithms) {
    return {std::move(factors), std::move(algorithms), {}};
}

mesh const long_then_short = of({2, 3}, {bucket{}, short_vector{}});

}  // namespace

BOOST_AUTO_TEST_CASE(every_rank_gets_its_part_on_a_mesh_that_is_chosen) {
    laws::check_there_and_back(mesh{}, {1, 2, 6, 7, 12, 36}, {1, 2, 5, 6, 11, 12, 30, 44});
    static_assert(facts_of<collective::reduce_scatter, mesh>.requires_commutative);
    static_assert(facts_of<collective::reduce_scatter, mesh>.one_ported);
}

BOOST_AUTO_TEST_CASE(every_rank_gets_its_part_on_every_small_mesh) {
    BOOST_TEST(laws::check_small_meshes<mesh>(12, all_algorithms) > 300U);
}

BOOST_AUTO_TEST_CASE(larger_meshes_are_sampled) {
    laws::check_schedules(collective::reduce_scatter{}, of({4, 3, 5}, {bucket{}, short_vector{}, circulant{}}), {60});
    laws::check_schedules(collective::reduce_scatter{}, of({2, 2, 3, 3}, {}), {36});
    laws::check_schedules(collective::reduce_scatter{}, of({5, 8}, {short_vector{}, bucket{}}), {40});
    laws::check_schedules(collective::reduce_scatter{}, of({1, 7, 1}, {pairwise{}, bucket{}, circulant{}}), {7});
}

BOOST_AUTO_TEST_CASE(operands_are_mixed_over_the_columns) {
    using orders = std::vector<std::string>;
    BOOST_TEST(support::operand_orders(long_then_short, 6) ==
                   (orders{"304152", "304152", "304152", "031425", "031425", "031425"}),
               boost::test_tools::per_element());
    BOOST_TEST(support::operand_orders(of({3, 2}, {bucket{}, short_vector{}}), 6) ==
                   (orders{"240351", "240351", "402513", "402513", "024135", "024135"}),
               boost::test_tools::per_element());
    BOOST_TEST(support::operand_orders(of({2, 3}, {short_vector{}, short_vector{}}), 6)[4] == "031425");
}

BOOST_AUTO_TEST_CASE(uneven_and_empty_parts_need_nothing_special) {
    laws::check_messages_of_six(long_then_short, {.sends = {3, 2, 2, 2, 2, 2},
                                                  .elements_sent = {16, 18, 18, 9, 18, 18},
                                                  .elements_received = {24, 13, 9, 30, 10, 11}});
}

BOOST_AUTO_TEST_CASE(one_dimension_is_the_algorithm_itself) {
    auto const cut = support::uneven_six();
    for (std::size_t rank = 0; rank < 6; ++rank) {
        problem const at{rank, 6, 0, cut};
        BOOST_TEST(ranges::equal(generate(collective::reduce_scatter{}, of({6}, {bucket{}}), at),
                                 generate(collective::reduce_scatter{}, bucket{}, at)));
    }
}

BOOST_AUTO_TEST_CASE(what_lies_together_is_one_range) {
    auto const cut = partition::equal(24, 12);
    for (step const& each : generate(collective::reduce_scatter{}, of({3, 4}, {short_vector{}, short_vector{}}),
                                     problem{0, 12, 0, cut})) {
        BOOST_TEST(each.blocks.ranges() == 1U);
    }
}

BOOST_AUTO_TEST_CASE(the_formulas_are_what_a_simulation_takes) {
    std::size_t checked = 0;
    support::for_each_mesh<mesh>(12, all_algorithms, [&](std::size_t size, mesh each) {
        if (++checked % 3 == 0 && each.factors.size() == 3) { return; }
        each.costs = {7, 2, 3};
        laws::check_mesh_time(each, size, 2, each.costs);
    });
    for (auto const& [size, factors] : std::vector<std::pair<std::size_t, std::vector<std::size_t>>>{
             {48, {6, 8}}, {36, {2, 3, 3, 2}}, {35, {5, 7}}, {22, {2, 11}}, {64, {64}}}) {
        for (auto const& algorithm : all_algorithms) {
            auto const each = of(factors, std::vector<mesh::algorithm>(factors.size(), algorithm));
            laws::check_mesh_time(each, size, 3, {5, 1, 4});
        }
    }
}

BOOST_AUTO_TEST_CASE(each_rank_has_one_block) {
    BOOST_TEST(blocks_for(collective::reduce_scatter{}, mesh{}, 6, 1000) == 6U);
    BOOST_TEST(blocks_for(collective::all_gather{}, reverse(mesh{}), 6, 1000) == 6U);
}

BOOST_AUTO_TEST_SUITE_END()
