// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <range/v3/range/conversion.hpp>
#include <range/v3/view/take.hpp>

#include <laws/schedule_laws.hpp>
#include <support/late_ranks.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/late_rank.hpp>
#include <tutti/generator/ring.hpp>

BOOST_AUTO_TEST_SUITE(generator_late_rank)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;
using namespace tutti::schedules;

namespace {

using late_ranks::one_late;
using late_ranks::times;
using numbers = std::vector<std::size_t>;

partition equal_segments(std::size_t blocks) { return partition::equal(blocks, blocks); }

std::vector<step> steps_of(late_rank const& known, std::size_t rank, std::size_t size, partition const& cut) {
    return ranges::to<std::vector>(generate(collective::all_reduce{}, known, problem{rank, size, 0, cut}));
}

template <class Generator>
timeline run(Generator const& generator, partition const& cut, cost_model const& costs, times const& arrivals) {
    return simulate(collective::all_reduce{}, generator, arrivals.size(), 0, cut, costs, arrivals);
}

template <class Generator>
double mean_elapsed(Generator const& generator, partition const& cut, cost_model const& costs, times const& arrivals) {
    auto const finish = run(generator, cut, costs, arrivals).finish;
    return (late_ranks::sum(finish) - late_ranks::sum(arrivals)) / static_cast<double>(arrivals.size());
}

/// Where each block comes from ranks[0] first, and who sends it the last; `ranks` are `size - 1` .. 0.
numbers first_receivers(std::size_t size, std::size_t blocks) {
    auto const cut = equal_segments(blocks);
    numbers result(blocks, size);
    for (std::size_t rank = 0; rank < size; ++rank) {
        for (auto const& each : steps_of({}, rank, size, cut)) {
            if (each.what != action::receive_combine) { continue; }
            auto const block = each.blocks.begin()->first;
            if (each.peer == size - 1) { result[block] = size - 1 - rank; }
            if (rank == size - 1) { result[block] = size - 1 - each.peer; }
        }
    }
    return result;
}

std::size_t log2_up(std::size_t size) {
    std::size_t result = 0;
    while ((std::size_t{1} << result) < size) { ++result; }
    return result;
}

/// The steps of the rank at `place`, where rank and place are the same.
std::vector<step> steps_at(std::size_t place, std::size_t size, std::size_t blocks) {
    numbers ranks(size);
    std::iota(ranks.begin(), ranks.end(), std::size_t{0});
    early_reduction const part{ranks, place, partition::equal(blocks, blocks)};
    std::vector<step> result;
    for (std::size_t i = 0; i < part.steps(); ++i) {
        if (auto each = part(i); !each.blocks.empty()) { result.push_back(each); }
    }
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(gives_every_rank_the_same_result) {
    laws::check_schedules(collective::all_reduce{}, late_rank{});
    laws::check_lengths(collective::all_reduce{}, late_rank{});
}

BOOST_AUTO_TEST_CASE(whoever_is_late) {
    for (std::size_t size : {2U, 3U, 5U, 8U, 13U, 17U}) {
        for (std::size_t rank = 0; rank < size; rank += 1 + size / 5) {
            laws::check_schedules(collective::all_reduce{}, late_rank{.arrivals = one_late(size, rank, 40)}, {size});
        }
    }
    std::mt19937 random{17};
    for (int trial = 0; trial < 400; ++trial) {
        std::size_t const size = 1 + random() % 40;
        late_rank const known{.arrivals = late_ranks::random_arrivals(size, random)};
        auto const cut = equal_segments(1 + random() % 12);
        BOOST_TEST(verify(collective::all_reduce{}, known, size, 0, cut).reason == "");
    }
}

BOOST_AUTO_TEST_CASE(rounds_and_volume) {
    for (std::size_t size = 1; size <= 64; ++size) {
        auto const q = log2_up(size);
        for (std::size_t const blocks : {0U, 1U, 2U, 3U, 7U, 16U}) {
            bool const any = blocks != 0 && size != 1;
            bool const early = any && size > 2;
            BOOST_TEST(late_broadcast_rounds(size, blocks) == (any ? blocks - 1 + q : 0));
            BOOST_TEST(early_reduction_rounds(size, blocks) ==
                       (early ? blocks - 1 + (blocks == 1 ? log2_up(size - 1) : q) : 0));
            auto const cost =
                cost::check(collective::all_reduce{}, late_rank{}, size, 0, equal_segments(blocks),
                            cost::rounds == early_reduction_rounds(size, blocks) + late_broadcast_rounds(size, blocks),
                            cost::rounds_used == cost::rounds, cost::messages == 2 * (size - 1) * blocks);
            // both ends of the exchange of a single block combine it
            BOOST_TEST(cost.combines == (size - 1) * blocks + (any && blocks == 1 ? 1 : 0));
        }
    }
    static_assert(early_reduction_rounds(17, 1) == 4);
    static_assert(early_reduction_rounds(17, 8) == 12);
    static_assert(late_broadcast_rounds(17, 1) == 5);
    static_assert(late_broadcast_rounds(48, 32) == 37);
}

BOOST_AUTO_TEST_CASE(blocks_are_combined_where_they_come_first) {
    BOOST_TEST(first_receivers(2, 3) == (numbers{1, 1, 1}), boost::test_tools::per_element());
    BOOST_TEST(first_receivers(3, 2) == (numbers{2, 1}), boost::test_tools::per_element());
    BOOST_TEST(first_receivers(5, 4) == (numbers{1, 2, 3, 1}), boost::test_tools::per_element());
    BOOST_TEST(first_receivers(8, 5) == (numbers{4, 1, 2, 4, 1}), boost::test_tools::per_element());
    BOOST_TEST(first_receivers(17, 7) == (numbers{9, 1, 2, 3, 5, 9, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(two_ranks_exchange_what_they_have) {
    auto const cut = equal_segments(1);
    auto const late = steps_of({}, 1, 2, cut);
    BOOST_TEST((late == std::vector{step::send(0, 0, buffer::result(), 0),
                                    step::receive_combine(0, 0, buffer::result(), 0, side::left)}));
    auto const early = steps_of({}, 0, 2, cut);
    BOOST_TEST((early == std::vector{step::send(0, 1, buffer::result(), 0),
                                     step::receive_combine(0, 1, buffer::result(), 0, side::right)}));
}

BOOST_AUTO_TEST_CASE(operands_stand_alike_on_all_ranks) {
    auto const texts = [](std::size_t size, std::size_t blocks) {
        return bracketings(collective::all_reduce{}, late_rank{}, size, 0, equal_segments(blocks), 0);
    };
    BOOST_TEST(texts(3, 1) == (std::vector<std::string>{"((1+0)+2)"}), boost::test_tools::per_element());
    BOOST_TEST(texts(4, 1) == (std::vector<std::string>{"(((2+0)+1)+3)"}), boost::test_tools::per_element());
    BOOST_TEST(texts(3, 2) == (std::vector<std::string>{"((0+1)+2)", "((1+0)+2)"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_late_rank_takes_no_part_in_the_reduction) {
    for (std::size_t size = 2; size <= 40; ++size) {
        for (std::size_t const blocks : {1U, 2U, 9U}) {
            auto const cut = equal_segments(blocks);
            auto const late = size / 3;
            auto const begins = early_reduction_rounds(size, blocks);
            late_rank const known{.arrivals = one_late(size, late, 5)};
            for (std::size_t rank = 0; rank < size; ++rank) {
                std::size_t expected = 0;
                for (auto const& each : steps_of(known, rank, size, cut)) {
                    bool const with_late = rank == late || each.peer == late;
                    if (with_late) { BOOST_TEST(each.round >= begins); }
                    if (each.peer != late || each.what != action::receive_combine) { continue; }
                    // in the order of blocks, so that no block waits for a later one
                    BOOST_TEST(each.blocks.begin()->first >= expected);
                    expected = each.blocks.begin()->first + 1;
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(after_the_arrival_a_broadcast_is_left) {
    for (std::size_t size = 2; size <= 48; ++size) {
        for (std::size_t const blocks : {1U, 2U, 5U, 20U}) {
            auto const before = static_cast<double>(early_reduction_rounds(size, blocks));
            auto const after = static_cast<double>(late_broadcast_rounds(size, blocks));
            for (double const by : {1.0, before, before + 1, 1000.0}) {
                auto const arrivals = one_late(size, size / 2, by);
                auto const line =
                    run(late_rank{.arrivals = arrivals}, equal_segments(blocks), cost_model::unit(), arrivals);
                if (by >= before) {
                    BOOST_TEST(line.makespan() == by + after);
                } else {
                    BOOST_TEST(line.makespan() <= before + after);
                    BOOST_TEST(line.makespan() >= before + after - 1);
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(the_late_rank_sends_a_block_at_once_and_one_in_every_round) {
    std::size_t const blocks = 12;
    auto const arrivals = one_late(21, 4, 100);
    auto const line = run(late_rank{.arrivals = arrivals}, equal_segments(blocks), cost_model::unit(), arrivals);
    double due = 100;
    for (auto const& each : line.events) {
        if (each.rank != 4 || each.what != activity::transfer) { continue; }
        BOOST_TEST(each.start == due);
        due += 1;
    }
    BOOST_TEST(due == 100 + static_cast<double>(late_broadcast_rounds(21, blocks)));
}

BOOST_AUTO_TEST_CASE(wrong_estimates_cost_time_and_nothing_else) {
    std::mt19937 random{3};
    for (int trial = 0; trial < 200; ++trial) {
        std::size_t const size = 2 + random() % 20;
        std::size_t const blocks = 1 + random() % 6;
        auto const arrivals = late_ranks::random_arrivals(size, random);
        late_rank const known{.arrivals = one_late(size, random() % size, 60)};
        auto const rounds = early_reduction_rounds(size, blocks) + late_broadcast_rounds(size, blocks);
        BOOST_TEST(run(known, equal_segments(blocks), cost_model::unit(), arrivals).makespan() <=
                   late_ranks::latest(arrivals) + static_cast<double>(rounds));
    }
}

BOOST_AUTO_TEST_CASE(half_the_time_of_others_after_a_late_arrival) {
    std::size_t const size = 48;
    std::size_t const elements = 48 * 32 * 1000;
    auto const by = 1e8;
    auto const arrivals = one_late(size, 30, by);
    auto const waiting = by * (size - 1) / size;
    auto const in_parts = partition::equal(elements, size);
    auto const after = [&](auto const& generator, partition const& cut, cost_model const& costs) {
        return mean_elapsed(generator, cut, costs, arrivals) - waiting;
    };
    for (auto const& [gamma, gain] : {std::pair{0.0, 1.65}, std::pair{0.5, 1.85}, std::pair{1.0, 2.0}}) {
        auto const costs = cost_model::linear(100, 1, gamma);
        auto const late = after(late_rank{.arrivals = arrivals}, partition::equal(elements, 32), costs);
        BOOST_TEST(gain * late < after(then(circulant{}, reverse(circulant{})), in_parts, costs));
        BOOST_TEST(gain * late < after(ring{}, in_parts, costs));
    }
    auto const free_combines = cost_model::linear(100, 1, 0);
    BOOST_TEST(after(late_rank{.arrivals = arrivals}, partition::equal(elements, 32), free_combines) ==
                   37 * (100 + 48000),
               boost::test_tools::tolerance(1e-9));
    // many blocks: nearly all that is left is one transfer of the vector
    BOOST_TEST(1.85 * after(late_rank{.arrivals = arrivals}, partition::equal(elements, 192), free_combines) <
               after(then(circulant{}, reverse(circulant{})), in_parts, free_combines));
}

BOOST_AUTO_TEST_CASE(of_those_that_come_last_the_highest_rank_is_late) {
    auto const cut = equal_segments(2);
    auto const late = [&](times const& arrivals) {
        for (std::size_t rank = 0; rank < 6; ++rank) {
            if (steps_of({.arrivals = arrivals}, rank, 6, cut).front().round >= early_reduction_rounds(6, 2)) {
                return rank;
            }
        }
        return std::size_t{6};
    };
    BOOST_TEST(late({}) == 5U);
    BOOST_TEST(late({7, 7, 7, 7, 7, 7}) == 5U);
    BOOST_TEST(late({0, 8, 0, 8, 0, 0}) == 3U);
    BOOST_TEST(late({-1, -2, -3, -4, -5, -6}) == 0U);
}

BOOST_AUTO_TEST_CASE(a_schedule_of_too_many_steps_to_store_is_read_from_its_beginning) {
    std::size_t const blocks = 1'000'000'000;
    std::size_t const size = 1000;
    auto const cut = equal_segments(blocks);
    auto const steps = generate(collective::all_reduce{}, late_rank{}, problem{0, size, 0, cut});
    BOOST_TEST(steps.rounds() == 2 * (blocks + 9));
    BOOST_TEST(ranges::to<std::vector>(steps | ranges::views::take(4)).back().round == 2U);
}

BOOST_AUTO_TEST_CASE(refuses_what_are_no_arrivals) {
    auto const infinite = std::numeric_limits<double>::infinity();
    std::vector<late_rank> const wrong{{.arrivals = {0, 1}},
                                       {.arrivals = {0, 1, 2, 3}},
                                       {.arrivals = {0, infinite, 0}},
                                       {.arrivals = {0, std::nan(""), 0}}};
    laws::check_refusals(collective::all_reduce{}, wrong, {0, 3, 0, equal_segments(1)});
}

BOOST_AUTO_TEST_CASE(cuts_for_the_broadcast_that_is_left) {
    BOOST_TEST(blocks_for(late_rank{.segments = 12}, 4, 1) == 12U);
    BOOST_TEST(blocks_for(late_rank{}, 1, 1 << 20) == 1U);
    BOOST_TEST(blocks_for(late_rank{}, 64, 0) == 1U);
    BOOST_TEST(blocks_for(late_rank{}, 64, 1000) == 1U);
    BOOST_TEST(blocks_for(late_rank{}, 17, 64 * 1024) == 4U);
    BOOST_TEST(blocks_for(late_rank{}, 64, 1 << 20) == 17U);
    BOOST_TEST(blocks_for(late_rank{}, 64, 64 << 20) == 512U);
    BOOST_TEST(blocks_for(late_rank{}, 2, 1 << 20) == 8U);
    static_assert(facts_of<collective::all_reduce, late_rank>.requires_commutative);
    static_assert(facts_of<collective::all_reduce, late_rank>.one_ported);
    static_assert(facts_of<collective::all_reduce, late_rank>.identical_on_all_ranks);
}

BOOST_AUTO_TEST_CASE(a_rank_sends_each_block_once_or_keeps_it) {
    for (std::size_t size = 2; size <= 40; ++size) {
        auto const q = static_cast<std::size_t>(std::bit_width(size - 1));
        for (std::size_t const blocks : {1U, 2U, 3U, 8U, 13U}) {
            numbers kept(blocks, 0);
            for (std::size_t place = 1; place < size; ++place) {
                numbers sent(blocks, 0);
                numbers received_until(blocks, 0);
                for (auto const& each : steps_at(place, size, blocks)) {
                    auto const block = each.blocks.begin()->first;
                    BOOST_TEST(each.peer != 0U);
                    BOOST_TEST(sent[block] == 0U);
                    if (each.what == action::send) {
                        ++sent[block];
                    } else {
                        received_until[block] = each.round;
                    }
                }
                for (std::size_t block = 0; block < blocks; ++block) {
                    if (sent[block] != 0) { continue; }
                    ++kept[block];
                    BOOST_TEST(received_until[block] <= q - 1 + block);
                    if (block == blocks - 1) { BOOST_TEST(place == 1U); }
                }
            }
            BOOST_TEST(kept == numbers(blocks, 1), boost::test_tools::per_element());
        }
    }
}

BOOST_AUTO_TEST_CASE(the_late_rank_does_nothing) {
    for (std::size_t const size : {1U, 2U, 3U, 8U, 21U}) {
        for (std::size_t const blocks : {0U, 1U, 2U, 9U}) { BOOST_TEST(steps_at(0, size, blocks).empty()); }
    }
}

BOOST_AUTO_TEST_CASE(of_one_block_the_latest_send_last) {
    auto const sends_in = [](std::size_t place) { return steps_at(place, 9, 1).back().round; };
    for (std::size_t const place : {5U, 6U, 7U, 8U}) { BOOST_TEST(sends_in(place) == 0U); }
    BOOST_TEST(sends_in(4) == 1U);
    BOOST_TEST(sends_in(3) == 1U);
    BOOST_TEST(sends_in(2) == 2U);
}

BOOST_AUTO_TEST_CASE(rounds) {
    static_assert(early_reduction_rounds(1, 5) == 0);
    static_assert(early_reduction_rounds(2, 5) == 0);
    static_assert(early_reduction_rounds(3, 0) == 0);
    static_assert(early_reduction_rounds(17, 1) == 4);
    static_assert(early_reduction_rounds(17, 8) == 12);
    std::size_t last = 0;
    for (std::size_t place = 1; place < 20; ++place) { last = std::max(last, steps_at(place, 20, 6).back().round); }
    BOOST_TEST(last + 1 == early_reduction_rounds(20, 6));
}

BOOST_AUTO_TEST_SUITE_END()
