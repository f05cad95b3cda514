// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include <laws/schedule_laws.hpp>
#include <support/late_ranks.hpp>
#include <tutti/generator/pre_reduced_ring.hpp>
#include <tutti/generator/ring.hpp>

BOOST_AUTO_TEST_SUITE(generator_pre_reduced_ring)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::schedules;
using namespace late_ranks;

namespace {

using numbers = std::vector<std::size_t>;

times sorted(times arrivals) {
    std::sort(arrivals.begin(), arrivals.end());
    return arrivals;
}

/// What the schedules do, by position.
struct shape {
    numbers starts;     ///< by segment: who sends it before it has received it
    numbers completes;  ///< by segment: who combines it last
    numbers sends;
    numbers receives;
};

shape shape_of(times const& arrivals) {
    auto const size = arrivals.size();
    auto const cut = partition::equal(size, size);
    pre_reduced_ring const known{.arrivals = arrivals};
    shape result{numbers(size), numbers(size), numbers(size), numbers(size)};
    auto const order = arrival_order("", arrivals, size);
    for (std::size_t position = 0; position < size; ++position) {
        numbers combined(size, 0);
        numbers touched(size, 0);
        for (auto const& each : generate(collective::all_reduce{}, known, problem{order[position], size, 0, cut})) {
            auto const segment = each.blocks.begin()->first;
            ++(each.receives() ? result.receives : result.sends)[position];
            if (each.what == action::send && touched[segment] == 0) { result.starts[segment] = position; }
            ++touched[segment];
            if (each.receives()) { combined[segment] = each.combines() ? 1 : 0; }
        }
        for (std::size_t segment = 0; segment < size; ++segment) {
            if (combined[segment] != 0) { result.completes[segment] = position; }
        }
    }
    return result;
}

void check(numbers const& found, numbers const& expected) {
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

void check(times const& found, times const& expected) {
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_CASE(gives_every_rank_the_same_result) {
    laws::check_schedules(collective::all_reduce{}, pre_reduced_ring{});
    laws::check_lengths(collective::all_reduce{}, pre_reduced_ring{});
    std::mt19937 random{21};
    for (std::size_t size = 1; size <= 24; ++size) {
        for (int trial = 0; trial < 3; ++trial) {
            pre_reduced_ring const known{.arrivals = random_arrivals(size, random)};
            laws::check_schedules(collective::all_reduce{}, known, {size});
            laws::check_lengths(collective::all_reduce{}, known, {size});
        }
        pre_reduced_ring const late{.arrivals = one_late(size, size / 2, 100)};
        laws::check_schedules(collective::all_reduce{}, late, {size});
        laws::check_lengths(collective::all_reduce{}, late, {size});
    }
}

BOOST_AUTO_TEST_CASE(a_position_takes_the_steps_that_the_next_one_has_time_to_feed) {
    check(pre_steps({0, 0, 0, 2}, 1), {2, 1, 0, 0});
    check(pre_steps({1, 3, 3, 4}, 1), {1, 1, 0, 0});
    check(pre_steps({0, 0, 1, 3, 3}, 1), {2, 1, 0, 0, 0});
    check(pre_steps({1, 1, 2, 2, 2, 5}, 1), {4, 3, 2, 1, 0, 0});
    check(pre_steps({0, 5}, 1), {0, 0});
    check(pre_steps({0, 0, 0, 2}, 2), {1, 1, 0, 0});
    check(pre_steps({0, 0, 0, 2}, 2.1), {0, 0, 0, 0});
    check(pre_steps({0, 0, 0, 0}, 1e-300), {0, 0, 0, 0});
    check(pre_steps({7}, 1), numbers{0});
    for (std::size_t size = 2; size <= 20; ++size) {
        // the most, of one late rank, from (p-2) tau on
        auto const most = pre_steps(sorted(one_late(size, 0, 3.0 * static_cast<double>(size - 2))), 3);
        for (std::size_t position = 0; position + 1 < size; ++position) {
            BOOST_TEST(most[position] == size - 2 - position);
        }
    }
}

BOOST_AUTO_TEST_CASE(segments_start_and_end_where_published) {
    auto const one = shape_of({2, 0, 0, 0});
    check(one.starts, {0, 0, 0, 3});
    check(one.completes, {3, 3, 3, 2});
    check(one.sends, {8, 7, 4, 5});
    check(one.receives, {5, 8, 7, 4});
    auto const two = shape_of({3, 4, 3, 1});
    check(two.starts, {0, 0, 1, 3});
    check(two.completes, {3, 3, 0, 2});
    auto const three = shape_of({0, 0, 3, 3, 1});
    check(three.starts, {0, 0, 0, 3, 4});
    check(three.completes, {4, 4, 4, 2, 3});
}

BOOST_AUTO_TEST_CASE(ranks_end_when_published) {
    auto const both = [](times const& arrivals) { return finish(pre_reduced_ring{.arrivals = arrivals}, arrivals); };
    check(both({2, 0, 0, 0}), {7, 8, 8, 8});
    check(finish(ring{}, {2, 0, 0, 0}), {8, 8, 8, 8});
    check(both({3, 4, 3, 1}), {10, 9, 10, 10});
    check(both({0, 0, 3, 3, 1}), {11, 11, 11, 10, 11});
    check(both({5, 1, 2, 2, 2, 1}), {12, 13, 15, 15, 15, 14});
    check(both({5, 0}), {7, 7});
    // four ranks, one of them two segments late: 7 is impossible for the last one, the mean falls from 8 to 7.75
    BOOST_TEST(sum(both({2, 0, 0, 0})) == 4 * 7.75);
}

BOOST_AUTO_TEST_CASE(of_one_late_rank_the_mean_gains_and_the_makespan_does_not) {
    for (std::size_t size = 3; size <= 18; ++size) {
        auto const p = static_cast<double>(size);
        check(finish(pre_reduced_ring{}, times(size, 0.0)), times(size, 2 * p - 2));
        for (std::size_t const rank : {std::size_t{0}, std::size_t{1}, size - 1}) {
            for (double delay = 0; delay <= 2 * p + 4; ++delay) {
                auto const arrivals = one_late(size, rank, delay);
                auto const found = finish(pre_reduced_ring{.arrivals = arrivals}, arrivals);
                auto const plain = finish(ring{}, arrivals);
                check(plain, times(size, delay + 2 * p - 2));
                BOOST_TEST(latest(found) == delay + 2 * p - 2);
                BOOST_TEST(sum(found) <= sum(plain));
                if (delay >= p) { BOOST_TEST(2 * (sum(found) - p * delay) == 3 * p * p + p - 6); }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(of_one_very_late_rank_all_are_sent_what_the_first_has_started) {
    for (std::size_t size = 4; size <= 16; ++size) {
        auto const found = shape_of(one_late(size, 2, 50));
        numbers sends(size, 2 * size);
        numbers receives(size, 2 * size);
        sends[size - 3] = receives[size - 2] = 2 * size - 1;
        sends[size - 2] = receives[size - 1] = size;
        sends[size - 1] = receives[0] = size + 1;
        check(found.sends, sends);
        check(found.receives, receives);
    }
}

BOOST_AUTO_TEST_CASE(the_mean_is_never_above_that_of_the_ring) {
    std::mt19937 random{22};
    for (int trial = 0; trial < 2000; ++trial) {
        auto const arrivals = random_arrivals(1 + random() % 16, random);
        auto const found = finish(pre_reduced_ring{.arrivals = arrivals}, arrivals);
        auto const plain = finish(ring{}, arrivals);
        BOOST_TEST(sum(found) <= sum(plain));
        BOOST_TEST(latest(found) <= latest(plain));
    }
}

BOOST_AUTO_TEST_CASE(is_the_ring_if_all_arrive_at_once) {
    for (std::size_t size : {1U, 2U, 5U, 16U, 21U}) {
        for (auto const& cut : laws::cuts) {
            for (std::size_t rank = 0; rank < size; ++rank) {
                problem const at{rank, size, 0, cut};
                for (auto const& arrivals : {times{}, times(size, 0.1), times(size, -1e9)}) {
                    pre_reduced_ring const known{.arrivals = arrivals, .tau = 0.3};
                    laws::check_same(collective::all_reduce{}, known, ring{}, at);
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(only_differences_in_units_of_tau_matter) {
    auto const cut = partition::equal(6, 6);
    times const arrivals{0, 7, 2, 0, 30, 1};
    times elsewhere;
    for (auto const each : arrivals) { elsewhere.push_back(1000 + 0.5 * each); }
    for (std::size_t rank = 0; rank < arrivals.size(); ++rank) {
        problem const at{rank, arrivals.size(), 0, cut};
        laws::check_same(collective::all_reduce{}, pre_reduced_ring{.arrivals = arrivals, .tau = 2},
                         pre_reduced_ring{.arrivals = elsewhere, .tau = 1}, at);
    }
}

BOOST_AUTO_TEST_CASE(refuses_what_are_no_arrivals) {
    auto const infinite = std::numeric_limits<double>::infinity();
    auto const nan = std::nan("");
    std::vector<pre_reduced_ring> const wrong{
        {.arrivals = {0, 1}},      {.arrivals = {0, 1, 2, 3}},        {.arrivals = {0, infinite, 0}},
        {.arrivals = {0, nan, 0}}, {.arrivals = {0, 1, 2}, .tau = 0}, {.tau = nan}};
    laws::check_refusals(collective::all_reduce{}, wrong, {0, 3, 0, partition::equal(3, 3)});
}

BOOST_AUTO_TEST_CASE(wants_a_block_for_every_rank) {
    BOOST_TEST(blocks_for(pre_reduced_ring{}, 12, 8) == 12U);
    BOOST_TEST(name_of(collective::all_reduce{}, pre_reduced_ring{}) == "pre_reduced_ring");
    static_assert(facts_of<collective::all_reduce, pre_reduced_ring>.requires_commutative);
    static_assert(facts_of<collective::all_reduce, pre_reduced_ring>.one_ported);
}

BOOST_AUTO_TEST_SUITE_END()
