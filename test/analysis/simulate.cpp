// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <support/tiny_generators.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/generator/papers/binary_tree.hpp>
#include <tutti/generator/papers/uni_greedy.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(analysis_simulate)

namespace {

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;
using tiny::scripted;

constexpr auto unidirectional = ports::unidirectional;
constexpr auto bidirectional = ports::bidirectional;
constexpr auto overlapped = ports::overlapped;
constexpr std::array all_ports{unidirectional, bidirectional, overlapped};

auto const result = buffer::result();

template <class Generator, class Collective = collective::reduce>
timeline run(Generator const& generator, std::size_t size, std::size_t blocks, cost_model const& costs,
             std::vector<double> const& arrivals = {}, Collective which = {}) {
    return simulate(which, generator, size, 0, partition::equal(blocks, blocks), costs, arrivals);
}

scripted<> script(std::vector<std::vector<step>> ranks) { return {100, std::move(ranks)}; }

step send(std::size_t peer, std::size_t block = 0) { return step::send(0, peer, result, block); }
step take(std::size_t peer, std::size_t block = 0) {
    return step::receive_combine(0, peer, result, block, side::right);
}

/// Every rank does at any time at most what its ports allow, and events keep to arrivals and finish.
void check_ports(timeline const& line) {
    auto const exclude = [&](timeline::event const& a, timeline::event const& b, std::size_t rank) {
        bool const a_computes = a.what != activity::transfer;
        bool const b_computes = b.what != activity::transfer;
        if (line.model == overlapped && a_computes != b_computes) { return false; }
        bool const opposite = !a_computes && !b_computes && (a.rank == rank) != (b.rank == rank);
        return !(line.model == bidirectional && opposite);
    };
    std::vector<std::vector<timeline::event>> of_rank(line.size());
    for (auto const& each : line.events) {
        of_rank[each.rank].push_back(each);
        if (each.what == activity::transfer) { of_rank[each.peer].push_back(each); }
    }
    std::size_t clashes = 0;
    for (std::size_t rank = 0; rank < line.size(); ++rank) {
        for (auto const& a : of_rank[rank]) {
            clashes += a.start < line.arrivals[rank] || a.end > line.finish[rank];
            for (auto const& b : of_rank[rank]) {
                clashes += !(a == b) && a.start < b.end && b.start < a.end && exclude(a, b, rank);
            }
        }
    }
    BOOST_TEST(clashes == 0);
}

}  // namespace

BOOST_AUTO_TEST_CASE(binomial_takes_log_p_rounds) {
    for (auto const model : all_ports) {
        for (std::size_t size : {1U, 2U, 3U, 8U, 21U}) {
            auto const line = run(tiny::binomial{}, size, 1, cost_model::per_block(2, 1, model));
            // an overlapped root that is not busy takes the next message while it combines
            bool const prefetches = model == overlapped && !std::has_single_bit(size);
            BOOST_TEST(line.makespan() == 3 * static_cast<int>(std::bit_width(size - 1)) - (prefetches ? 1 : 0));
            BOOST_TEST(line.events.size() == 2 * (size - 1));
            check_ports(line);
        }
    }
    BOOST_TEST(run(tiny::binomial{}, 21, 1, cost_model::unit()).makespan() == 5);
}

