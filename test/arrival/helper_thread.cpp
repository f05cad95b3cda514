// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <chrono>
#include <cstdint>
#include <stdexcept>

#include <support/monitored.hpp>

// program: threads
BOOST_AUTO_TEST_SUITE(arrival_helper_thread)

namespace {

constexpr tutti::monitoring::arrival_options by_helper{.helper_thread = true, .measures = false};

#if defined(TUTTI_TEST_OVER_MPI) || defined(TUTTI_TEST_OVER_BOOST_MPI)
auto const several_threads = support::thread_level = MPI_THREAD_MULTIPLE;
#endif

}  // namespace

BOOST_AUTO_TEST_CASE_ON_RANKS(a_thread_serves_one_monitor_after_the_other) {
    for (int i = 0; i < 20; ++i) {
        tutti::arrival_monitor monitor{world, by_helper};
        if (i % 4 != 0) { static_cast<void>(support::checked_pattern(world, monitor, 0)); }
        monitor.begin_compute();
        monitor.edge(0.5);
    }
}

BOOST_AUTO_TEST_CASE_ON_RANKS(patterns_arrive_while_the_program_computes) {
    tutti::arrival_monitor monitor{world, by_helper};
    for (std::uint64_t iteration = 0; iteration < 3; ++iteration) {
        monitor.begin_compute();
        support::compute_for(std::chrono::milliseconds{2});
        monitor.edge(0.5);
        support::compute_for(std::chrono::milliseconds{2});
        monitor.end_compute();
        static_cast<void>(support::checked_pattern(world, monitor, iteration));
    }
}

#if defined(TUTTI_TEST_OVER_MPI)
BOOST_AUTO_TEST_CASE_ON_RANKS(a_monitor_may_outlive_its_communicator) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(world, &copy);
    tutti::arrival_monitor monitor{copy, by_helper};
    static_cast<void>(support::checked_pattern(copy, monitor, 0));
    monitor.begin_compute();
    monitor.edge(0.5);
    MPI_Comm_free(&copy);
    if (support::size_of(world) > 1) {
        auto const message = support::message_of<std::logic_error>([&] { static_cast<void>(monitor.pattern()); });
        support::check_equal(message, "tutti: the communicator of this arrival monitor has been freed", "message");
    }
}

BOOST_AUTO_TEST_CASE_ON_RANKS(letters_under_way_do_not_reach_later_communicators) {
    for (int again = 0; again < 20; ++again) {
        MPI_Comm copy = MPI_COMM_NULL;
        MPI_Comm_dup(world, &copy);
        {
            tutti::arrival_monitor monitor{copy, by_helper};
            if (again % 2 == 0) { static_cast<void>(monitor.pattern()); }
            if ((support::rank_of(world) + again) % 3 != 0) { monitor.begin_compute(); }
            monitor.edge(0.5);
        }
        MPI_Comm_free(&copy);
        MPI_Comm later = MPI_COMM_NULL;
        MPI_Comm_dup(world, &later);
        int found = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, later, &found, MPI_STATUS_IGNORE);
        support::check(found == 0, "nothing is found");
        MPI_Comm_free(&later);
    }
}
#endif

BOOST_AUTO_TEST_CASE_ON_RANKS(all_ranks_have_the_same_patterns) {
    support::check_random_iterations(world, by_helper, 1);
}

BOOST_AUTO_TEST_CASE_ON_RANKS(a_thread_serves_more_than_one_rank) {
    tutti::arrival_monitor const monitor{world};
    auto const alone = support::size_of(world) == 1;
    support::check(monitor.exchange() == (alone ? tutti::monitoring::exchange_kind::piggyback
                                                : tutti::monitoring::exchange_kind::helper_thread),
                   monitor.explain());
}

BOOST_AUTO_TEST_CASE_ON_RANKS(a_late_rank_stands_last) { support::check_late_rank(world, by_helper, true); }

BOOST_AUTO_TEST_CASE_ON_RANKS(a_late_rank_is_expected_without_edges) {
    support::check_late_rank(world, by_helper, false);
}

BOOST_AUTO_TEST_CASE_ON_RANKS(collectives_follow_each_other) { support::check_without_computing(world, by_helper); }

BOOST_AUTO_TEST_CASE_ON_RANKS(ranks_do_not_wait_for_each_other) {
    support::check_without_collectives(world, by_helper);
}

BOOST_AUTO_TEST_CASE_ON_RANKS(monitors_do_not_disturb_each_other) { support::check_two_monitors(world, by_helper); }

BOOST_AUTO_TEST_CASE_ON_RANKS(an_iteration_may_remain_unfinished) {
    support::check_unfinished_iteration(world, by_helper, true);
    support::check_unfinished_iteration(world, by_helper, false);
}

BOOST_AUTO_TEST_CASE_ON_RANKS(what_collectives_take_is_learnt) { support::check_time_scale(world, by_helper); }

BOOST_AUTO_TEST_SUITE_END()
