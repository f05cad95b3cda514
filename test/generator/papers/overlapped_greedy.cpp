// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include <laws/schedule_laws.hpp>
#include <support/overlapped_search.hpp>
#include <support/rooted_trees.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/papers/overlapped_greedy.hpp>
#include <tutti/generator/pattern/tree/greedy.hpp>

#include "../../../benchmarks/paper/tree_lengths.hpp"

BOOST_AUTO_TEST_SUITE(generator_papers_overlapped_greedy)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;

namespace {

using numbers = std::vector<std::size_t>;

std::size_t logarithm(std::size_t size) { return static_cast<std::size_t>(std::bit_width(size - 1)); }

std::vector<overlapped_greedy> const all_costs{{0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 1}, {3, 4}, {4, 1}, {2, 9}};

}  // namespace

BOOST_AUTO_TEST_CASE(reduces_in_rank_order_to_any_root) {
    laws::check_schedules(collective::reduce{}, overlapped_greedy{});
    laws::check_schedules(collective::reduce{}, overlapped_greedy::binomial_strategy(), {2, 5, 8, 13, 64});
    laws::check_schedules(collective::reduce{}, overlapped_greedy{.transfer = 3, .combine = 4}, {2, 5, 8, 13, 64});
    laws::check_schedules(collective::reduce{}, overlapped_greedy{.transfer = 9, .combine = 0}, {2, 5, 8, 13, 64});
}

BOOST_AUTO_TEST_CASE(broadcasts_and_all_reduces) {
    laws::check_schedules(collective::broadcast{}, reverse(overlapped_greedy{}), {1, 2, 3, 8, 13, 33});
    laws::check_schedules(collective::all_reduce{}, then(overlapped_greedy{}, reverse(overlapped_greedy{})),
                          {1, 2, 3, 8, 13, 33});
}

BOOST_AUTO_TEST_CASE(lengths_are_those_published) {
    numbers const sizes{2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 21, 32, 64, 100};
    struct row { std::size_t transfer, combine; numbers lengths; };
    for (auto const& [transfer, combine, lengths] : std::vector<row>{
             {0, 1, {1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 7}},
             {1, 0, {1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 7}},
             {1, 1, {2, 3, 4, 4, 5, 5, 6, 6, 7, 7, 7, 8, 10, 11}},
             {1, 2, {3, 5, 6, 7, 8, 9, 10, 11, 11, 12, 12, 14, 16, 18}},
             {1, 4, {5, 9, 10, 13, 14, 15, 18, 19, 20, 22, 22, 25, 29, 32}},
             {2, 1, {3, 5, 6, 7, 8, 9, 10, 11, 11, 12, 12, 14, 16, 18}},
             {3, 4, {7, 11, 14, 15, 18, 19, 22, 23, 25, 26, 27, 30, 36, 40}},
             {4, 1, {5, 9, 10, 13, 14, 15, 18, 19, 20, 22, 22, 25, 29, 32}},
             {10, 1, {11, 21, 22, 31, 32, 33, 42, 43, 44, 52, 52, 55, 66, 74}},
             {2, 9, {11, 20, 22, 29, 31, 33, 40, 42, 44, 49, 49, 55, 65, 71}}}) {
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            BOOST_TEST(makespan_of(overlapped_greedy{.transfer = transfer, .combine = combine}, sizes[i]) ==
                       lengths[i]);
        }
    }
    BOOST_TEST(makespan_of(overlapped_greedy{}, 1) == 0U);
}

BOOST_AUTO_TEST_CASE(no_tree_is_shorter) {
    for (auto const& costs : all_costs) {
        for (std::size_t size = 1; size <= 8; ++size) {
            auto shortest = size * (costs.transfer + costs.combine);
            test::for_each_tree(size, [&](test::rooted_tree const& tree) {
                shortest = std::min(shortest, tutti::paper::makespan_of(tree, {costs.transfer, costs.combine}));
            });
            BOOST_TEST(makespan_of(costs, size) == shortest);
        }
    }
}

