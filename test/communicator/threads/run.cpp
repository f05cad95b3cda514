// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <string>
#include <vector>

#include <support/point_to_point.hpp>
#include <sys/resource.h>
#include <tutti/communicator/threads.hpp>
#include <tutti/communicator/threads/run.hpp>

BOOST_AUTO_TEST_SUITE(communicator_threads_run)

namespace threads = tutti::threads;
using namespace point_to_point;

namespace {

std::string const remedy = "; wait for all messages before the ranks return";

template <class Body>
std::string leak_of(int size, Body body) {
    try {
        threads::run(size, body);
    } catch (threads::leak const& wrong) { return wrong.what(); }
    return "nothing";
}

}  // namespace

// What is added to the time of day does not come before it.
BOOST_AUTO_TEST_CASE(long_times_are_not_over_at_once) {
    using duration = std::chrono::steady_clock::duration;
    for (auto const timeout : {duration::max(), duration::max() - std::chrono::nanoseconds{1}, duration::max() / 2}) {
        std::atomic<int> ranks = 0;
        BOOST_CHECK_NO_THROW(threads::run(3, [&](auto&) { ++ranks; }, {.timeout = timeout}));
        BOOST_TEST(ranks == 3);
    }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang_analyzer__)
#if defined(__has_feature)
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
#define TUTTI_TEST_LIMITS_MEMORY
#endif
#else
#define TUTTI_TEST_LIMITS_MEMORY
#endif
#endif

#ifdef TUTTI_TEST_LIMITS_MEMORY
BOOST_AUTO_TEST_CASE(threads_that_cannot_be_started_are_an_error_with_a_sentence) {
    rlimit before{};
    BOOST_REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
    auto const limited = rlimit{rlim_t{1} << 30, before.rlim_max};  // of 400 stacks of 8 MiB
    BOOST_REQUIRE(setrlimit(RLIMIT_AS, &limited) == 0);
    std::string said;
    try {
        threads::run(400, [](auto& world) {
            std::byte none{};
            while (true) {  // until the team ends
                auto waiting = world.receive(world.rank(), 1, {&none, 1});
                tutti::completion done;
                world.wait_some({&waiting, 1}, {&done, 1});
            }
        });
    } catch (std::exception const& wrong) { said = wrong.what(); }
    setrlimit(RLIMIT_AS, &before);
    BOOST_TEST(said.starts_with("tutti: a team of 400 ranks has threads for "), said);
    BOOST_TEST(said.find("start fewer") != std::string::npos, said);
}
#endif

BOOST_AUTO_TEST_CASE(messages_never_received_are_counted_by_receiver_and_tag) {
    auto const text = leak_of(3, [](auto& world) {
        if (world.rank() != 0) { return; }
        std::vector<int> const values(2);
        static_cast<void>(world.send(1, 5, bytes_of(values)));
        static_cast<void>(world.send(1, 5, bytes_of(values)));
        static_cast<void>(world.send(2, 6, bytes_of(values)));
    });
    BOOST_TEST(text == "tutti: leak: rank 0 sent 2 messages to rank 1 with tag 5, 16 bytes in all, that were never "
                       "received; rank 0 sent 1 message to rank 2 with tag 6, 8 bytes, that was never received" + remedy);
}

BOOST_AUTO_TEST_CASE(a_perturbed_message_leaks_all_the_same) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        auto const body = [](auto& world) {
            std::vector<int> const values(2);
            if (world.rank() == 0) { static_cast<void>(world.send(1, 5, bytes_of(values))); }
        };
        BOOST_CHECK_THROW(threads::run(2, body, {.perturb = seed}), threads::leak);
    }
}

BOOST_AUTO_TEST_CASE(a_receive_without_a_message) {
    auto const text = leak_of(2, [](auto& world) {
        std::vector<int> values(1);
        if (world.rank() == 1) { static_cast<void>(world.receive(0, 3, memory_of(values))); }
    });
    BOOST_TEST(text == "tutti: leak: rank 1 posted 1 receive from rank 0 with tag 3, 4 bytes, that was never "
                       "matched by a message" + remedy);
}

BOOST_AUTO_TEST_CASE(a_message_that_was_received_but_not_waited_for) {
    auto const text = leak_of(1, [](auto& world) {
        std::vector<int> values(1);
        auto const unheeded = world.send(0, 3, bytes_of(values));
        static_cast<void>(unheeded);
        static_cast<void>(receive<int>(world, 0, 3, 1));
    });
    BOOST_TEST(text == "tutti: leak: rank 0 sent 1 message to rank 0 with tag 3, 4 bytes, that was never waited for" +
                       remedy);
}

BOOST_AUTO_TEST_CASE(a_loan_that_is_kept) {
    auto const text = leak_of(1, [](auto& world) {
        std::vector<int> values(1);
        static_cast<void>(world.send(0, 3, bytes_of(values)));
        wait_all(world, {world.receive_lent(0, 3, sizeof(int))});
    });
    BOOST_TEST(text == "tutti: leak: rank 0 sent 1 message to rank 0 with tag 3, 4 bytes, that was never given back" +
                       remedy);
}

BOOST_AUTO_TEST_CASE(what_a_rank_left_behind_is_not_received_after_its_end) {
    std::vector<int> const values{1};  // nobody waits for its message: it outlives the run
    auto const body = [&](auto& world) {
        if (world.rank() == 0) {
            static_cast<void>(world.send(1, 1, bytes_of(values)));
            send(world, 1, 2, values);
        } else {
            static_cast<void>(receive<int>(world, 0, 2, 1));
            static_cast<void>(receive<int>(world, 0, 1, 1));
        }
    };
    // Either rank 0 has returned before its message was asked for, or nobody has waited for the message.
    BOOST_CHECK_THROW(threads::run(2, body), threads::error);
}

BOOST_AUTO_TEST_CASE(requests_that_were_cancelled_do_not_leak) {
    threads::run(2, [](auto& world) {
        std::vector<int> values(1);
        world.cancel(world.receive(1 - world.rank(), 3, memory_of(values)));
        world.cancel(world.send(1 - world.rank(), 4, bytes_of(values)));
        world.cancel(threads::communicator::inactive());
    });
}

BOOST_AUTO_TEST_SUITE_END()
