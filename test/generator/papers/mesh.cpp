// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <laws/mesh_laws.hpp>
#include <laws/reduce_scatter_laws.hpp>
#include <support/reduce_scatters.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/papers/mesh.hpp>
#include <tutti/generator/papers/ordered_mesh.hpp>

BOOST_AUTO_TEST_SUITE(generator_papers_mesh)

using namespace tutti;
using namespace tutti::generators;
using support::mesh_time;

namespace {

std::vector<mesh::algorithm> const all_algorithms{bucket{}, short_vector{}, pairwise{}, circulant{}};

mesh of(std::vector<std::size_t> factors, std::vector<mesh::algorithm> algorithms) {
    return {std::move(factors), std::move(algorithms), {}};
}

mesh const two_rows = of({2, 3}, {bucket{}, short_vector{}});

using algorithm = std::variant<bucket, short_vector>;
std::vector<algorithm> const choices{bucket{}, short_vector{}};

/// "3 long, 2 short".
std::string text(std::vector<mesh_phase<algorithm>> const& phases) {
    std::string result;
    for (auto const& phase : phases) {
        result += (result.empty() ? "" : ", ") + std::to_string(phase.ranks) +
                  (std::holds_alternative<bucket>(phase.algorithm) ? " long" : " short");
    }
    return result;
}

struct fastest {
    double time;
    std::size_t phases;
};

/// By trying all.
fastest by_trial(mesh_costs const& costs, std::size_t size, double elements) {
    fastest best{std::numeric_limits<double>::infinity(), 0};
    for (auto const& factors : support::factorisations(size, size)) {
        for (auto const& algorithms : support::tuples(choices, factors.size())) {
            std::vector<mesh_phase<algorithm>> phases;
            for (std::size_t i = 0; i < factors.size(); ++i) { phases.push_back({factors[i], algorithms[i]}); }
            auto const time = mesh_time(phases, costs, elements);
            bool const same = best.phases != 0 && std::abs(time - best.time) <= 1e-9 * best.time;
            if (same ? phases.size() < best.phases : time < best.time) { best = {time, phases.size()}; }
        }
    }
    return best;
}

mesh_costs const published{1000, 1, 0.25};

template <class Mesh>
std::vector<std::size_t> lengths(Mesh const& generator, std::size_t size) {
    auto const cut = support::one_block_each(size);
    std::vector<std::size_t> result;
    for (auto const& phase : phases_of(generator, {0, size, 0, cut})) { result.push_back(phase.ranks); }
    return result;
}

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
    BOOST_TEST(support::operand_orders(two_rows, 6) ==
                   (orders{"304152", "304152", "304152", "031425", "031425", "031425"}),
               boost::test_tools::per_element());
    BOOST_TEST(support::operand_orders(of({3, 2}, {bucket{}, short_vector{}}), 6) ==
                   (orders{"240351", "240351", "402513", "402513", "024135", "024135"}),
               boost::test_tools::per_element());
    BOOST_TEST(support::operand_orders(of({2, 3}, {short_vector{}, short_vector{}}), 6)[4] == "031425");
}

BOOST_AUTO_TEST_CASE(uneven_and_empty_parts_need_nothing_special) {
    laws::check_messages_of_six(two_rows, {.sends = {3, 2, 2, 2, 2, 2},
                                                  .elements_sent = {16, 18, 18, 9, 18, 18},
                                                  .elements_received = {24, 13, 9, 30, 10, 11}});
}