BOOST_AUTO_TEST_CASE(pipeline_takes_its_closed_forms) {
    for (auto const& costs : {std::pair{1, 0}, {2, 1}, {1, 3}}) {
        auto const tcomm = costs.first;
        auto const tcomp = costs.second;
        for (std::size_t size : {3U, 5U, 7U, 16U, 31U}) {
            for (std::size_t blocks : {1U, 3U, 8U}) {
                auto const time = [&](ports model) {
                    auto const line = run(tiny::chain{}, size, blocks, cost_model::per_block(tcomm, tcomp, model));
                    check_ports(line);
                    return line.makespan();
                };
                auto const p = static_cast<int>(size);
                auto const q = static_cast<int>(blocks);
                BOOST_TEST(time(bidirectional) == (p + q - 2) * (tcomm + tcomp));
                BOOST_TEST(time(unidirectional) == (p - 1) * (tcomm + tcomp) + (q - 1) * (2 * tcomm + tcomp));
                check_ports(run(tiny::chain{}, size, blocks, cost_model::per_block(tcomm, tcomp, overlapped)));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(binary_tree_takes_the_published_times) {
    struct golden { std::size_t p, q; double short_transfer, long_transfer; };
    // left-shifted, for (tcomm, tcomp) = (1, 0) and (2, 1)
    for (auto const& [p, q, shorter, longer] :
         {golden{5, 1, 3, 9}, {5, 3, 9, 25}, {5, 8, 24, 65}, {7, 1, 4, 12}, {7, 3, 10, 28}, {7, 8, 25, 68},
          {16, 1, 6, 18}, {16, 3, 12, 34}, {16, 8, 27, 74}, {31, 1, 8, 24}, {31, 3, 14, 40}, {31, 8, 29, 80}}) {
        BOOST_TEST(run(binary_tree{}, p, q, cost_model::per_block(1, 0, unidirectional)).makespan() == shorter);
        BOOST_TEST(run(binary_tree{}, p, q, cost_model::per_block(2, 1, unidirectional)).makespan() == longer);
    }
    for (std::size_t n : {2U, 3U, 4U, 5U}) {
        auto const size = (std::size_t{1} << n) - 1;
        BOOST_TEST(run(binary_tree{}, size, 6, cost_model::per_block(2, 1)).makespan() ==
                   3.0 * 2.0 * static_cast<double>(n + 6 - 2));
    }
}

BOOST_AUTO_TEST_CASE(uni_greedy_starts_when_it_says) {
    BOOST_TEST(run(uni_greedy{.tcomm = 2, .tcomp = 1}, 15, 5, cost_model::per_block(2, 1, unidirectional)).makespan() ==
               39);
    uni_greedy const costs{.alpha = 3, .beta = 2, .gamma = 1};
    std::vector<std::size_t> const sizes{10, 17, 9, 16};
    auto const cut = partition::of_sizes(sizes);
    auto const line = simulate(collective::reduce{}, costs, 12, 0, cut, cost_model::linear(3, 2, 1, unidirectional));
    BOOST_TEST(line.makespan() == 450);
    using start = std::tuple<double, std::size_t, std::size_t, std::size_t>;
    std::vector<start> planned;
    for (auto const& each : transfers_of(costs, 12, 0, cut)) {
        planned.emplace_back(static_cast<double>(each.start), each.segment, each.sender, each.receiver);
    }
    std::vector<start> simulated;
    for (auto const& each : line.events) {
        if (each.what == activity::transfer) { simulated.emplace_back(each.start, each.block, each.rank, each.peer); }
    }
    std::sort(planned.begin(), planned.end());
    std::sort(simulated.begin(), simulated.end());
    BOOST_TEST((planned == simulated));
    check_ports(line);
}

BOOST_AUTO_TEST_CASE(exchange_is_one_round_where_both_ways_go_at_once) {
    auto const time = [](ports model) {
        auto const line = run(tiny::exchange{}, 8, 1, cost_model::per_block(2, 1, model), {}, collective::all_reduce{});
        check_ports(line);
        return line.makespan();
    };
    BOOST_TEST(time(bidirectional) == 3 * (2 + 1));
    // one port: both directions one after the other, and all send first, so that sends must let receives pass
    BOOST_TEST(time(unidirectional) == 3 * (2 + 2 + 1));
    BOOST_TEST(time(overlapped) == 3 * (2 + 2 + 1));
}

BOOST_AUTO_TEST_CASE(overlapped_combines_while_the_next_message_comes) {
    // one rank takes k messages that are all there: d + (k-1) max(d, c) + c
    for (auto const& [d, c] : {std::pair{2, 1}, {1, 3}, {2, 2}}) {
        auto const line = run(script({{take(1), take(2), take(3)}, {send(0)}, {send(0)}, {send(0)}}), 4, 1,
                              cost_model::per_block(d, c, overlapped));
        BOOST_TEST(line.makespan() == d + 2 * std::max(d, c) + c);
        check_ports(line);
    }
    // a send waits for the combine of its block
    BOOST_TEST(run(tiny::chain{}, 3, 1, cost_model::per_block(2, 5, overlapped)).makespan() == 14);
}

BOOST_AUTO_TEST_CASE(bidirectional_combines_when_its_send_has_ended) {
    std::vector<std::size_t> const sizes{1, 4};
    auto const cut = partition::of_sizes(sizes);
    // rank 0 sends four elements while one comes in
    auto const line = simulate(collective::reduce{}, script({{send(1, 1), take(1, 0)}, {send(0, 0), take(0, 1)}}), 2, 0,
                               cut, cost_model::linear(0, 1, 1));
    check_ports(line);
    using event = timeline::event;
    std::vector<event> const expected{{activity::transfer, 0, 1, 1, 1, 0, 4},
                                      {activity::transfer, 1, 0, 0, 1, 0, 1},
                                      {activity::combine, 0, 1, 0, 1, 4, 5},
                                      {activity::combine, 1, 0, 1, 1, 4, 8}};
    BOOST_TEST((line.events == expected));
    BOOST_TEST(line.finish == (std::vector<double>{5, 8}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_block_is_not_overwritten_before_it_is_sent) {
    // rank 1 is late; only then rank 0 may take rank 2's value over the one that it sends to rank 1
    auto const swap = script({{send(1), step::receive(1, 2, result, 0)}, {take(0)}, {step::send(1, 0, result, 0)}});
    for (auto const model : all_ports) {
        auto const line = run(swap, 3, 1, cost_model::per_block(2, 0, model), {0, 10, 0});
        BOOST_TEST(line.finish == (std::vector<double>{14, 12, 14}), boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(ranks_do_nothing_before_they_arrive) {
    auto const line = run(tiny::binomial{}, 4, 1, cost_model::per_block(2, 1), {0, 7, 1, 0});
    // 3 -> 2 at 1, 1 -> 0 at 7, 2 -> 0 at 10
    BOOST_TEST(line.finish == (std::vector<double>{13, 9, 12, 3}), boost::test_tools::per_element());
    BOOST_TEST(line.idle() == (std::vector<double>{7, 0, 6, 1}), boost::test_tools::per_element());
    check_ports(line);
}

BOOST_AUTO_TEST_CASE(what_is_combined_into_an_empty_block_costs_nothing) {
    auto const into_scratch = step::receive_combine(0, 1, buffer::scratch(0), 0, side::right);
    auto const fold = step::combine(0, buffer::scratch(0), result, 0, side::right);
    auto const line = run(script({{into_scratch, fold}, {send(0)}}), 2, 1, cost_model::per_block(2, 5));
    BOOST_TEST(line.makespan() == 7);
    BOOST_TEST(line.events.size() == 2);
    auto const twice =
        run(script({{into_scratch, into_scratch}, {send(0), send(0)}}), 2, 1, cost_model::per_block(2, 5));
    BOOST_TEST(twice.makespan() == 9);
}

BOOST_AUTO_TEST_CASE(a_network_that_carries_few_messages_makes_others_wait) {
    std::vector<double> makespans;
    for (std::size_t const limit : {1U, 2U, 3U, 4U, 100U}) {
        auto costs = cost_model::unit();
        costs.transfers_at_once = limit;
        auto const line = run(tiny::binomial{}, 8, 1, costs);
        makespans.push_back(line.makespan());
        for (auto const& one : line.events) {
            auto const beside = std::count_if(line.events.begin(), line.events.end(), [&](auto const& other) {
                return other.start <= one.start && one.start < other.end;
            });
            BOOST_TEST(static_cast<std::size_t>(beside) <= limit);
        }
    }
    BOOST_TEST(makespans == (std::vector<double>{7, 4, 4, 3, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(schedules_that_stand_still_are_reported) {
    auto const stuck = script({{take(1), send(1)}, {take(0), send(0)}});
    for (auto const model : all_ports) {
        BOOST_CHECK_EXCEPTION(run(stuck, 2, 1, cost_model::unit(model)), broken_schedule, [](auto const& error) {
            return error.reason() == "deadlock: rank 0, step 0 in round 0 (receive_combine from rank 1, blocks [0,1)) never ends";
        });
    }
    BOOST_CHECK_THROW(run(script({{take(1, 1)}, {send(0, 0)}}), 2, 2, cost_model::unit()), broken_schedule);
    BOOST_CHECK_THROW(run(tiny::chain{}, 3, 1, cost_model::unit(), {0, 1}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(sends_in_line_let_one_another_pass_before_all_stand_still) {
    // rank 1 takes rank 0's message only after rank 2 has had rank 0's second one
    auto const crossed = script({{send(1), send(2)}, {take(2), take(0)}, {take(0), send(1)}});
    for (auto const model : all_ports) {
        BOOST_TEST(run(crossed, 3, 1, cost_model::per_block(2, 0, model)).makespan() == 6);
    }
}

BOOST_AUTO_TEST_SUITE_END()
