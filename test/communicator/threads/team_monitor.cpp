// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <support/point_to_point.hpp>
#include <support/sentences.hpp>
#include <tutti/communicator/threads.hpp>
#include <tutti/error.hpp>

BOOST_AUTO_TEST_SUITE(communicator_threads_team_monitor)

namespace threads = tutti::threads;
using namespace point_to_point;
using support::contains;
using namespace std::chrono_literals;

namespace {

/// What the error of a run says.
template <class Error, class Body>
std::string said(int size, Body body, threads::options const& how = {}) {
    try {
        threads::run(size, body, how);
    } catch (Error const& wrong) {
        return wrong.what();
    }
    return "nothing";
}

struct original {
    int rank;
};

std::string const remedy = "; make the same calls on all ranks";

struct follows : std::runtime_error, tutti::control::secondary_error {
    using std::runtime_error::runtime_error;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_cycle_of_receives_is_a_deadlock) {
    std::atomic<int> thrown = 0;
    auto const text = said<threads::deadlock>(3, [&](auto& world) {
        world.enter(tutti::control::call{"reduce", "binomial", "double", 10, 0});
        try {
            static_cast<void>(receive<int>(world, (world.rank() + 1) % 3, 5, 1));
        } catch (threads::deadlock const&) {
            ++thrown;
            throw;
        }
    });
    BOOST_TEST(text == "tutti: deadlock: rank 0 waits for a message from rank 1 with tag 5 (in reduce of 10 double to root 0), "
                       "rank 1 waits for a message from rank 2 with tag 5 (in reduce of 10 double to root 0), "
                       "rank 2 waits for a message from rank 0 with tag 5 (in reduce of 10 double to root 0)" + remedy);
    BOOST_TEST(thrown == 3);
}

BOOST_AUTO_TEST_CASE(synchronous_sends_to_each_other_are_a_deadlock) {
    auto const text = said<threads::deadlock>(2, [](auto& world) { send(world, 1 - world.rank(), 1, std::vector{1}); });
    BOOST_TEST(text == "tutti: deadlock: rank 0 waits for rank 1 to receive its message with tag 1, "
                       "rank 1 waits for rank 0 to receive its message with tag 1" + remedy);
}

BOOST_AUTO_TEST_CASE(waiting_for_a_rank_that_has_returned_is_a_deadlock) {
    for (int i = 0; i < 50; ++i) {
        auto const text = said<threads::deadlock>(3, [](auto& world) {
            if (world.rank() == 1) { return; }
            static_cast<void>(receive<int>(world, 1, 5, 1));
        });
        BOOST_TEST(text == "tutti: deadlock: rank 0 waits for a message from rank 1 with tag 5, "
                           "rank 2 waits for a message from rank 1 with tag 5; rank 1 has returned" + remedy);
    }
}

BOOST_AUTO_TEST_CASE(a_rank_alone_can_deadlock) {
    auto const text = said<threads::deadlock>(1, [](auto& world) { send(world, 0, 1, std::vector{1}); });
    BOOST_TEST(text == "tutti: deadlock: rank 0 waits for rank 0 to receive its message with tag 1" + remedy);
}

BOOST_AUTO_TEST_CASE(a_loan_that_is_not_given_back_is_a_deadlock) {
    auto const text = said<threads::deadlock>(2, [](auto& world) {
        if (world.rank() == 0) {
            send(world, 1, 1, std::vector{1});
        } else {
            wait_all(world, {world.receive_lent(0, 1, sizeof(int))});
        }
    });
    BOOST_TEST(text == "tutti: deadlock: rank 0 waits for rank 1 to give back its message with tag 1; "
                       "rank 1 has returned" + remedy);
}

BOOST_AUTO_TEST_CASE(a_long_list_of_requests_is_cut_short) {
    auto const text = said<threads::deadlock>(1, [](auto& world) {
        std::vector<int> memory(1);
        std::vector<threads::request> requests;
        for (int tag = 1; tag < 8; ++tag) { requests.push_back(world.receive(0, tag, memory_of(memory))); }
        wait_all(world, requests);
    });
    BOOST_TEST(text == "tutti: deadlock: rank 0 waits for a message from rank 0 with tag 1 or a message from rank 0 "
                       "with tag 2 or a message from rank 0 with tag 3 or 4 others" + remedy);
}

BOOST_AUTO_TEST_CASE(an_exception_ends_the_team_and_arrives_unchanged) {
    std::atomic<int> ended = 0;
    for (int i = 0; i < 50; ++i) {
        try {
            threads::run(4, [&](auto& world) {
                if (world.rank() == 2) { throw original{world.rank()}; }
                try {
                    static_cast<void>(receive<int>(world, 2, 1, 1));
                } catch (threads::team_ended const& met) {
                    require(contains(met.what(), "rank 2"), "names the rank");
                    ++ended;
                    throw;
                }
            });
            BOOST_TEST(false);
        } catch (original const& thrown) {
            BOOST_TEST(thrown.rank == 2);
        }
    }
    BOOST_TEST(ended == 150);
}

BOOST_AUTO_TEST_CASE(every_function_meets_the_end_of_the_team) {
    std::vector<int> met(5);
    auto const body = [&](auto& world) {
        if (world.rank() == 4) { throw original{4}; }
        std::vector<int> memory(1);
        std::vector<threads::request> none;
        std::vector<tutti::completion> done(1);
        try {
            for (;;) {
                switch (world.rank()) {
                    case 0: world.test_some(none, done); break;
                    case 1: static_cast<void>(world.send(0, 1, bytes_of(memory))); break;
                    case 2: static_cast<void>(world.receive(0, 1, memory_of(memory))); break;
                    default: world.enter(tutti::control::call{"barrier", "automatic", "", 0, std::nullopt});
                }
            }
        } catch (tutti::control::secondary_error const&) {
            met[static_cast<std::size_t>(world.rank())] = 1;
        }
    };
    BOOST_CHECK_THROW(threads::run(5, body), original);
    BOOST_TEST(met == std::vector({1, 1, 1, 1, 0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_exception_that_follows_from_another_gives_way) {
    auto const body = [](auto& world) {
        if (world.rank() == 0) { throw follows{"from rank 1's"}; }
        if (world.rank() == 1) {
            std::this_thread::sleep_for(2ms);
            throw original{1};
        }
        static_cast<void>(receive<int>(world, 0, 1, 1));
    };
    BOOST_CHECK_THROW(threads::run(3, body), original);
}

BOOST_AUTO_TEST_CASE(an_exception_that_follows_from_none_is_thrown) {
    auto const text = said<follows>(2, [](auto& world) {
        if (world.rank() == 0) { throw follows{"alone"}; }
        static_cast<void>(receive<int>(world, 0, 1, 1));
    });
    BOOST_TEST(text == "alone");
}

BOOST_AUTO_TEST_CASE(an_exception_swallowed_by_others_is_still_thrown) {
    auto const body = [](auto& world) {
        if (world.rank() == 0) { throw original{0}; }
        try {
            static_cast<void>(receive<int>(world, 0, 1, 1));
        } catch (threads::error const&) {
        }
    };
    BOOST_CHECK_THROW(threads::run(2, body), original);
}

BOOST_AUTO_TEST_CASE(a_rank_that_polls_for_ever_is_ended_by_the_timeout) {
    auto const text = said<threads::timed_out>(
        3,
        [](auto& world) {
            if (world.rank() == 0) { return; }
            if (world.rank() == 1) { static_cast<void>(receive<int>(world, 2, 1, 1)); }
            std::vector<threads::request> none;
            std::vector<tutti::completion> done(1);
            for (;;) { world.test_some(none, done); }
        },
        {.timeout = 100ms});
    BOOST_TEST(text == "tutti: timed out: rank 1 waits for a message from rank 2 with tag 1, rank 2 is running; "
                       "rank 0 has returned; give run a longer timeout if the ranks are only slow");
}

BOOST_AUTO_TEST_CASE(a_rank_that_comes_back_late_is_waited_for) {
    std::atomic<bool> back = false;
    auto const text = said<threads::timed_out>(
        1,
        [&](auto&) {
            std::this_thread::sleep_for(200ms);
            back = true;
        },
        {.timeout = 10ms});
    BOOST_TEST(text == "tutti: timed out: rank 0 is running; give run a longer timeout if the ranks are only slow");
    BOOST_TEST(back);
}

BOOST_AUTO_TEST_CASE(a_timeout_that_is_not_reached_changes_nothing) {
    threads::run(2, [](auto& world) {
        if (world.rank() == 0) { send(world, 1, 1, std::vector{1}); }
        if (world.rank() == 1) { static_cast<void>(receive<int>(world, 0, 1, 1)); }
    }, {.timeout = 1h});
}

BOOST_AUTO_TEST_SUITE_END()