BOOST_AUTO_TEST_CASE(no_order_of_transfers_is_shorter) {
    for (auto const& costs : all_costs) {
        test::overlapped_search search{costs.transfer, costs.combine};
        for (std::size_t size = 1; size <= 7; ++size) { BOOST_TEST(makespan_of(costs, size) == search.shortest(size)); }
    }
}

BOOST_AUTO_TEST_CASE(length_is_logarithmic_and_the_same_when_costs_are_exchanged) {
    for (auto const& costs : all_costs) {
        for (std::size_t size = 2; size <= 200; ++size) {
            auto const found = makespan_of(costs, size);
            BOOST_TEST(found >= logarithm(size) * std::max(costs.transfer, costs.combine));
            BOOST_TEST(found <= logarithm(size) * (costs.transfer + costs.combine));
            BOOST_TEST(found == makespan_of(overlapped_greedy{costs.combine, costs.transfer}, size));
        }
    }
}

BOOST_AUTO_TEST_CASE(is_the_binomial_tree_where_that_is_the_only_shortest_one) {
    // of order k: two of order k-1, one root sends to the other
    auto binomial = test::rooted_tree{0};
    for (std::size_t size = 2; size <= 64; size *= 2) {
        auto const half = size / 2;
        for (std::size_t machine = 0; machine < half; ++machine) { binomial.push_back(binomial[machine] + half); }
        binomial[half] = 0;
        auto const tree = tree_of(overlapped_greedy::binomial_strategy(), size);
        BOOST_TEST(test::shape(tree.receiver) == test::shape(binomial));
        BOOST_TEST(test::shape(tree_of(overlapped_greedy{.transfer = 5, .combine = 0}, size).receiver) ==
                   test::shape(binomial));
        BOOST_TEST(tutti::paper::makespan_of(tree.receiver, {3, 4}) == 7 * logarithm(size));
        if (size > 8) { continue; }
        std::set<std::string> shortest;
        test::for_each_tree(size, [&](test::rooted_tree const& each) {
            if (tutti::paper::makespan_of(each, {0, 1}) == logarithm(size)) { shortest.insert(test::shape(each)); }
        });
        BOOST_TEST(shortest.size() == 1U);
    }
}

BOOST_AUTO_TEST_CASE(the_binomial_strategy_keeps_its_ratio) {
    for (auto const& costs : all_costs) {
        auto const [less, more] = std::minmax(costs.transfer, costs.combine);
        auto const strategy = tutti::paper::lengths(tree_of(overlapped_greedy::binomial_strategy(), 300),
                                                       {costs.transfer, costs.combine});
        for (std::size_t size = 2; size <= 300; ++size) {
            BOOST_TEST(strategy[size - 1] * more <= makespan_of(costs, size) * (more + less));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_simulation_takes_as_long) {
    auto const cut = partition::equal(6, 1);
    for (auto const& costs : all_costs) {
        auto const model = cost_model::per_block(static_cast<double>(costs.transfer),
                                                 static_cast<double>(costs.combine), ports::overlapped);
        for (std::size_t size : {1U, 2U, 3U, 4U, 6U, 7U, 13U, 20U, 33U, 64U, 100U}) {
            for (auto const root : {std::size_t{0}, size / 3, size - 1}) {
                auto const line = simulate(collective::reduce{}, costs, size, root, cut, model);
                BOOST_TEST(line.makespan() == static_cast<double>(makespan_of(costs, size)));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(operands_stay_in_order) {
    auto const cut = partition::equal(1, 1);
    auto const text = [&](std::size_t root) {
        return bracketings(collective::reduce{}, overlapped_greedy{}, 13, root, cut, root).front();
    };
    BOOST_TEST(text(0) == "(((((0+1)+2)+(3+4))+((5+6)+7))+(((8+9)+10)+(11+12)))");
    BOOST_TEST(text(4) == "((((0+1)+2)+((3+(4+5))+(6+7)))+(((8+9)+10)+(11+12)))");
}

BOOST_AUTO_TEST_CASE(refuses_costs_that_are_both_zero) {
    std::vector<overlapped_greedy> const nothing{{.transfer = 0, .combine = 0}};
    laws::check_refusals(collective::reduce{}, nothing, {0, 4, 0, partition::equal(1, 1)});
}

BOOST_AUTO_TEST_SUITE_END()
