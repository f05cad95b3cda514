// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>
#include <cstddef>
#include <vector>

#include <range/v3/algorithm/any_of.hpp>

#include <laws/limited_trees.hpp>
#include <support/rooted_trees.hpp>
#include <tutti/generator/papers/limited_reducers.hpp>
#include <tutti/generator/papers/limited_transfers.hpp>
#include <tutti/generator/pattern/tree/greedy.hpp>

#include "../../../benchmarks/paper/tree_lengths.hpp"

BOOST_AUTO_TEST_SUITE(generator_papers_limited_reducers)

using namespace tutti;
using namespace tutti::generators;

namespace {

using numbers = std::vector<std::size_t>;

auto const& all_costs = laws::tree_costs;

}  // namespace

BOOST_AUTO_TEST_CASE(reduces_in_rank_order_to_any_root_and_back) { laws::check_limited_trees<limited_reducers>(); }

BOOST_AUTO_TEST_CASE(lengths_are_those_published) {
    laws::check_lengths<limited_reducers>({
        {1, 1, {{6, {6, 5, 5}}, {10, {10, 7, 6, 6}}, {20, {20, 12, 9, 8}}, {100, {100, 52, 36, 24}}}},
        {1, 2, {{6, {11, 8, 8}}, {10, {19, 12, 10, 10}}, {20, {39, 22, 17, 14}}, {100, {199, 102, 70, 46}}}},
        {2, 1, {{6, {11, 8, 8}}, {10, {19, 12, 10, 10}}, {20, {39, 22, 17, 14}}, {100, {199, 102, 70, 46}}}},
        {1, 10, {{6, {51, 32, 32}}, {10, {91, 52, 42, 42}}, {20, {191, 102, 81, 62}}, {100, {991, 502, 342, 222}}}}
    });
}

BOOST_AUTO_TEST_CASE(no_tree_with_as_few_receivers_is_shorter) {
    for (std::size_t size = 1; size <= 8; ++size) {
        // by costs and the number of receivers
        std::vector<numbers> shortest(all_costs.size(), numbers(size, size * 100));
        test::for_each_tree(size, [&](test::rooted_tree const& tree) {
            auto const receivers = test::receivers(tree);
            for (std::size_t i = 0; i < all_costs.size(); ++i) {
                auto const time = tutti::paper::makespan_of(tree, all_costs[i]);
                for (auto limit = std::max<std::size_t>(receivers, 1); limit < size; ++limit) {
                    shortest[i][limit] = std::min(shortest[i][limit], time);
                }
            }
        });
        for (std::size_t i = 0; i < all_costs.size(); ++i) {
            for (std::size_t limit = 1; limit < size; ++limit) {
                limited_reducers const limited{limit, all_costs[i].transfer, all_costs[i].combine};
                BOOST_TEST(makespan_of(limited, size) == shortest[i][limit]);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(length_keeps_its_bound) {
    laws::check_length_bound<limited_reducers>();
    // with ⌊log2 2K⌋ levels in the place of the next power of two the bound would be 2
    BOOST_TEST(makespan_of(limited_reducers{.at_most = 3, .transfer = 0, .combine = 1}, 6) == 3U);
}

BOOST_AUTO_TEST_CASE(few_receivers_are_few_transfers_if_these_are_what_takes_long) {
    for (auto const& [transfer, combine] : all_costs) {
        if (transfer < combine) { continue; }
        for (std::size_t size = 1; size < 130; ++size) {
            for (std::size_t limit : {1U, 2U, 3U, 6U, 20U}) {
                BOOST_TEST(makespan_of(limited_reducers{limit, transfer, combine}, size) ==
                           makespan_of(limited_transfers{limit, transfer, combine}, size));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(no_more_ranks_receive_than_the_limit) {
    auto const cut = partition::equal(1, 1);
    for (std::size_t limit : {1U, 2U, 4U, 16U}) {
        std::size_t receivers = 0;
        for (std::size_t rank = 0; rank < 50; ++rank) {
            auto const steps = generate(collective::reduce{}, limited_reducers{.at_most = limit}, {rank, 50, 7, cut});
            receivers += ranges::any_of(steps, &step::receives);
        }
        BOOST_TEST(receivers == limit);
    }
}

BOOST_AUTO_TEST_CASE(half_as_many_receivers_as_ranks_are_no_limit) { laws::check_no_limit<limited_reducers>(); }

BOOST_AUTO_TEST_CASE(a_simulation_takes_as_long) {
    laws::simulate_limited_trees<limited_reducers>([](auto const& limited, std::size_t size, double makespan) {
        BOOST_TEST(makespan == static_cast<double>(makespan_of(limited, size)));
    });
}

BOOST_AUTO_TEST_CASE(wants_a_limit_above_zero) {
    laws::check_refusal_of_zero<limited_reducers>(
        "tutti: limited_reducers needs the root to receive; at_most is at least 1");
}

BOOST_AUTO_TEST_SUITE_END()
