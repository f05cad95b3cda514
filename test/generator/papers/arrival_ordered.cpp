// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include <range/v3/range/conversion.hpp>
#include <range/v3/view/take.hpp>

#include <laws/schedule_laws.hpp>
#include <support/late_ranks.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/papers/arrival_ordered.hpp>
#include <tutti/generator/papers/uni_greedy.hpp>

BOOST_AUTO_TEST_SUITE(generator_papers_arrival_ordered)

using namespace tutti;
using namespace tutti::generators;

namespace {

using late_ranks::random_arrivals;
using times = std::vector<double>;
using numbers = std::vector<std::size_t>;

partition equal_segments(std::size_t blocks) { return partition::equal(blocks, blocks); }

times late(std::size_t size, numbers const& ranks, double by) {
    times result(size, 0.0);
    for (auto const rank : ranks) { result[rank] = by; }
    return result;
}

template <class Generator>
double makespan(Generator const& generator, std::size_t root, std::size_t blocks, times const& arrivals) {
    return simulate(collective::reduce{}, generator, arrivals.size(), root, equal_segments(blocks), cost_model::unit(),
                    arrivals)
        .makespan();
}

/// When groups end, whatever ranks make up a group: the least by trying all.
double least_end(times const& arrivals, std::size_t blocks) {
    times ready(arrivals.size() + 1, 0.0);
    for (std::size_t last = 1; last <= arrivals.size(); ++last) {
        ready[last] = arrivals[last - 1] + static_cast<double>(round_optimal_rounds(last, blocks));
        for (std::size_t before = 1; before < last; ++before) {
            auto const rounds = static_cast<double>(round_optimal_rounds(last - before + 1, blocks));
            ready[last] = std::min(ready[last], std::max(ready[before], arrivals[last - 1]) + rounds);
        }
    }
    return ready.back();
}

double end_of(numbers const& groups, times const& arrivals, std::size_t blocks) {
    double end = 0;
    std::size_t before = 0;
    for (auto const last : groups) {
        auto const ranks = last - before + (before == 0 ? 0 : 1);
        end = std::max(end, arrivals[last - 1]) + static_cast<double>(round_optimal_rounds(ranks, blocks));
        before = last;
    }
    return end;
}

}  // namespace

BOOST_AUTO_TEST_CASE(reduces_to_any_root) {
    laws::check_schedules(collective::reduce{}, arrival_ordered{});
    for (std::size_t size : {2U, 5U, 8U, 13U}) {
        arrival_ordered known{.arrivals = late(size, {0, size - 1}, 40)};
        known.arrivals[size / 2] = 20;
        laws::check_schedules(collective::reduce{}, known, {size});
        laws::check_schedules(collective::broadcast{}, reverse(known), {size});
        laws::check_schedules(collective::all_reduce{}, then(known, reverse(known)), {size});
    }
}

BOOST_AUTO_TEST_CASE(no_arrivals_lose_a_contribution_or_delay_beyond_lock_step) {
    std::mt19937 random{11};
    for (int trial = 0; trial < 1500; ++trial) {
        std::size_t const size = 1 + random() % 24;
        std::size_t const root = random() % size;
        std::size_t const blocks = 1 + random() % 6;
        arrival_ordered const known{.arrivals = random_arrivals(size, random)};
        cost::check(collective::reduce{}, known, size, root, equal_segments(blocks), cost::rounds_used == cost::rounds);
        auto const last = *std::max_element(known.arrivals.begin(), known.arrivals.end());
        auto const rounds = static_cast<double>(round_optimal_rounds(size, blocks));
        BOOST_TEST(makespan(known, root, blocks, known.arrivals) <= last + rounds);
    }
}

BOOST_AUTO_TEST_CASE(late_ranks_cost_less_than_with_round_optimal) {
    struct row { numbers late; std::size_t blocks; double plain, ordered; };
    for (auto const& [ranks, blocks, plain, ordered] : std::vector<row>{
             {{5}, 1, 4, 1},        {{5}, 4, 7, 4},        {{5}, 16, 19, 16},
             {{3, 7, 11}, 1, 4, 2}, {{3, 7, 11}, 4, 7, 5}, {{3, 7, 11}, 16, 19, 17},
             {{0}, 1, 4, 1},        {{0}, 4, 7, 4},        {{0}, 16, 19, 16},
             {{0, 9}, 1, 4, 2},     {{0, 9}, 4, 7, 5},     {{0, 9}, 16, 19, 17}}) {
        auto const arrivals = late(16, ranks, 60);
        BOOST_TEST(makespan(round_optimal{}, 0, blocks, arrivals) == 60 + plain);
        BOOST_TEST(makespan(arrival_ordered{.arrivals = arrivals}, 0, blocks, arrivals) == 60 + ordered);
    }
}

BOOST_AUTO_TEST_CASE(of_one_block_nothing_is_faster_when_one_rank_comes_after_all_else_is_done) {
    for (std::size_t size = 2; size <= 20; ++size) {
        for (std::size_t rank = 0; rank < size; ++rank) {
            auto const arrivals = late(size, {rank}, static_cast<double>(round_optimal_rounds(size - 1, 1)));
            numbers const whole(arrivals.begin(), arrivals.end());
            auto const least = makespan(uni_greedy{.arrivals = whole}, size, equal_segments(1));
            auto const found = makespan(arrival_ordered{.arrivals = arrivals}, 0, 1, arrivals);
            BOOST_TEST(found == static_cast<double>(least));
        }
    }
}

