// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include <tutti/analysis/verify.hpp>
#include <tutti/generator/named.hpp>

BOOST_AUTO_TEST_SUITE(analysis_verify_round_rules)

namespace {

using namespace tutti;
using namespace tutti::analysis;
using symbolic::event;
using symbolic::round_rules;

auto const result = buffer::result();
constexpr std::size_t size = 3, rounds = 4;

step send(std::size_t round) { return step::send(round, 1, result, 0); }
step receive(std::size_t round) { return step::receive(round, 1, result, 0); }
step take(std::size_t round) { return step::receive_combine(round, 1, result, 0, side::right); }
step combine(std::size_t round) { return step::combine(round, buffer::input(), result, 0, side::right); }
step copy(std::size_t round) { return step::copy(round, buffer::input(), result, 0); }

template <class Action>
std::string reason_of(Action action) {
    try {
        action();
    } catch (broken_schedule const& broken) {
        return broken.reason();
    }
    return "";
}

/// What is said of a rank that takes these steps; "" for nothing.
std::string complaint(std::vector<step> const& steps, facts const& stated) {
    round_rules watched{stated, size, rounds};
    return reason_of([&] {
        for (std::size_t i = 0; i < steps.size(); ++i) { watched.reached(event{2, i, steps[i]}); }
    });
}

std::string with_ports(ports model, std::vector<step> const& steps) {
    return complaint(steps, {.name = "any", .model = model});
}

}  // namespace

BOOST_AUTO_TEST_CASE(rounds_stay_below_their_number) {
    BOOST_TEST(with_ports(ports::bidirectional, {send(3)}) == "");
    BOOST_TEST(with_ports(ports::bidirectional, {send(4)}) ==
               "rank 2, step 0 in round 4 (send to rank 1, blocks [0,1)): round 4 of a schedule of 4 rounds");
    BOOST_TEST(with_ports(ports::bidirectional, {send(0), copy(7)}) ==
               "rank 2, step 1 in round 7 (copy input into result, blocks [0,1)): round 7 of a schedule of 4 rounds");
    round_rules none{{.name = "any"}, size, 0};
    auto const first = send(0);
    BOOST_TEST(reason_of([&] { none.reached(event{0, 0, first}); }) ==
               "rank 0, step 0 in round 0 (send to rank 1, blocks [0,1)): round 0 of a schedule of 0 rounds");
}

BOOST_AUTO_TEST_CASE(rounds_never_decrease_on_a_rank) {
    BOOST_TEST(with_ports(ports::bidirectional, {send(1), take(1), combine(1), send(3)}) == "");
    BOOST_TEST(with_ports(ports::bidirectional, {send(2), receive(1)}) ==
               "rank 2, step 1 in round 1 (receive from rank 1, blocks [0,1)): round 1 after round 2");
    BOOST_TEST(with_ports(ports::bidirectional, {combine(3), send(3), combine(0)}) ==
               "rank 2, step 2 in round 0 (combine input into result, blocks [0,1)): round 0 after round 3");
    // each rank has rounds of its own
    round_rules watched{{.name = "any"}, size, rounds};
    auto const late = send(3);
    auto const early = send(0);
    watched.reached(event{0, 0, late});
    BOOST_TEST(reason_of([&] { watched.reached(event{1, 0, early}); }) == "");
    BOOST_TEST(reason_of([&] { watched.reached(event{0, 1, early}); }) ==
               "rank 0, step 1 in round 0 (send to rank 1, blocks [0,1)): round 0 after round 3");
}

BOOST_AUTO_TEST_CASE(bidirectional_ports_send_once_and_receive_once_a_round) {
    auto const said = [](std::vector<step> const& steps) { return with_ports(ports::bidirectional, steps); };
    BOOST_TEST(said({send(0), take(0), send(1), receive(1), receive(2), send(2)}) == "");
    BOOST_TEST(said({send(0), take(0), send(0)}) ==
               "rank 2, step 2 in round 0 (send to rank 1, blocks [0,1)): the second send of round 0");
    BOOST_TEST(said({send(0), receive(1), take(1)}) ==
               "rank 2, step 2 in round 1 (receive_combine from rank 1, blocks [0,1)): the second receive of round 1");
    BOOST_TEST(said({take(2), receive(2)}) ==
               "rank 2, step 1 in round 2 (receive from rank 1, blocks [0,1)): the second receive of round 2");
}

