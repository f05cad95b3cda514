// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include <support/monitored.hpp>
#include <support/sentences.hpp>
#include <tutti/communicator/threads.hpp>

BOOST_AUTO_TEST_SUITE(arrival_failures)

namespace threads = tutti::threads;

namespace {

using namespace std::chrono_literals;

constexpr tutti::monitoring::arrival_options how{.measures = false};

/// Without it a test that hangs says nothing.
threads::options const patient{.timeout = 100s};

struct thrown : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace

BOOST_AUTO_TEST_CASE(whatever_the_luck_all_ranks_have_the_same_patterns) {
    for (int const size : {2, 3, 5, 8}) {
        for (unsigned seed = 1; seed < 4; ++seed) {
            auto unlucky = patient;
            unlucky.perturb = seed;
            auto const body = [&](auto& world) { support::check_random_iterations(world, how, seed, 8); };
            threads::run(size, body, unlucky);
        }
    }
    BOOST_TEST(true);
}

BOOST_AUTO_TEST_CASE(whatever_the_luck_monitors_come_and_go) {
    for (unsigned seed = 1; seed < 4; ++seed) {
        auto unlucky = patient;
        unlucky.perturb = seed;
        threads::run(4, [&](auto& world) { support::check_two_monitors(world, how); }, unlucky);
        threads::run(5, [&](auto& world) { support::check_unfinished_iteration(world, how, false); }, unlucky);
    }
    BOOST_TEST(true);
}

BOOST_AUTO_TEST_CASE(an_exception_of_one_rank_ends_all) {
    for (int const size : {1, 2, 3, 8}) {
        for (int const who : {0, 1, size - 1}) {
            for (int const where : {0, 1, 2}) {
                if (who >= size) { continue; }
                auto const body = [&](auto& world) {
                    tutti::arrival_monitor monitor{world, how};
                    for (int iteration = 0; iteration < 4; ++iteration) {
                        auto const now = world.rank() == who && iteration == 2;
                        if (now && where == 0) { throw thrown{"before"}; }
                        monitor.begin_compute();
                        monitor.edge(0.5);
                        if (now && where == 1) { throw thrown{"meanwhile"}; }
                        static_cast<void>(monitor.pattern());
                        if (now && where == 2) { throw thrown{"after"}; }
                        tutti::barrier(world);
                    }
                };
                BOOST_CHECK_THROW(threads::run(size, body, patient), thrown);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(an_exception_before_the_monitor_is_there_ends_all) {
    for (int const who : {0, 1, 3}) {
        auto const body = [&](auto& world) {
            if (world.rank() == who) { throw thrown{"before all"}; }
            tutti::arrival_monitor const monitor{world, how};
        };
        BOOST_CHECK_THROW(threads::run(4, body, patient), thrown);
    }
}

BOOST_AUTO_TEST_CASE(a_rank_that_ends_its_monitor_early_is_found) {
    auto const body_of = [](tutti::monitoring::arrival_options const& options, int who) {
        return [options, who](auto& world) {
            tutti::arrival_monitor monitor{world, options};
            auto const count = world.rank() == who ? 2 : 3;
            for (int iteration = 0; iteration < count; ++iteration) {
                static_cast<void>(monitor.pattern());
                tutti::barrier(world);
            }
        };
    };
    for (int const who : {0, 1}) { BOOST_CHECK_THROW(threads::run(3, body_of(how, who), patient), std::exception); }
}

BOOST_AUTO_TEST_CASE(a_rank_that_announces_nothing_is_expected_after_the_time_before_and_not_waited_for) {
    std::atomic<int> patterns = 0;
    threads::run(3,
                 [&](auto& world) {
                     tutti::arrival_monitor monitor{world, how};
                     for (int iteration = 0; iteration != 5; ++iteration) {
                         bool const is_late = world.rank() == 2 && iteration > 1;
                         while (is_late && patterns != 2 * (iteration - 1)) { std::this_thread::yield(); }
                         static_cast<void>(monitor.pattern());
                         if (world.rank() != 2 && iteration > 1) { ++patterns; }
                         tutti::barrier(world);
                         monitor.finished();
                     }
                 },
                 patient);
    BOOST_TEST(patterns == 6);
}

BOOST_AUTO_TEST_CASE(a_monitor_that_outlives_its_ranks_says_so) {
    std::vector<std::optional<tutti::arrival_monitor>> monitors(3);
    auto const body = [&](auto& world) {
        auto& own = monitors[static_cast<std::size_t>(world.rank())];
        own.emplace(world, how);
        own->begin_compute();
        static_cast<void>(own->pattern());
        tutti::barrier(world);
    };
    BOOST_CHECK_THROW(threads::run(3, body, patient), threads::leak);  // has not waited for its last messages
    for (auto& each : monitors) {
        BOOST_CHECK_EXCEPTION(static_cast<void>(each->pattern()), std::logic_error,
                              support::says("tutti: the communicator of this arrival monitor has been freed; make another one"));
    }
}

BOOST_AUTO_TEST_CASE(monitors_in_different_order_are_found) {
    auto const body = [](auto& world) {
        tutti::arrival_monitor one{world, how};
        tutti::arrival_monitor other{world, how};
        static_cast<void>(one.pattern());
        auto& next = world.rank() == 0 ? one : other;
        static_cast<void>(next.pattern());
    };
    BOOST_CHECK_THROW(threads::run(2, body, patient), threads::deadlock);
}

BOOST_AUTO_TEST_SUITE_END()