BOOST_AUTO_TEST_CASE(is_round_optimal_if_all_arrive_at_once) {
    for (std::size_t size : {1U, 2U, 5U, 16U, 21U}) {
        for (auto const& cut : laws::cuts) {
            for (std::size_t rank = 0; rank < size; ++rank) {
                problem const at{rank, size, size / 3, cut};
                for (auto const& arrivals : {times{}, times(size, 0.1), times(size, 1e9)}) {
                    arrival_ordered const ordered{.arrivals = arrivals, .tau = 0.3};
                    laws::check_same(collective::reduce{}, ordered, round_optimal{}, at);
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(the_latest_send_last) {
    auto const cut = equal_segments(1);
    // too little to make a second group
    times const arrivals{0, 0.3, 0.1, 0.4, 0.2, 0, 0, 0};
    auto const sends_in = [&](std::size_t rank) {
        arrival_ordered const known{.arrivals = arrivals};
        auto const steps =
            ranges::to<std::vector>(generate(collective::reduce{}, known, problem{rank, arrivals.size(), 0, cut}));
        BOOST_TEST(steps.back().blocks.ranges() == 1U);
        return steps.back().round;
    };
    BOOST_TEST(sends_in(3) == 2U);
    BOOST_TEST(sends_in(1) == 1U);
    BOOST_TEST(sends_in(4) == 1U);
    for (std::size_t rank : {2U, 5U, 6U, 7U}) { BOOST_TEST(sends_in(rank) == 0U); }
}

BOOST_AUTO_TEST_CASE(no_other_groups_end_earlier) {
    BOOST_TEST(arrival_groups({0, 0, 0, 0}, 1) == (numbers{4}), boost::test_tools::per_element());
    BOOST_TEST(arrival_groups({0, 0, 0, 9}, 1) == (numbers{3, 4}), boost::test_tools::per_element());
    BOOST_TEST(arrival_groups({0, 5, 10, 15}, 1) == (numbers{2, 3, 4}), boost::test_tools::per_element());
    BOOST_TEST(arrival_groups({0, 5, 10, 15}, 16) == (numbers{4}), boost::test_tools::per_element());
    std::mt19937 random{5};
    for (int trial = 0; trial < 2000; ++trial) {
        auto arrivals = random_arrivals(1 + random() % 30, random);
        std::sort(arrivals.begin(), arrivals.end());
        auto const blocks = 1 + random() % 5;
        auto const groups = arrival_groups(arrivals, blocks);
        BOOST_TEST(groups.back() == arrivals.size());
        BOOST_TEST(end_of(groups, arrivals, blocks) == least_end(arrivals, blocks));
    }
}

BOOST_AUTO_TEST_CASE(only_differences_in_units_of_tau_matter) {
    auto const cut = equal_segments(3);
    times const arrivals{0, 7, 2, 0, 30, 1};
    times elsewhere;
    for (auto const each : arrivals) { elsewhere.push_back(1000 + 0.5 * each); }
    for (std::size_t rank = 0; rank < arrivals.size(); ++rank) {
        problem const at{rank, arrivals.size(), 2, cut};
        laws::check_same(collective::reduce{}, arrival_ordered{.arrivals = arrivals, .tau = 2},
                         arrival_ordered{.arrivals = elsewhere, .tau = 1}, at);
    }
}

BOOST_AUTO_TEST_CASE(a_schedule_of_too_many_steps_to_store_is_read_from_its_beginning) {
    std::size_t const blocks = 1'000'000'000;
    std::size_t const size = 1000;
    auto const cut = equal_segments(blocks);
    arrival_ordered const known{.arrivals = late(size, {17}, 1e10)};
    auto const steps = generate(collective::reduce{}, known, problem{0, size, 0, cut});
    BOOST_TEST(steps.rounds() == 2 * blocks + 9);
    BOOST_TEST(ranges::to<std::vector>(steps | ranges::views::take(3)).back().round == 2U);
}

BOOST_AUTO_TEST_CASE(refuses_what_are_no_arrivals) {
    auto const infinite = std::numeric_limits<double>::infinity();
    auto const nan = std::nan("");
    std::vector<arrival_ordered> const wrong{
        {.arrivals = {0, 1}},      {.arrivals = {0, 1, 2, 3}},        {.arrivals = {0, infinite, 0}},
        {.arrivals = {0, nan, 0}}, {.arrivals = {0, 1, 2}, .tau = 0}, {.tau = nan}};
    laws::check_refusals(collective::reduce{}, wrong, {0, 3, 0, equal_segments(1)});
}

BOOST_AUTO_TEST_CASE(cuts_into_the_segments_it_is_given) {
    BOOST_TEST(blocks_for(arrival_ordered{.segments = 12}, 4, 1) == 12U);
    static_assert(facts_of<collective::reduce, arrival_ordered>.requires_commutative);
}

BOOST_AUTO_TEST_SUITE_END()
