// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <support/monitored.hpp>

// program: threads
BOOST_AUTO_TEST_SUITE(arrival_helper_thread_by_helper)

namespace {

#if defined(TUTTI_TEST_OVER_MPI) || defined(TUTTI_TEST_OVER_BOOST_MPI)
auto const several_threads = support::thread_level = MPI_THREAD_MULTIPLE;
#endif

constexpr tutti::monitoring::arrival_options by_helper{.helper_thread = true, .measures = false};

}  // namespace

BOOST_AUTO_TEST_CASE(all_ranks_have_the_same_patterns) {
    support::on_ranks([](auto& world) { support::check_random_iterations(world, by_helper, 1); });
}

BOOST_AUTO_TEST_CASE(a_thread_serves_more_than_one_rank) {
    support::on_ranks([](auto& world) {
        tutti::arrival_monitor const monitor{world};
        auto const alone = support::size_of(world) == 1;
        support::check(monitor.exchange() == (alone ? tutti::monitoring::exchange_kind::piggyback
                                                    : tutti::monitoring::exchange_kind::helper_thread),
                       monitor.explain());
    });
}

BOOST_AUTO_TEST_CASE(a_late_rank_stands_last) {
    support::on_ranks([](auto& world) { support::check_late_rank(world, by_helper, true); });
}

BOOST_AUTO_TEST_CASE(a_late_rank_is_expected_without_edges) {
    support::on_ranks([](auto& world) { support::check_late_rank(world, by_helper, false); });
}

BOOST_AUTO_TEST_CASE(collectives_follow_each_other) {
    support::on_ranks([](auto& world) { support::check_without_computing(world, by_helper); });
}

BOOST_AUTO_TEST_CASE(ranks_do_not_wait_for_each_other) {
    support::on_ranks([](auto& world) { support::check_without_collectives(world, by_helper); });
}

BOOST_AUTO_TEST_CASE(monitors_do_not_disturb_each_other) {
    support::on_ranks([](auto& world) { support::check_two_monitors(world, by_helper); });
}

BOOST_AUTO_TEST_CASE(an_iteration_may_remain_unfinished) {
    support::on_ranks([](auto& world) {
        support::check_unfinished_iteration(world, by_helper, true);
        support::check_unfinished_iteration(world, by_helper, false);
    });
}

BOOST_AUTO_TEST_CASE(what_collectives_take_is_learnt) {
    support::on_ranks([](auto& world) { support::check_slowness(world, by_helper); });
}

BOOST_AUTO_TEST_SUITE_END()
