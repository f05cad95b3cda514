// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <support/monitored.hpp>

BOOST_AUTO_TEST_SUITE(arrival_piggyback)

namespace {

constexpr tutti::monitoring::arrival_options without_helper{.helper_thread = false, .measures = false};

}  // namespace

BOOST_AUTO_TEST_CASE_ON_RANKS(all_ranks_have_the_same_patterns) {
    support::check_random_iterations(world, without_helper, 1);
}

BOOST_AUTO_TEST_CASE_ON_RANKS(all_ranks_are_heard_of) {
    tutti::arrival_monitor monitor{world, without_helper};
    for (std::uint64_t iteration = 0; iteration < 5; ++iteration) {
        if (support::rank_of(world) == 1) { monitor.begin_compute(); }
        auto const pattern = support::checked_pattern(world, monitor, iteration);
        support::check_equal(pattern.heard, pattern.arrivals.size(), "heard");
    }
}

BOOST_AUTO_TEST_CASE_ON_RANKS(a_late_rank_stands_last) { support::check_late_rank(world, without_helper, true); }

BOOST_AUTO_TEST_CASE_ON_RANKS(a_late_rank_is_expected_without_edges) {
    support::check_late_rank(world, without_helper, false);
}

BOOST_AUTO_TEST_CASE_ON_RANKS(collectives_follow_each_other) {
    support::check_without_computing(world, without_helper);
}

BOOST_AUTO_TEST_CASE_ON_RANKS(ranks_do_not_wait_for_each_other) {
    support::check_without_collectives(world, without_helper);
}

BOOST_AUTO_TEST_CASE_ON_RANKS(monitors_do_not_disturb_each_other) {
    support::check_two_monitors(world, without_helper);
}

BOOST_AUTO_TEST_CASE_ON_RANKS(an_iteration_may_remain_unfinished) {
    support::check_unfinished_iteration(world, without_helper, true);
}

BOOST_AUTO_TEST_CASE_ON_RANKS(what_collectives_take_is_learnt) { support::check_time_scale(world, without_helper); }

BOOST_AUTO_TEST_SUITE_END()