BOOST_AUTO_TEST_CASE(one_dimension_is_the_algorithm_itself) {
    auto const cut = support::uneven_six();
    for (std::size_t rank = 0; rank < 6; ++rank) {
        laws::check_same(collective::reduce_scatter{}, of({6}, {bucket{}}), bucket{}, {rank, 6, 0, cut});
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

BOOST_AUTO_TEST_CASE(costs_are_those_published) {
    auto const two_decimals = boost::test_tools::tolerance(0.5e-6);
    struct row {
        std::size_t size;
        double all_short, all_long, long_then_short;
        std::size_t rows;
        double best;
    };
    for (auto const& [size, all_short, all_long, long_then_short, rows, best] :
         std::vector<row>{{12, 32234.67, 15693.33, 12461.33, 6, 8693.33},
                          {16, 32320, 19800, 14168, 4, 8800},
                          {48, 46730.67, 52013.33, 18424, 6, 11013.33}}) {
        BOOST_TEST(phase_time(short_vector{}, published, size, 4096) == all_short, two_decimals);
        BOOST_TEST(phase_time(bucket{}, published, size, 4096) == all_long, two_decimals);
        std::size_t best_rows = 0;
        auto least = std::numeric_limits<double>::infinity();
        for (std::size_t r = 2; r < size; ++r) {
            if (size % r != 0) { continue; }
            std::vector<mesh_phase<algorithm>> const mesh{{r, bucket{}}, {size / r, short_vector{}}};
            auto const time = mesh_time(mesh, published, 4096);
            if (time < least) {
                least = time;
                best_rows = r;
            }
        }
        BOOST_TEST(least == long_then_short, two_decimals);
        BOOST_TEST(best_rows == rows);
        BOOST_TEST(mesh_time(cheapest_mesh(choices, published, size, 4096), published, 4096) == best, two_decimals);
    }
    BOOST_TEST(phase_time(bucket{}, published, 13, 64) == 12073.85, two_decimals);
    BOOST_TEST(mesh_time(cheapest_mesh(choices, published, 13, 64), published, 64) == 8379.08, two_decimals);
}

BOOST_AUTO_TEST_CASE(small_factors_are_long_and_all_apart) {
    BOOST_TEST(text(cheapest_mesh(choices, published, 1, 4096)) == "");
    BOOST_TEST(text(cheapest_mesh(choices, published, 12, 4096)) == "3 long, 2 long, 2 long");
    BOOST_TEST(text(cheapest_mesh(choices, published, 16, 4096)) == "2 long, 2 long, 2 long, 2 long");
    BOOST_TEST(text(cheapest_mesh(choices, published, 210, 1)) == "7 long, 5 long, 3 long, 2 long");
}

BOOST_AUTO_TEST_CASE(large_primes_are_short_for_short_vectors) {
    BOOST_TEST(text(cheapest_mesh(choices, published, 13, 64)) == "13 short");
    BOOST_TEST(text(cheapest_mesh(choices, published, 13, 4096)) == "13 long");
    BOOST_TEST(text(cheapest_mesh(choices, published, 26, 600)) == "2 long, 13 short");
    BOOST_TEST(text(cheapest_mesh(choices, published, 22, 0)) == "11 short, 2 long");
}

BOOST_AUTO_TEST_CASE(of_equally_fast_meshes_the_one_with_fewest_dimensions_is_chosen) {
    for (std::size_t const size : {6U, 12U, 30U, 64U}) {
        BOOST_TEST(text(cheapest_mesh(choices, {0, 1, 1}, size, 1000)) == std::to_string(size) + " long");
    }
}

BOOST_AUTO_TEST_CASE(no_mesh_is_faster) {
    for (auto const& costs : std::vector<mesh_costs>{published, {0, 1, 1}, {1, 0, 0}, {10, 1, 0}, {10, 0, 1}}) {
        for (double const elements : {0.0, 1.0, 50.0, 100000.0}) {
            for (std::size_t size = 2; size <= 48; ++size) {
                auto const chosen = cheapest_mesh(choices, costs, size, elements);
                auto const best = by_trial(costs, size, elements);
                BOOST_TEST(mesh_time(chosen, costs, elements) == best.time, boost::test_tools::tolerance(1e-9));
                BOOST_TEST(chosen.size() == best.phases);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(phases_take_the_dimensions_forwards_or_backwards) {
    using ranks = std::vector<std::size_t>;
    BOOST_TEST(lengths(of({2, 3, 5}, {}), 30) == (ranks{2, 3, 5}), boost::test_tools::per_element());
    BOOST_TEST(lengths(ordered_mesh{{2, 3, 5}, {}, {}}, 30) == (ranks{5, 3, 2}), boost::test_tools::per_element());
    auto const cut = support::one_block_each(6);
    ordered_mesh const named{{2, 3}, {pairwise{}, short_vector{}}, {}};
    BOOST_TEST(std::holds_alternative<short_vector>(phases_of(named, {0, 6, 0, cut})[0].algorithm));
}

BOOST_AUTO_TEST_CASE(what_is_not_named_is_chosen_for_what_each_phase_is_left) {
    auto const cut = partition::equal(1100, 22);
    // lines of 11 ranks, left with 550 elements: pairwise takes 10 α + 500, short_vector 8 α + 2700
    auto const of_lines = [&](double alpha) {
        auto const phases = phases_of(ordered_mesh{{11, 2}, {}, {alpha, 1, 0}}, {0, 22, 0, cut});
        BOOST_TEST(phases[0].ranks == 2U);
        BOOST_TEST(std::holds_alternative<pairwise>(phases[0].algorithm));
        return phases[1];
    };
    BOOST_TEST(std::holds_alternative<pairwise>(of_lines(1090).algorithm));
    BOOST_TEST(std::holds_alternative<short_vector>(of_lines(1110).algorithm));
}

BOOST_AUTO_TEST_CASE(a_mesh_that_does_not_fit_is_refused) {
    auto const cut = support::one_block_each(12);
    auto const message_of = [&](mesh const& wrong) -> std::string {
        try {
            static_cast<void>(generate(collective::reduce_scatter{}, wrong, problem{0, 12, 0, cut}));
        } catch (std::invalid_argument const& refusal) { return refusal.what(); }
        return "accepted";
    };
    std::string const misfit = "tutti: the factors of a mesh do not multiply to 12 ranks; choose others, or name none "
                               "and leave them to the costs";
    BOOST_TEST(message_of(of({3, 5}, {})) == misfit);
    BOOST_TEST(message_of(of({3, 2}, {})) == misfit);
    BOOST_TEST(message_of(of({0, 12}, {})) == misfit);
    BOOST_TEST(message_of(of({12, 2}, {})) == misfit);
    BOOST_TEST(message_of(of({3, 4}, {bucket{}})) ==
               "tutti: a mesh of 2 factors has 1 algorithms; name one for each factor, or none");
    BOOST_TEST(message_of(of({}, {bucket{}})) ==
               "tutti: a mesh of 0 factors has 1 algorithms; name one for each factor, or none");
    BOOST_TEST(message_of(of({3, 4}, {})) == "accepted");
}

BOOST_AUTO_TEST_SUITE_END()
