// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <cstddef>

#include <support/monitored.hpp>
#include <tutti/arrival/network.hpp>

BOOST_AUTO_TEST_SUITE(arrival_network)

BOOST_AUTO_TEST_CASE(all_ranks_measure_the_same_costs) {
    support::on_ranks([](auto& world) {
        auto& ranks = tutti::communicator_of<std::remove_cvref_t<decltype(world)>>::get(world);
        auto const costs = tutti::monitoring::network{ranks}.measure();
        support::check(support::all_agree(world, {costs.latency, costs.gap, costs.per_kib}), "the same costs");
        if (ranks.size() == 1) {
            support::check(costs == tutti::monitoring::link_costs{}, "no links");
        } else {
            support::check(costs.latency >= 1 && costs.gap >= 1 && costs.per_kib >= 1, "positive costs");
        }
    });
}

#if !defined(TUTTI_TEST_OVER_MPI) && !defined(TUTTI_TEST_OVER_BOOST_MPI)
BOOST_AUTO_TEST_CASE(messages_are_no_longer_than_allowed) {
    for (std::size_t const limit : {256U, 1500U, 100'000U}) {
        tutti::threads::run(3, [](auto& world) { static_cast<void>(tutti::monitoring::network{world}.measure()); },
                            {.message_limit = limit});
    }
    BOOST_TEST(true);
}

BOOST_AUTO_TEST_CASE(each_rank_asks_the_next_one) {
    for (int const size : {2, 3, 4, 5, 8}) {
        auto const traffic = tutti::threads::run(size, [](auto& world) {
            static_cast<void>(tutti::monitoring::network{world}.measure());
        }).traffic();
        for (int from = 0; from < size; ++from) {
            for (int to = 0; to < size; ++to) {
                auto const neighbours = from != to && ((from + 1) % size == to || (to + 1) % size == from);
                auto const much = traffic.bytes(from, to) > 256 * 1024;
                BOOST_TEST(much == neighbours, from << " to " << to << " of " << size);
            }
        }
    }
}
#endif

BOOST_AUTO_TEST_SUITE_END()