BOOST_AUTO_TEST_CASE(one_port_takes_one_message_a_round) {
    for (auto const model : {ports::unidirectional, ports::overlapped}) {
        auto const said = [&](std::vector<step> const& steps) { return with_ports(model, steps); };
        BOOST_TEST(said({send(0), take(1), receive(2), send(3)}) == "");
        BOOST_TEST(said({send(1), take(1)}) ==
                   "rank 2, step 1 in round 1 (receive_combine from rank 1, blocks [0,1)): the second message of round 1");
        BOOST_TEST(said({receive(0), send(2), send(2)}) ==
                   "rank 2, step 2 in round 2 (send to rank 1, blocks [0,1)): the second message of round 2");
    }
}

BOOST_AUTO_TEST_CASE(local_steps_use_no_port) {
    for (auto const model : {ports::unidirectional, ports::bidirectional, ports::overlapped}) {
        BOOST_TEST(with_ports(model, {copy(1), combine(1), send(1), copy(1), combine(1), take(2)}) == "");
    }
}

BOOST_AUTO_TEST_CASE(ranks_have_ports_of_their_own) {
    round_rules watched{{.name = "any", .model = ports::unidirectional}, size, rounds};
    auto const message = send(1);
    for (std::size_t rank = 0; rank < size; ++rank) { watched.reached(event{rank, 0, message}); }
    BOOST_TEST(reason_of([&] { watched.reached(event{1, 1, message}); }) != "");
}

BOOST_AUTO_TEST_CASE(who_promises_nothing_of_ports_is_held_to_rounds_alone) {
    facts const free{.name = "any", .one_ported = false, .model = ports::unidirectional};
    BOOST_TEST(complaint({send(0), send(0), take(0), take(0), send(1)}, free) == "");
    BOOST_TEST(complaint({send(1), send(0)}, free) ==
               "rank 2, step 1 in round 0 (send to rank 1, blocks [0,1)): round 0 after round 1");
}

BOOST_AUTO_TEST_CASE(both_ends_of_a_message_of_one_ported_ranks_carry_the_same_round) {
    round_rules const watched{{.name = "any"}, size, rounds};
    auto const early = step::send(1, 2, result, 0);
    auto const same = step::receive(1, 0, result, 0);
    auto const later = step::receive(2, 0, result, 0);
    BOOST_TEST(reason_of([&] { watched.delivered(event{0, 5, early}, event{2, 3, same}); }) == "");
    BOOST_TEST(reason_of([&] { watched.delivered(event{0, 5, early}, event{2, 3, later}); }) ==
               "rank 2, step 3 in round 2 (receive from rank 0, blocks [0,1)): round 2, but the message was sent in round 1 by "
               "rank 0, step 5 in round 1 (send to rank 2, blocks [0,1))");
}

BOOST_AUTO_TEST_CASE(who_promises_nothing_of_ports_may_receive_later_but_not_earlier) {
    round_rules const watched{{.name = "any", .one_ported = false}, size, rounds};
    auto const sent = step::send(1, 2, result, 0);
    auto const later = step::receive(3, 0, result, 0);
    auto const earlier = step::receive(0, 0, result, 0);
    BOOST_TEST(reason_of([&] { watched.delivered(event{0, 5, sent}, event{2, 3, later}); }) == "");
    BOOST_TEST(reason_of([&] { watched.delivered(event{0, 5, sent}, event{2, 3, earlier}); }) ==
               "rank 2, step 3 in round 0 (receive from rank 0, blocks [0,1)): round 0, but the message was sent in round 1 by "
               "rank 0, step 5 in round 1 (send to rank 2, blocks [0,1))");
}

BOOST_AUTO_TEST_CASE(rounds_used_end_with_the_last_step_of_any_kind) {
    round_rules watched{{.name = "any"}, size, rounds};
    BOOST_TEST(watched.rounds_used() == 0U);
    auto const first = send(0);
    auto const last = copy(2);
    auto const middle = take(1);
    watched.reached(event{0, 0, first});
    BOOST_TEST(watched.rounds_used() == 1U);
    watched.reached(event{1, 0, last});
    BOOST_TEST(watched.rounds_used() == 3U);
    watched.reached(event{2, 0, middle});
    BOOST_TEST(watched.rounds_used() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()
