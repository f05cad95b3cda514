// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/execution/instruction_window.hpp>
#include <tutti/program.hpp>

BOOST_AUTO_TEST_SUITE(execution_instruction_window)

using namespace tutti;
using namespace tutti::engine;
using namespace tutti::schedules;

namespace {

/// `count` receives of 10 elements from one peer, one after the other, and after each a send that waits for it.
program relay(std::uint32_t count) {
    program made;
    for (std::uint32_t i = 0; i != count; ++i) {
        auto const before = [&](std::uint32_t same) { return i == 0 ? instruction::none : 2 * (i - 1) + same; };
        instruction in{.what = action::receive, .peer = 1, .elements = 10, .first_follower = i, .last_follower = i + 1};
        in.same_peer = before(0);
        instruction out{.what = action::send, .peer = 2, .elements = 10, .predecessors = 1};
        out.same_peer = before(1);
        made.followers.push_back(2 * i + 1);
        made.instructions.push_back(in);
        made.instructions.push_back(out);
    }
    return made;
}

std::vector<std::uint32_t> attempted(instruction_window& now) {
    std::vector<std::uint32_t> all;
    now.pass([&](std::uint32_t i) { all.push_back(i); });
    return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(instructions_become_ready_and_end) {
    auto const run = relay(2);
    instruction_window now{run};
    now.reset(0);
    BOOST_TEST((attempted(now) == std::vector<std::uint32_t>{0, 1, 2, 3}));
    BOOST_TEST((now.is_ready(0) && !now.is_ready(1)));
    now.end(0, 4);
    BOOST_TEST(!now.is_ready(1));
    now.end(0, 6);
    BOOST_TEST((now.is_ready(1) && !now.is_ready(3)));
    BOOST_TEST((attempted(now) == std::vector<std::uint32_t>{1, 2, 3}));
    for (std::size_t i = 1; i != 4; ++i) {
        BOOST_TEST(!now.is_over());
        now.end(i, 10);
    }
    BOOST_TEST(now.is_over());
    now.reset(0);
    BOOST_TEST(!now.is_over());
}

BOOST_AUTO_TEST_CASE(messages_to_a_peer_take_turns_and_two_receives_are_ahead) {
    auto const run = relay(4);
    instruction_window now{run};
    now.reset(0);
    BOOST_TEST(now.is_next_to_peer(run.instructions[0]));
    BOOST_TEST(!now.is_next_to_peer(run.instructions[2]));
    now.posted(0, true);
    BOOST_TEST((now.is_next_to_peer(run.instructions[2]) && now.within_prefetch_depth(run.instructions[2])));
    now.posted(2, true);
    BOOST_TEST((now.is_next_to_peer(run.instructions[4]) && !now.within_prefetch_depth(run.instructions[4])));
    now.end(0, 10);
    BOOST_TEST(now.within_prefetch_depth(run.instructions[4]));
}

// 64 instructions from the first that holds up the others; sends that have left do not.
BOOST_AUTO_TEST_CASE(the_window_moves_with_what_is_settled) {
    auto const run = relay(100);
    instruction_window now{run};
    now.reset(0);
    BOOST_TEST(attempted(now).size() == 64U);
    now.end(0, 10);
    BOOST_TEST(attempted(now).back() == 64U);
    BOOST_TEST(now.first_blocked() == 1U);
    BOOST_TEST(now.open(1));
    BOOST_TEST(!now.open(1));
    BOOST_TEST(now.first_blocked() == 2U);
    now.posted(1, true);
    BOOST_TEST(attempted(now).back() == 65U);
}

BOOST_AUTO_TEST_CASE(sends_that_overtake_leave_an_allowance_to_the_first) {
    program run;
    run.instructions.resize(200, instruction{.what = action::send, .elements = 1});
    instruction_window now{run};
    now.reset(0);
    for (std::size_t i = 1; i <= send_window; ++i) { BOOST_TEST(now.open(i)); }
    BOOST_TEST(!now.send_window_open(send_window + 1));
    BOOST_TEST(now.send_window_open(0));
    BOOST_TEST(now.send_window_open(1));
    now.end_send(1);
    BOOST_TEST(now.send_window_open(send_window + 1));
}

// An operator that enters another collective lets messages end in the middle of an attempt.
BOOST_AUTO_TEST_CASE(a_pass_within_a_pass_is_made_up_for_afterwards) {
    auto const run = relay(2);
    instruction_window now{run};
    now.reset(0);
    std::vector<std::uint32_t> all;
    now.pass([&](std::uint32_t i) {
        all.push_back(i);
        if (all.size() == 2) {
            now.end(0, 10);
            now.pass([&](std::uint32_t) { BOOST_ERROR("attempted while another is"); });
        }
    });
    BOOST_TEST((all == std::vector<std::uint32_t>{0, 1, 2, 3, 1, 2, 3}));
}

// A short message must find its own receive, wherever an MPI looks first.
BOOST_AUTO_TEST_CASE(no_receive_is_ahead_of_a_shorter_one) {
    auto run = relay(2);
    run.instructions[0].elements = 9;
    instruction_window now{run};
    now.reset(0);
    BOOST_TEST(!now.within_prefetch_depth(run.instructions[2]));
    now.end(0, 9);
    BOOST_TEST(now.within_prefetch_depth(run.instructions[2]));
    run.instructions[0].elements = 11;
    now.reset(0);
    BOOST_TEST(now.within_prefetch_depth(run.instructions[2]));
}

BOOST_AUTO_TEST_SUITE_END()
