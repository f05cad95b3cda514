// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <support/rooted_trees.hpp>
#include <tutti/generator/papers/fibonacci.hpp>
#include <tutti/generator/papers/overlapped_greedy.hpp>
#include <tutti/generator/pattern/tree/greedy.hpp>

#include "../../../benchmarks/paper/tree_lengths.hpp"

BOOST_AUTO_TEST_SUITE(benchmarks_paper_tree_lengths)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::paper;

namespace {

using numbers = std::vector<std::size_t>;

std::vector<overlapped_costs> const all_costs{{0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 1}, {3, 4}, {4, 1}, {2, 9}};

/// max over the children, in the order in which they are ready, of t_j + d + (k - j) max(d, c) + c
std::size_t makespan_by_children(test::rooted_tree const& tree, overlapped_costs costs) {
    std::vector<numbers> children(tree.size());
    std::size_t ready = 0;
    for (auto machine = tree.size(); machine-- > 0;) {
        auto& times = children[machine];
        std::sort(times.begin(), times.end());
        ready = 0;
        for (std::size_t j = 0; j < times.size(); ++j) {
            auto const later = (times.size() - 1 - j) * std::max(costs.transfer, costs.combine);
            ready = std::max(ready, times[j] + costs.transfer + later + costs.combine);
        }
        if (machine != 0) { children[tree[machine]].push_back(ready); }
    }
    return ready;
}

struct worst {
    double ratio = 0;
    std::size_t size = 0;
};

/// The largest ratio of the lengths of two families of trees, and the smallest size that has it.
worst worst_ratio(std::span<std::size_t const> found, std::span<std::size_t const> shortest) {
    worst result;
    for (std::size_t i = 1; i < found.size(); ++i) {
        auto const ratio = static_cast<double>(found[i]) / static_cast<double>(shortest[i]);
        if (ratio > result.ratio) { result = {ratio, i + 1}; }
    }
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_star_takes_the_longer_of_both_per_child) {
    BOOST_TEST(makespan_of(numbers{0}, {3, 2}) == 0U);
    for (std::size_t k = 1; k < 9; ++k) {
        for (auto const& costs : all_costs) {
            auto const expected = costs.transfer + (k - 1) * std::max(costs.transfer, costs.combine) + costs.combine;
            BOOST_TEST(makespan_of(numbers(k + 1, 0), costs) == expected);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_chain_takes_both_per_machine) {
    BOOST_TEST(makespan_of(numbers{0, 0, 1, 2, 3}, {3, 2}) == 20U);
    // a child that is late does not hold up the other one
    BOOST_TEST(makespan_of(numbers{0, 0, 0, 1, 3}, {3, 2}) == 15U);
    BOOST_TEST(makespan_of(numbers{0, 0, 0, 2, 3}, {3, 2}) == 15U);
}

BOOST_AUTO_TEST_CASE(equals_its_closed_form_on_every_tree) {
    for (std::size_t size = 1; size <= 7; ++size) {
        std::size_t wrong = 0;
        test::for_each_tree(size, [&](test::rooted_tree const& tree) {
            for (auto const& costs : all_costs) {
                wrong += makespan_of(tree, costs) != makespan_by_children(tree, costs);
            }
        });
        BOOST_TEST(wrong == 0U);
    }
}

BOOST_AUTO_TEST_CASE(greedy_trees_take_the_time_for_which_they_were_grown) {
    for (auto const& costs : all_costs) {
        for (std::size_t size = 1; size <= 200; ++size) {
            auto const tree = grow_greedy_tree(costs, size);
            BOOST_TEST(makespan_of(tree.receiver, costs) == tree.makespan());
            auto const limited = grow_greedy_tree(costs, size, {.receivers = 3});
            BOOST_TEST(makespan_of(limited.receiver, costs) == limited.makespan());
        }
    }
}

BOOST_AUTO_TEST_CASE(lengths_are_those_of_all_beginnings_at_any_costs) {
    for (auto const& grown_for : all_costs) {
        for (auto const& limits : {tree_limits{}, {.transfers = 3}, {.receivers = 5}}) {
            auto const tree = grow_greedy_tree(grown_for, 90, limits);
            for (auto const& costs : all_costs) {
                auto const all = lengths(tree, costs);
                BOOST_REQUIRE(all.size() == 90U);
                std::size_t wrong = 0;
                for (std::size_t size = 1; size <= 90; ++size) {
                    numbers const beginning(tree.receiver.begin(),
                                            tree.receiver.begin() + static_cast<std::ptrdiff_t>(size));
                    wrong += all[size - 1] != makespan_of(beginning, costs);
                }
                BOOST_TEST(wrong == 0U);
            }
            if (limits.transfers != 3) { BOOST_TEST(std::ranges::equal(lengths(tree, grown_for), tree.time_left)); }
        }
    }
}

BOOST_AUTO_TEST_CASE(one_tree_for_all_costs_is_longer_by_the_ratios_published) {
    std::size_t const largest = 10'000;
    auto const equal = tree_of(overlapped_greedy{.transfer = 1, .combine = 1}, largest).time_left;
    auto const binomial = worst_ratio(lengths(tree_of(overlapped_greedy::binomial_strategy(), largest), {1, 1}), equal);
    BOOST_TEST(binomial.ratio == 4.0 / 3);
    BOOST_TEST(binomial.size == 4096U);
    for (auto const& costs : {overlapped_costs{0, 1}, {1, 0}}) {
        auto const shortest = tree_of(overlapped_greedy{costs.transfer, costs.combine}, largest).time_left;
        auto const fibonacci_tree = worst_ratio(lengths(tree_of(fibonacci{}, largest), costs), shortest);
        BOOST_TEST(fibonacci_tree.ratio == 1.5);
        BOOST_TEST(fibonacci_tree.size == 4U);
    }
}

BOOST_AUTO_TEST_SUITE_END()
