// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <support/monitored.hpp>

BOOST_AUTO_TEST_SUITE(arrival_piggyback)

namespace {

constexpr tutti::monitoring::arrival_options how{.measures = false};

}  // namespace

BOOST_AUTO_TEST_CASE_ON_RANKS(all_ranks_have_the_same_patterns) {
    support::check_random_iterations(world, how, 1);
}

BOOST_AUTO_TEST_CASE_ON_RANKS(all_ranks_announce_themselves_by_entering) {
    tutti::arrival_monitor monitor{world, how};
    for (std::uint64_t iteration = 0; iteration < 5; ++iteration) {
        if (support::rank_of(world) == 1) { monitor.begin_compute(); }
        auto const pattern = support::checked_pattern(world, monitor, iteration);
        support::check_equal(pattern.arrivals.size(), static_cast<std::size_t>(monitor.size()), "arrivals");
    }
}

BOOST_AUTO_TEST_CASE_ON_RANKS(a_late_rank_stands_last) { support::check_late_rank(world, how, true); }

BOOST_AUTO_TEST_CASE_ON_RANKS(a_late_rank_is_expected_without_edges) {
    support::check_late_rank(world, how, false);
}

BOOST_AUTO_TEST_CASE_ON_RANKS(collectives_follow_each_other) {
    support::check_without_computing(world, how);
}

BOOST_AUTO_TEST_CASE_ON_RANKS(ranks_do_not_wait_for_each_other) {
    support::check_without_collectives(world, how);
}

BOOST_AUTO_TEST_CASE_ON_RANKS(monitors_do_not_disturb_each_other) {
    support::check_two_monitors(world, how);
}

BOOST_AUTO_TEST_CASE_ON_RANKS(an_iteration_may_remain_unfinished) {
    support::check_unfinished_iteration(world, how, true);
}

BOOST_AUTO_TEST_CASE_ON_RANKS(what_collectives_take_is_learnt) { support::check_time_scale(world, how); }

BOOST_AUTO_TEST_CASE_ON_RANKS(one_monitor_follows_the_other) {
    for (int i = 0; i < 20; ++i) {
        tutti::arrival_monitor monitor{world, how};
        if (i % 4 != 0) { static_cast<void>(support::checked_pattern(world, monitor, 0)); }
        monitor.begin_compute();
        monitor.edge(0.5);
    }
}

#if defined(TUTTI_TEST_OVER_MPI)
BOOST_AUTO_TEST_CASE_ON_RANKS(announcements_under_way_do_not_reach_later_communicators) {
    for (int again = 0; again < 20; ++again) {
        MPI_Comm copy = MPI_COMM_NULL;
        MPI_Comm_dup(world, &copy);
        {
            tutti::arrival_monitor monitor{copy, how};
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

BOOST_AUTO_TEST_SUITE_END()
