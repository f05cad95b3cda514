// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <string>

#include <sys/resource.h>

#include <tutti/communicator/threads/run.hpp>

BOOST_AUTO_TEST_SUITE(communicator_threads_run)

namespace threads = tutti::threads;

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

BOOST_AUTO_TEST_SUITE_END()
