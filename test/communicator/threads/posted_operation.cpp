// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <array>
#include <span>

#include <support/allocations.hpp>
#include <support/point_to_point.hpp>
#include <tutti/communicator/threads.hpp>
#include <tutti/communicator/threads/posted_operation.hpp>

namespace threads = tutti::threads;
using point_to_point::require;

// program: alone
BOOST_AUTO_TEST_SUITE(communicator_threads_posted_operation)

BOOST_AUTO_TEST_CASE(an_operation_begins_anew) {
    threads::posted_operation one;
    one.progress = threads::posted_operation::state::complete;
    one.matched = true;
    one.partner = &one;
    auto const& again = one.begin(threads::posted_operation::kind::receive, 3, 1, 2, 8);
    BOOST_TEST(&again == &one);
    BOOST_TEST(again.owner == 3);
    BOOST_TEST((again.active && !again.is_complete() && !again.is_send() && !again.matched));
    BOOST_TEST(again.partner == nullptr);
}

BOOST_AUTO_TEST_CASE(awaiting_tells_whoever_completes) {
    threads::posted_operation one;
    BOOST_TEST((one.await() && one.await()));
    BOOST_TEST((one.progress.load() == threads::posted_operation::state::awaited));
    one.await_no_longer();
    BOOST_TEST((one.progress.load() == threads::posted_operation::state::pending));
    one.progress = threads::posted_operation::state::complete;
    BOOST_TEST(!one.await());
    one.await_no_longer();
    BOOST_TEST(one.is_complete());
}

BOOST_AUTO_TEST_CASE(a_repeated_pattern_of_messages_allocates_nothing) {
    threads::run(4, [](auto& world) {
        auto const left = (world.rank() + 3) % 4;
        auto const right = (world.rank() + 1) % 4;
        std::array<int, 4> mine{}, other{};
        auto const round = [&] {
            world.enter(
                tutti::control::call{"a collective of some name", "an algorithm of some name", "double", 10, 0});
            std::array<threads::request, 3> requests{
                world.send(right, 1, std::as_bytes(std::span{mine})),
                world.receive(left, 1, std::as_writable_bytes(std::span{other})),
                world.send(right, 1, std::as_bytes(std::span{mine})),
            };
            std::array<threads::request, 1> in_place{world.receive_lent(left, 1, sizeof(mine))};
            std::array<tutti::completion, 3> done;
            world.wait_some(in_place, done);
            world.give_back(done[0]);
            while (world.wait_some(requests, done) != 0) {}
        };
        // A ring holds no rank more than a few rounds from any other, so the log of calls stops growing early.
        for (int warm = 0; warm < 200; ++warm) { round(); }
        auto const before = support::allocations;
        for (int again = 0; again < 200; ++again) { round(); }
        auto const after = support::allocations;
        require(after == before, "nothing was allocated");
    });
}

BOOST_AUTO_TEST_SUITE_END()
