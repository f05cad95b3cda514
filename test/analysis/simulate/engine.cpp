// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <support/tiny_generators.hpp>
#include <tutti/analysis/schedules_of.hpp>
#include <tutti/analysis/simulate.hpp>

namespace tutti::analysis {

std::ostream& operator<<(std::ostream& out, timeline::event const& it) {
    return out << name(it.what) << ' ' << it.rank << ", " << it.peer << ", block " << it.block << ", " << it.blocks
               << " blocks, " << it.start << " to " << it.end;
}

}  // namespace tutti::analysis

namespace {

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::schedules;
using script = std::vector<std::vector<step>>;
using events = std::vector<timeline::event>;
using times = std::vector<double>;

constexpr auto unidirectional = ports::unidirectional;
constexpr auto bidirectional = ports::bidirectional;
constexpr auto overlapped = ports::overlapped;
constexpr std::array all_ports{unidirectional, bidirectional, overlapped};
constexpr auto transfer = activity::transfer;

auto const input = buffer::input();
auto const result = buffer::result();
auto const scratch = buffer::scratch(0);

step send(std::size_t peer, block_list blocks = 0) { return step::send(0, peer, result, std::move(blocks)); }
step receive(std::size_t peer, buffer into = result, block_list blocks = 0) {
    return step::receive(0, peer, into, std::move(blocks));
}
step take(std::size_t peer, block_list blocks = 0) {
    return step::receive_combine(0, peer, result, std::move(blocks), side::right);
}

/// Messages take 2 and combines 1 a block, unless `costs` says otherwise.
timeline run(script const& ranks, cost_model const& costs, times arrivals = {},
             partition const& cut = partition::equal(4, 4)) {
    auto schedules = schedules_of(collective::reduce{}, tiny::scripted<>{1, ranks}, ranks.size(), 0, cut);
    return simulation::engine{std::move(schedules), cut, costs, std::move(arrivals)}.run();
}
timeline run(script const& ranks, ports model, times arrivals = {}) {
    return run(ranks, cost_model::per_block(2, 1, model), std::move(arrivals));
}

std::string reason(script const& ranks, ports model) {
    try {
        static_cast<void>(run(ranks, model));
    } catch (broken_schedule const& broken) {
        return broken.reason();
    }
    return "";
}

void check(timeline const& line, events const& expected, times const& finish) {
    BOOST_TEST(line.events == expected, boost::test_tools::per_element());
    BOOST_TEST(line.finish == finish, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(analysis_simulate_engine)

BOOST_AUTO_TEST_SUITE(every_model)

BOOST_AUTO_TEST_CASE(a_message_and_its_combine) {
    for (auto const model : all_ports) {
        auto const line = run({{take(1)}, {send(0)}}, model);
        check(line, {{transfer, 1, 0, 0, 1, 0, 2}, {activity::combine, 0, 1, 0, 1, 2, 3}}, {3, 2});
        BOOST_TEST((line.model == model));
        BOOST_TEST(line.arrivals == (times{0, 0}), boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(a_transfer_starts_when_both_ends_are_there) {
    for (auto const model : all_ports) {
        check(run({{receive(1)}, {send(0)}}, model, {5, 3}), {{transfer, 1, 0, 0, 1, 5, 7}}, {7, 7});
        check(run({{receive(1)}, {send(0)}}, model, {3, 5}), {{transfer, 1, 0, 0, 1, 5, 7}}, {7, 7});
    }
}

BOOST_AUTO_TEST_CASE(who_has_nothing_to_do_finishes_on_arrival) {
    for (auto const model : all_ports) {
        auto const line = run({{}, {}, {}}, model, {0, 7.5, 2});
        check(line, {}, {0, 7.5, 2});
        BOOST_TEST(line.arrivals == (times{0, 7.5, 2}), boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(local_steps_are_work_of_the_rank_itself) {
    for (auto const model : all_ports) {
        check(run({{step::copy(0, input, scratch, block_range{1, 3}),
                    step::combine(0, scratch, result, block_range{1, 3}, side::left)}},
                  model, {4}),
              {{activity::combine, 0, 0, 1, 2, 4, 6}, {activity::copy, 0, 0, 1, 2, 4, 4}}, {6});
    }
}

BOOST_AUTO_TEST_CASE(blocks_without_elements_cost_nothing) {
    auto const cut = partition::of_sizes(std::vector<std::size_t>{3, 0, 2, 1});
    block_range const first_three{0, 3};
    for (auto const model : all_ports) {
        script const ranks{{take(1, first_three)}, {send(0, first_three)}};
        check(run(ranks, cost_model::per_block(2, 1, model), {}, cut),
              {{transfer, 1, 0, 0, 3, 0, 4}, {activity::combine, 0, 1, 0, 3, 4, 6}}, {6, 4});
        check(run(ranks, cost_model::linear(10, 2, 3, model), {}, cut),
              {{transfer, 1, 0, 0, 3, 0, 20}, {activity::combine, 0, 1, 0, 3, 20, 35}}, {35, 20});
    }
}

BOOST_AUTO_TEST_CASE(a_message_of_two_ranges_is_one_message) {
    auto const wraps = block_list::cyclic(3, 3, 4);
    for (auto const model : all_ports) {
        check(run({{receive(1, result, wraps)}, {send(0, wraps)}}, cost_model::linear(10, 1, 0, model)),
              {{transfer, 1, 0, 3, 3, 0, 13}}, {13, 13});
    }
}

BOOST_AUTO_TEST_CASE(what_comes_into_an_empty_block_is_no_combine) {
    auto const into_scratch = step::receive_combine(0, 1, scratch, block_range{0, 2}, side::right);
    script const ranks{{step::receive_combine(0, 1, scratch, 1, side::right), into_scratch},
                       {send(0, 1), send(0, block_range{0, 2})}};
    for (auto const model : all_ports) {
        // of the second message only block 1 meets something
        check(run(ranks, model),
              {{transfer, 1, 0, 1, 1, 0, 2}, {transfer, 1, 0, 0, 2, 2, 6}, {activity::combine, 0, 1, 0, 2, 6, 7}},
              {7, 6});
    }
}

BOOST_AUTO_TEST_CASE(what_costs_nothing_takes_no_time_and_still_happens) {
    for (auto const model : all_ports) {
        auto const line = run({{take(1)}, {take(2), send(0)}, {send(1)}}, cost_model::linear(0, 0, 0, model));
        BOOST_TEST(line.events.size() == 4U);
        BOOST_TEST(line.makespan() == 0);
    }
}

BOOST_AUTO_TEST_CASE(a_message_is_sent_when_what_it_holds_has_been_computed) {
    // rank 1 passes on what it combines, while rank 0 waits
    for (auto const model : all_ports) {
        check(run({{take(1)}, {take(2), send(0)}, {send(1)}}, model),
              {{transfer, 2, 1, 0, 1, 0, 2}, {activity::combine, 1, 2, 0, 1, 2, 3}, {transfer, 1, 0, 0, 1, 3, 5},
               {activity::combine, 0, 1, 0, 1, 5, 6}},
              {6, 5, 2});
    }
}

BOOST_AUTO_TEST_CASE(messages_come_in_the_order_in_which_they_are_asked_for) {
    // rank 2 is there at once, but rank 0 asks for the message of rank 1 first
    for (auto const model : all_ports) {
        check(run({{receive(1), receive(2, scratch)}, {send(0)}, {send(0)}}, model, {0, 6, 0}),
              {{transfer, 1, 0, 0, 1, 6, 8}, {transfer, 2, 0, 0, 1, 8, 10}}, {10, 8, 10});
    }
}

BOOST_AUTO_TEST_CASE(sends_to_others_wait_in_line) {
    // rank 2 could take its message at once
    for (auto const model : all_ports) {
        check(run({{send(1), send(2)}, {receive(0)}, {receive(0)}}, model, {0, 5, 0}),
              {{transfer, 0, 1, 0, 1, 5, 7}, {transfer, 0, 2, 0, 1, 7, 9}}, {9, 7, 9});
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(one_model)

BOOST_AUTO_TEST_CASE(a_send_that_nobody_takes_yet_holds_up_only_a_unidirectional_rank) {
    // rank 1 comes late; rank 2 has its message ready
    script const ranks{{send(1), take(2, 1)}, {receive(0)}, {send(0, 1)}};
    check(run(ranks, unidirectional, {0, 5, 0}),
          {{transfer, 0, 1, 0, 1, 5, 7}, {transfer, 2, 0, 1, 1, 7, 9}, {activity::combine, 0, 2, 1, 1, 9, 10}},
          {10, 7, 9});
    for (auto const model : {bidirectional, overlapped}) {
        check(run(ranks, model, {0, 5, 0}),
              {{transfer, 2, 0, 1, 1, 0, 2}, {activity::combine, 0, 2, 1, 1, 2, 3}, {transfer, 0, 1, 0, 1, 5, 7}},
              {7, 7, 2});
    }
}

BOOST_AUTO_TEST_CASE(a_combine_goes_before_a_waiting_send_or_beside_it) {
    // when rank 1 comes, rank 0 has something to combine and something to send
    script const ranks{{send(1), take(2, 1)}, {receive(0)}, {send(0, 1)}};
    check(run(ranks, bidirectional, {0, 2, 0}),
          {{transfer, 2, 0, 1, 1, 0, 2}, {activity::combine, 0, 2, 1, 1, 2, 3}, {transfer, 0, 1, 0, 1, 3, 5}},
          {5, 5, 2});
    check(run(ranks, overlapped, {0, 2, 0}),
          {{transfer, 2, 0, 1, 1, 0, 2}, {transfer, 0, 1, 0, 1, 2, 4}, {activity::combine, 0, 2, 1, 1, 2, 3}},
          {4, 4, 2});
}

BOOST_AUTO_TEST_CASE(both_directions_at_once_only_where_ports_are_bidirectional) {
    // rank 1 sends to rank 2 and takes from rank 0, with other blocks
    script const ranks{{send(1)}, {send(2, 1), receive(0)}, {receive(1, result, 1)}};
    check(run(ranks, bidirectional), {{transfer, 0, 1, 0, 1, 0, 2}, {transfer, 1, 2, 1, 1, 0, 2}}, {2, 2, 2});
    check(run(ranks, unidirectional), {{transfer, 1, 2, 1, 1, 0, 2}, {transfer, 0, 1, 0, 1, 2, 4}}, {4, 4, 2});
    BOOST_TEST(run(ranks, overlapped).makespan() == 4);
}

BOOST_AUTO_TEST_CASE(a_combine_into_a_block_that_waits_to_be_sent_comes_after_the_send) {
    // rank 1, which is late, gets rank 0's own value
    script const ranks{{send(1), take(2)}, {receive(0)}, {send(0)}};
    times const arrivals{0, 10, 0};
    check(run(ranks, unidirectional, arrivals),
          {{transfer, 0, 1, 0, 1, 10, 12}, {transfer, 2, 0, 0, 1, 12, 14}, {activity::combine, 0, 2, 0, 1, 14, 15}},
          {15, 12, 14});
    for (auto const model : {bidirectional, overlapped}) {
        check(run(ranks, model, arrivals),
              {{transfer, 2, 0, 0, 1, 0, 2}, {transfer, 0, 1, 0, 1, 10, 12}, {activity::combine, 0, 2, 0, 1, 12, 13}},
              {13, 12, 2});
    }
}

BOOST_AUTO_TEST_CASE(all_send_first_round_a_ring) {
    script const ring{{send(1), receive(2, scratch)}, {send(2), receive(0, scratch)}, {send(0), receive(1, scratch)}};
    check(run(ring, bidirectional),
          {{transfer, 0, 1, 0, 1, 0, 2}, {transfer, 1, 2, 0, 1, 0, 2}, {transfer, 2, 0, 0, 1, 0, 2}}, {2, 2, 2});
    // one port: lower senders first, two messages cannot share a rank
    check(run(ring, unidirectional),
          {{transfer, 0, 1, 0, 1, 0, 2}, {transfer, 1, 2, 0, 1, 2, 4}, {transfer, 2, 0, 0, 1, 4, 6}}, {6, 4, 6});
    BOOST_TEST(run(ring, overlapped).makespan() == 6);
}

BOOST_AUTO_TEST_CASE(all_send_to_several_before_they_receive) {
    auto const other = buffer::scratch(1);
    script const ranks{{send(1), send(2), receive(1, scratch), receive(2, other)},
                       {send(2), send(0), receive(0, scratch), receive(2, other)},
                       {send(0), send(1), receive(0, scratch), receive(1, other)}};
    // any two messages share a rank
    for (auto const model : {unidirectional, overlapped}) { BOOST_TEST(run(ranks, model).makespan() == 12); }
}

BOOST_AUTO_TEST_CASE(all_send_first_and_work_before_they_receive) {
    auto const rank = [](std::size_t peer) {
        return std::vector<step>{send(peer), step::copy(0, input, scratch, 0),
                                 step::combine(0, input, scratch, 0, side::left), receive(peer, buffer::scratch(1))};
    };
    check(run({rank(1), rank(0)}, unidirectional),
          {{activity::combine, 0, 0, 0, 1, 0, 1}, {activity::copy, 0, 0, 0, 1, 0, 0},
           {activity::combine, 1, 1, 0, 1, 0, 1}, {activity::copy, 1, 1, 0, 1, 0, 0},
           {transfer, 0, 1, 0, 1, 1, 3}, {transfer, 1, 0, 0, 1, 3, 5}},
          {5, 5});
}

BOOST_AUTO_TEST_CASE(one_port_serves_the_lower_round_first) {
    auto const with_round = [](step it, std::size_t round) {
        it.round = round;
        return it;
    };
    // rank 1 could take from rank 0 and send to rank 2
    auto const ranks = [&](std::size_t later) {
        return script{{with_round(send(1), later)},
                      {send(2, 1), with_round(receive(0), later)},
                      {receive(1, result, 1)}};
    };
    check(run(ranks(0), overlapped), {{transfer, 0, 1, 0, 1, 0, 2}, {transfer, 1, 2, 1, 1, 2, 4}}, {2, 4, 4});
    check(run(ranks(1), overlapped), {{transfer, 1, 2, 1, 1, 0, 2}, {transfer, 0, 1, 0, 1, 2, 4}}, {4, 4, 2});
}

BOOST_AUTO_TEST_CASE(a_rank_that_combines_takes_the_next_message_only_where_ports_overlap) {
    script const ranks{{take(1, 0), take(1, 1)}, {send(0, 0), send(0, 1)}};
    for (auto const model : {unidirectional, bidirectional}) {
        check(run(ranks, model),
              {{transfer, 1, 0, 0, 1, 0, 2}, {activity::combine, 0, 1, 0, 1, 2, 3}, {transfer, 1, 0, 1, 1, 3, 5},
               {activity::combine, 0, 1, 1, 1, 5, 6}},
              {6, 5});
    }
    check(run(ranks, overlapped),
          {{transfer, 1, 0, 0, 1, 0, 2}, {activity::combine, 0, 1, 0, 1, 2, 3}, {transfer, 1, 0, 1, 1, 2, 4},
           {activity::combine, 0, 1, 1, 1, 4, 5}},
          {5, 4});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(broken)

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_named) {
    for (auto const model : all_ports) {
        BOOST_TEST(reason({{take(1), send(0)}, {send(0)}}, model) ==
                   "rank 0, step 1 in round 0 (send to rank 0, blocks [0,1)): a rank sends no message to itself");
        BOOST_TEST(reason({{take(1, 1)}, {send(0, block_range{0, 2})}}, model) ==
                   "rank 0, step 0 in round 0 (receive_combine from rank 1, blocks [1,2)): the matching message is rank 1, step 0 "
                   "in round 0 (send to rank 0, blocks [0,2)), which has other blocks");
    }
}

BOOST_AUTO_TEST_CASE(the_lowest_rank_that_stands_still_is_named_with_its_step) {
    for (auto const model : all_ports) {
        BOOST_TEST(reason({{}, {take(2), take(2)}, {send(1), take(1)}}, model) ==
                   "deadlock: rank 1, step 1 in round 0 (receive_combine from rank 2, blocks [0,1)) never ends");
        BOOST_TEST(reason({{take(1), send(1)}, {send(0)}}, model) ==
                   "deadlock: rank 0, step 1 in round 0 (send to rank 1, blocks [0,1)) never ends");
        BOOST_TEST(reason({{send(1), send(1, 1), send(1, 2)}, {receive(0)}}, model) ==
                   "deadlock: rank 0, step 1 in round 0 (send to rank 1, blocks [1,2)) never ends");
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
