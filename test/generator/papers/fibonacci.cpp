// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <laws/schedule_laws.hpp>
#include <support/rooted_trees.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/papers/fibonacci.hpp>
#include <tutti/generator/papers/overlapped_greedy.hpp>
#include <tutti/generator/pattern/tree/greedy.hpp>

#include "../../../benchmarks/paper/tree_lengths.hpp"

BOOST_AUTO_TEST_SUITE(generator_papers_fibonacci)

using namespace tutti;
using namespace tutti::generators;

namespace {

std::vector<overlapped_costs> const all_costs{{0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 1}, {3, 4}, {4, 1}, {2, 9}};

/// Of order k: that of order k-1, whose root also receives from the root of one of order k-2.
test::rooted_tree fibonacci_tree(std::size_t order) {
    if (order == 0) { return {0}; }
    auto tree = fibonacci_tree(order - 1);
    auto const child = order == 1 ? test::rooted_tree{0} : fibonacci_tree(order - 2);
    auto const first = tree.size();
    for (auto const receiver : child) { tree.push_back(first + receiver); }
    tree[first] = 0;
    return tree;
}

}  // namespace

BOOST_AUTO_TEST_CASE(reduces_in_rank_order_to_any_root) { laws::check_schedules(collective::reduce{}, fibonacci{}); }

BOOST_AUTO_TEST_CASE(broadcasts_and_all_reduces) {
    laws::check_schedules(collective::broadcast{}, reverse(fibonacci{}), {1, 2, 3, 8, 13, 33});
    laws::check_schedules(collective::all_reduce{}, then(fibonacci{}, reverse(fibonacci{})), {1, 2, 3, 8, 13, 33});
}

BOOST_AUTO_TEST_CASE(has_the_shape_and_length_of_fibonacci_trees) {
    std::size_t size = 2;
    std::size_t before = 1;
    for (std::size_t order = 1; size <= 1000; ++order) {
        auto const tree = tree_of(fibonacci{}, size);
        BOOST_TEST(test::shape(tree.receiver) == test::shape(fibonacci_tree(order)));
        BOOST_TEST(makespan_of(fibonacci{}, size) == order + 1);
        for (auto const& costs : all_costs) {
            auto const longer = std::max(costs.transfer, costs.combine);
            BOOST_TEST(tutti::paper::makespan_of(tree.receiver, costs) ==
                       costs.transfer + (order - 1) * longer + costs.combine);
        }
        before = std::exchange(size, size + before);
    }
}

BOOST_AUTO_TEST_CASE(no_other_tree_is_as_short_for_equal_costs) {
    for (std::size_t size : {2U, 3U, 5U, 8U}) {
        std::set<std::string> shortest;
        test::for_each_tree(size, [&](test::rooted_tree const& each) {
            if (tutti::paper::makespan_of(each, {1, 1}) == makespan_of(fibonacci{}, size)) {
                shortest.insert(test::shape(each));
            }
        });
        BOOST_TEST(shortest.size() == 1U);
    }
}

BOOST_AUTO_TEST_CASE(is_at_most_twice_as_long_as_the_shortest) {
    for (auto const& costs : all_costs) {
        auto const all = tutti::paper::lengths(tree_of(fibonacci{}, 400), costs);
        auto const shortest = tree_of(overlapped_greedy{costs.transfer, costs.combine}, 400).time_left;
        for (std::size_t i = 0; i < all.size(); ++i) {
            BOOST_TEST(all[i] <= 2 * shortest[i]);
            if (costs.transfer == costs.combine) { BOOST_TEST(all[i] == shortest[i]); }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_simulation_takes_as_long) {
    auto const cut = partition::equal(6, 1);
    for (std::size_t size : {1U, 2U, 3U, 4U, 8U, 9U, 33U, 100U}) {
        auto const line = simulate(collective::reduce{}, fibonacci{}, size, size / 2, cut,
                                   cost_model::per_block(1, 1, ports::overlapped));
        BOOST_TEST(line.makespan() == static_cast<double>(makespan_of(fibonacci{}, size)));
    }
}

BOOST_AUTO_TEST_SUITE_END()
