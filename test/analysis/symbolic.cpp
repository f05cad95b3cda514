// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <support/tiny_generators.hpp>
#include <tutti/analysis/schedules_of.hpp>
#include <tutti/analysis/symbolic.hpp>

BOOST_AUTO_TEST_SUITE(analysis_symbolic)

namespace {

using namespace tutti;

using namespace tutti::pricing;
using namespace tutti::analysis;
using namespace tutti::schedules;
using symbolic::event;
using symbolic::nothing;
using script = std::vector<std::vector<step>>;

auto const input = buffer::input();
auto const result = buffer::result();
auto const prefix = buffer::prefix();
auto const scratch = buffer::scratch(0);
auto const one = partition::equal(4, 1);

step send(std::size_t peer, block_list blocks = 0, buffer from = result) {
    return step::send(0, peer, from, std::move(blocks));
}
step receive(std::size_t peer, block_list blocks = 0, buffer into = result) {
    return step::receive(0, peer, into, std::move(blocks));
}
step take(std::size_t peer, block_list blocks = 0, buffer into = result, side where = side::right) {
    return step::receive_combine(0, peer, into, std::move(blocks), where);
}
step combine(buffer source, buffer into, block_list blocks = 0, side where = side::right) {
    return step::combine(0, source, into, std::move(blocks), where);
}
step copy(buffer from, buffer into, block_list blocks = 0) { return step::copy(0, from, into, std::move(blocks)); }

/// The schedules of `ranks` on blocks of which each rank holds its own operand.
auto machine_of(script const& ranks, partition const& cut) {
    return symbolic::machine{
        schedules_of(collective::reduce{}, tiny::scripted<>{1, ranks}, ranks.size(), 0, cut), cut,
        [](std::size_t rank, std::size_t) { return symbolic::expressions::operand(rank); }};
}

/// "" if the run gets through.
std::string reason(script const& ranks, partition const& cut = one) {
    auto machine = machine_of(ranks, cut);
    try {
        machine.run(symbolic::no_observer{});
    } catch (broken_schedule const& broken) {
        return broken.reason();
    }
    return "";
}

/// What `rank` holds in the end.
std::string held(script const& ranks, std::size_t rank, buffer which = result, std::size_t block = 0,
                 partition const& cut = one) {
    auto machine = machine_of(ranks, cut);
    machine.run(symbolic::no_observer{});
    return machine.values().text(machine.holds(rank, which, block));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(blocks)

BOOST_AUTO_TEST_CASE(input_and_result_start_with_what_is_given) {
    auto const cut = partition::equal(4, 2);
    tiny::scripted<> const idle{0, {{}, {}}};
    symbolic::machine machine{schedules_of(collective::reduce{}, idle, 2, 0, cut), cut,
                              [](std::size_t rank, std::size_t block) {
                                  return block == rank ? symbolic::expressions::operand(rank) : nothing;
                              }};
    machine.run(symbolic::no_observer{});
    for (std::size_t rank = 0; rank < 2; ++rank) {
        for (std::size_t block = 0; block < 2; ++block) {
            auto const expected = rank == block ? std::to_string(rank) : "";
            BOOST_TEST(machine.values().text(machine.holds(rank, input, block)) == expected);
            BOOST_TEST(machine.values().text(machine.holds(rank, result, block)) == expected);
            BOOST_TEST(machine.holds(rank, prefix, block) == nothing);
            BOOST_TEST(machine.holds(rank, buffer::scratch(9), block) == nothing);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_operand_stands_on_its_side) {
    BOOST_TEST(held({{take(1)}, {send(0)}}, 0) == "(0+1)");
    BOOST_TEST(held({{take(1, 0, result, side::left)}, {send(0)}}, 0) == "(1+0)");
    BOOST_TEST(held({{combine(input, result)}}, 0) == "(0+0)");
    script const both{{take(1), take(2), receive(1, 0, scratch), combine(scratch, result, 0, side::left)},
                      {send(0), send(0)}, {send(0)}};
    BOOST_TEST(held(both, 0) == "(1+((0+1)+2))");
    BOOST_TEST(held(both, 0, input) == "0");
    BOOST_TEST(held(both, 0, scratch) == "1");
}

BOOST_AUTO_TEST_CASE(receive_and_copy_overwrite_and_combine_fills_what_is_empty) {
    BOOST_TEST(held({{receive(1)}, {send(0)}}, 0) == "1");
    BOOST_TEST(held({{take(1), copy(input, result)}, {send(0)}}, 0) == "0");
    BOOST_TEST(held({{take(1, 0, prefix, side::left)}, {send(0)}}, 0, prefix) == "1");
    BOOST_TEST(held({{combine(result, scratch), combine(result, scratch)}}, 0, scratch) == "(0+0)");
}

BOOST_AUTO_TEST_CASE(a_message_holds_what_its_buffer_held_when_it_was_sent) {
    // rank 0 sends, combines and sends again
    script const twice{{send(1), take(1), send(1)}, {send(0), receive(0, 0, scratch), receive(0, 0, prefix)}};
    BOOST_TEST(held(twice, 1, scratch) == "0");
    BOOST_TEST(held(twice, 1, prefix) == "(0+1)");
    BOOST_TEST(held(twice, 1) == "1");
}

BOOST_AUTO_TEST_CASE(blocks_travel_in_the_order_of_the_message) {
    auto const cut = partition::equal(8, 4);
    auto const wraps = block_list::cyclic(3, 2, 4);
    script const turn{{take(1, wraps)}, {combine(input, result, 3), send(0, wraps)}};
    for (std::size_t block = 0; block < 4; ++block) {
        auto const expected = block == 3 ? "(0+(1+1))" : block == 0 ? "(0+1)" : "0";
        BOOST_TEST(held(turn, 0, result, block, cut) == expected);
    }
}

BOOST_AUTO_TEST_CASE(blocks_without_elements_take_no_part) {
    auto const cut = partition::of_sizes(std::vector<std::size_t>{2, 0, 1});
    // prefix is empty everywhere, yet of block 1 nothing is read
    script const ranks{{copy(prefix, scratch, 1), take(1, block_range{0, 3})}, {send(0, block_range{0, 3})}};
    BOOST_TEST(held(ranks, 0, result, 1, cut) == "0");
    BOOST_TEST(held(ranks, 0, result, 2, cut) == "(0+1)");
    BOOST_TEST(held(ranks, 0, scratch, 1, cut) == "");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(reports)

struct logbook {
    std::vector<std::vector<std::string>> of_rank;
    void note(event const& at, std::string const& what) {
        of_rank[at.rank].push_back(what + ' ' + std::to_string(at.index) + ' ' + std::string{name(at.what.what)});
    }
    void reached(event const& at) { note(at, "reached"); }
    void delivered(event const& sent, event const& received) {
        note(sent, "gave");
        note(received, "took");
    }
    void combined(event const& at, std::size_t elements) { note(at, std::to_string(elements) + " by"); }
};

BOOST_AUTO_TEST_CASE(observers_learn_of_every_step_message_and_combine_once) {
    auto const cut = partition::of_sizes(std::vector<std::size_t>{2, 0, 3});
    block_range const all{0, 3};
    auto machine = machine_of(
        {{take(1, 2, scratch), take(1, all, scratch), combine(scratch, result, all), copy(input, prefix, all)},
         {send(0, 2), send(0, all)}},
        cut);
    logbook seen{std::vector<std::vector<std::string>>(2)};
    machine.run(seen);
    using lines = std::vector<std::string>;
    // what falls into empty blocks is not combined: nothing of step 0, block 2 of step 1
    BOOST_TEST(seen.of_rank[0] == (lines{"reached 0 receive_combine", "took 0 receive_combine",
                                         "reached 1 receive_combine", "took 1 receive_combine",
                                         "3 by 1 receive_combine", "reached 2 combine", "5 by 2 combine",
                                         "reached 3 copy"}),
               boost::test_tools::per_element());
    BOOST_TEST(seen.of_rank[1].size() == 4U);
    for (auto const* const line : {"reached 0 send", "gave 0 send", "reached 1 send", "gave 1 send"}) {
        BOOST_TEST(std::count(seen.of_rank[1].begin(), seen.of_rank[1].end(), line) == 1);
    }
}

BOOST_AUTO_TEST_CASE(messages_of_two_senders_do_not_mix) {
    script const crossed{{receive(2, 0, scratch), receive(1, 0, prefix), receive(2)}, {send(0)}, {send(0), send(0)}};
    BOOST_TEST(held(crossed, 0, scratch) == "2");
    BOOST_TEST(held(crossed, 0, prefix) == "1");
    BOOST_TEST(held(crossed, 0) == "2");
}

BOOST_AUTO_TEST_CASE(the_step_that_cannot_be_done_is_named) {
    BOOST_TEST(reason({{take(1), send(0)}, {send(0)}}) ==
               "rank 0, step 1 in round 0 (send to rank 0, blocks [0,1)): a rank sends no message to itself");
    BOOST_TEST(reason({{send(1, 0, scratch)}, {receive(0)}}) ==
               "rank 0, step 0 in round 0 (send to rank 1, blocks [0,1)): block 0 of scratch0 is empty");
    BOOST_TEST(reason({{combine(buffer::scratch(1), result)}}) ==
               "rank 0, step 0 in round 0 (combine scratch1 into result, blocks [0,1)): block 0 of scratch1 is empty");
    auto const two = partition::equal(4, 2);
    BOOST_TEST(reason({{copy(result, scratch, 1), copy(scratch, prefix, block_range{0, 2})}}, two) ==
               "rank 0, step 1 in round 0 (copy scratch0 into prefix, blocks [0,2)): block 0 of scratch0 is empty");
}

BOOST_AUTO_TEST_CASE(a_message_that_is_not_the_expected_one_is_named) {
    auto const two = partition::equal(4, 2);
    BOOST_TEST(reason({{take(1, 0), take(1, 1)}, {send(0, 0), send(0, block_range{0, 2})}}, two) ==
               "rank 0, step 1 in round 0 (receive_combine from rank 1, blocks [1,2)): the matching message is rank 1, step 1 "
               "in round 0 (send to rank 0, blocks [0,2)), which has other blocks");
    BOOST_TEST(reason({{take(1, block_list::cyclic(1, 2, 2))}, {send(0, block_range{0, 2})}}, two) ==
               "rank 0, step 0 in round 0 (receive_combine from rank 1, blocks [1,2)[0,1)): the matching message is rank 1, step "
               "0 in round 0 (send to rank 0, blocks [0,2)), which has other blocks");
    // messages between two ranks keep their order
    BOOST_TEST(reason({{send(1, 0), send(1, 1)}, {receive(0, 1), receive(0, 0)}}, two) ==
               "rank 1, step 0 in round 0 (receive from rank 0, blocks [1,2)): the matching message is rank 0, step 0 in round 0 (send to "
               "rank 1, blocks [0,1)), which has other blocks");
    BOOST_TEST(reason({{send(1)}, {send(0), send(2)}, {}}) ==
               "rank 0, step 0 in round 0 (send to rank 1, blocks [0,1)): the message is never received");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(synchronous_sends)

BOOST_AUTO_TEST_CASE(a_message_is_taken_before_the_own_send_of_the_block_has_ended_but_not_overwritten) {
    // rank 1 takes rank 0's message last, rank 2 goes on only when rank 0 has taken its first
    auto const ring = [](step const& first) {
        return script{{send(1), first}, {take(2), receive(0, 0, scratch)}, {send(0), copy(input, result), send(1)}};
    };
    BOOST_TEST(held(ring(take(2)), 0) == "(0+2)");
    BOOST_TEST(held(ring(take(2)), 1, scratch) == "0");
    BOOST_TEST(held(ring(receive(2, 0, scratch)), 0, scratch) == "2");
    BOOST_TEST(reason(ring(receive(2))) ==
               "deadlock: rank 0, step 1 in round 0 (receive from rank 2, blocks [0,1)) waits for the end of its own send to rank "
               "1, blocks [0,1) of step 0; rank 1, step 0 in round 0 (receive_combine from rank 2, blocks [0,1)) waits for a "
               "message from rank 2; rank 2, step 1 in round 0 (copy input into result, blocks [0,1)) waits for the end of its "
               "own send to rank 0, blocks [0,1) of step 0");
}

BOOST_AUTO_TEST_CASE(every_step_that_overwrites_waits_for_the_own_sends_of_its_blocks) {
    auto const two = partition::equal(4, 2);
    // rank 1 takes the message of rank 0 when rank 0 has gone past `between`
    auto const around = [&](step const& between) {
        return reason({{send(1, 0), between, send(2, 1)}, {receive(2, 1), receive(0, 0)}, {receive(0, 1), send(1, 1)}},
                      two);
    };
    auto const rest = std::string{
        " waits for the end of its own send to rank 1, blocks [0,1) of step 0; rank 1, step 0 in round 0 (receive from rank 2, "
        "blocks [1,2)) waits for a message from rank 2; rank 2, step 0 in round 0 (receive from rank 0, blocks [1,2)) waits for a "
        "message from rank 0"};
    BOOST_TEST(around(copy(input, result, 1)) == "");
    BOOST_TEST(around(copy(result, scratch, 0)) == "");
    BOOST_TEST(around(combine(result, scratch, block_range{0, 2})) == "");
    BOOST_TEST(around(combine(input, result, 0)) ==
               "deadlock: rank 0, step 1 in round 0 (combine input into result, blocks [0,1))" + rest);
    BOOST_TEST(around(copy(input, result, block_range{0, 2})) ==
               "deadlock: rank 0, step 1 in round 0 (copy input into result, blocks [0,2))" + rest);
}

BOOST_AUTO_TEST_CASE(the_input_can_be_sent_as_often_as_one_likes) {
    script const ranks{{send(1, 0, input), copy(input, result), send(2)}, {receive(2), receive(0)},
                       {receive(0), send(1)}};
    BOOST_TEST(reason(ranks) == "");
}

BOOST_AUTO_TEST_CASE(sends_run_ahead_as_far_as_the_window) {
    // rank 1 begins to take rank 0's messages when it has heard of rank 0 by way of rank 2
    auto const ahead = [](std::size_t sends) {
        script ranks{std::vector<step>(sends, send(1)), {receive(2, 0, scratch)}, {receive(0, 0, scratch), send(1)}};
        ranks[0].push_back(send(2));
        ranks[1].insert(ranks[1].end(), sends, take(0));
        return ranks;
    };
    BOOST_TEST(reason(ahead(0)) == "");
    BOOST_TEST(reason(ahead(send_window - 1)) == "");
    BOOST_TEST(reason(ahead(send_window)) ==
               "deadlock: rank 0, step 64 in round 0 (send to rank 2, blocks [0,1)) waits for the end of its own send to rank 1, "
               "blocks [0,1) of step 0; rank 1, step 0 in round 0 (receive from rank 2, blocks [0,1)) waits for a message from "
               "rank 2; rank 2, step 0 in round 0 (receive from rank 0, blocks [0,1)) waits for a message from rank 0");
    BOOST_TEST(reason({std::vector<step>(1000, send(1)), std::vector<step>(1000, take(0))}) == "");
}

BOOST_AUTO_TEST_CASE(one_send_that_does_not_end_holds_up_the_window_alone) {
    // all of rank 0's messages to rank 1 are taken, but the first one, to rank 2, waits until then
    auto const held_up = [](std::size_t sends) {
        script ranks{{send(2)}, std::vector<step>(sends, take(0)), {receive(1, 0, scratch), receive(0, 0, scratch)}};
        ranks[0].insert(ranks[0].end(), sends, send(1));
        ranks[1].push_back(send(2));
        return ranks;
    };
    BOOST_TEST(reason(held_up(send_window - 1)) == "");
    BOOST_TEST(reason(held_up(send_window)) ==
               "deadlock: rank 0, step 64 in round 0 (send to rank 1, blocks [0,1)) waits for the end of its own send to rank 2, "
               "blocks [0,1) of step 0; rank 2, step 0 in round 0 (receive from rank 1, blocks [0,1)) waits for a message from "
               "rank 1; rank 1, step 63 in round 0 (receive_combine from rank 0, blocks [0,1)) waits for a message from rank 0");
}

BOOST_AUTO_TEST_CASE(the_chain_of_those_who_wait_ends_at_a_rank_that_has_ended) {
    BOOST_TEST(reason({{take(1)}, {take(2), send(0)}, {}}) ==
               "deadlock: rank 0, step 0 in round 0 (receive_combine from rank 1, blocks [0,1)) waits for a message from rank 1; "
               "rank 1, step 0 in round 0 (receive_combine from rank 2, blocks [0,1)) waits for a message from rank 2; rank 2 has "
               "ended");
    BOOST_TEST(reason({{}, {send(0), copy(input, result)}}) ==
               "deadlock: rank 1, step 1 in round 0 (copy input into result, blocks [0,1)) waits for the end of its own send to "
               "rank 0, blocks [0,1) of step 0; rank 0 has ended");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
