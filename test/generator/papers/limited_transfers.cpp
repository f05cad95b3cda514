// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <cstddef>
#include <map>

#include <laws/limited_trees.hpp>
#include <support/overlapped_search.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/generator/papers/limited_transfers.hpp>
#include <tutti/generator/pattern/tree/greedy.hpp>

#include "../../../benchmarks/paper/tree_lengths.hpp"

BOOST_AUTO_TEST_SUITE(generator_papers_limited_transfers)

using namespace tutti;
using namespace tutti::generators;

namespace {

auto const& all_costs = laws::tree_costs;

}  // namespace

BOOST_AUTO_TEST_CASE(reduces_in_rank_order_to_any_root_and_back) { laws::check_limited_trees<limited_transfers>(); }

BOOST_AUTO_TEST_CASE(lengths_are_those_published) {
    laws::check_lengths<limited_transfers>({
        {1, 1, {{6, {6, 5, 5}}, {10, {10, 7, 6, 6}}, {20, {20, 12, 9, 8}}, {100, {100, 52, 36, 24}}}},
        {1, 2, {{6, {8, 8, 8}}, {10, {12, 10, 10, 10}}, {20, {22, 15, 13, 12}}, {100, {102, 55, 40, 28}}}},
        {2, 1, {{6, {11, 8, 8}}, {10, {19, 12, 10, 10}}, {20, {39, 22, 17, 14}}, {100, {199, 102, 70, 46}}}},
        {1, 10, {{6, {32, 32, 32}}, {10, {42, 42, 42, 42}}, {20, {54, 53, 52, 52}}, {100, {134, 95, 84, 78}}}}
    });
}

BOOST_AUTO_TEST_CASE(no_order_of_transfers_under_the_limit_is_shorter) {
    for (auto const& [transfer, combine] : all_costs) {
        for (std::size_t limit : {1U, 2U, 3U}) {
            test::overlapped_search search{transfer, combine, limit};
            for (std::size_t size = 1; size <= 7; ++size) {
                limited_transfers const limited{.at_most = limit, .transfer = transfer, .combine = combine};
                BOOST_TEST(makespan_of(limited, size) == search.shortest(size));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(length_keeps_its_bound) { laws::check_length_bound<limited_transfers>(); }

BOOST_AUTO_TEST_CASE(half_as_many_transfers_as_ranks_are_no_limit) { laws::check_no_limit<limited_transfers>(); }

BOOST_AUTO_TEST_CASE(a_round_has_no_more_messages_than_the_limit) {
    auto const cut = partition::equal(1, 1);
    for (std::size_t limit : {1U, 3U, 8U}) {
        std::map<std::size_t, std::size_t> messages;
        std::size_t rounds = 0;
        for (std::size_t rank = 0; rank < 50; ++rank) {
            auto const steps = generate(collective::reduce{}, limited_transfers{.at_most = limit}, {rank, 50, 7, cut});
            for (auto const& each : steps) { messages[each.round] += each.receives(); }
            rounds = steps.rounds();
        }
        BOOST_TEST(messages.size() == rounds);
        for (auto const& [round, count] : messages) { BOOST_TEST(count <= limit); }
    }
}

BOOST_AUTO_TEST_CASE(ranks_that_do_not_wait_for_the_limit_take_no_longer) {
    laws::simulate_limited_trees<limited_transfers>([](auto const& limited, std::size_t size, double makespan) {
        BOOST_TEST(makespan <= static_cast<double>(makespan_of(limited, size)));
        auto const tree = tree_of(limited, size);
        BOOST_TEST(makespan == static_cast<double>(
                                   tutti::paper::makespan_of(tree.receiver, {limited.transfer, limited.combine})));
    });
}

BOOST_AUTO_TEST_CASE(a_network_that_carries_no_more_takes_as_long_as_planned) {
    auto const cut = partition::equal(1, 1);
    for (auto const& [transfer, combine] : all_costs) {
        auto model = cost_model::per_block(static_cast<double>(transfer), static_cast<double>(combine),
                                           ports::overlapped);
        for (std::size_t size = 1; size <= 40; ++size) {
            for (std::size_t limit : {1U, 2U, 3U, 5U, 8U}) {
                limited_transfers const limited{limit, transfer, combine};
                model.transfers_at_once = transfers_at_once(limited);
                auto const line = simulate(collective::reduce{}, limited, size, size / 3, cut, model);
                BOOST_TEST(line.makespan() == static_cast<double>(makespan_of(limited, size)));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(wants_a_limit_above_zero) {
    laws::check_refusal_of_zero<limited_transfers>(
        "tutti: limited_transfers without any transfer reduces nothing; at_most is at least 1");
}

BOOST_AUTO_TEST_SUITE_END()
