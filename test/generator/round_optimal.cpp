// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <numeric>
#include <set>
#include <type_traits>
#include <vector>

#include <range/v3/range/conversion.hpp>
#include <range/v3/view/reverse.hpp>
#include <range/v3/view/take.hpp>

#include <laws/schedule_laws.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/round_optimal.hpp>

BOOST_AUTO_TEST_SUITE(generator_round_optimal)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::analysis;
using namespace tutti::schedules;

namespace {

std::size_t doublings(std::size_t size) { return static_cast<std::size_t>(std::bit_width(size - 1)); }

partition equal_segments(std::size_t blocks) { return partition::equal(blocks, blocks); }

std::vector<step> steps_of(std::size_t rank, std::size_t size, std::size_t root, partition const& cut) {
    return ranges::to<std::vector>(generate(collective::reduce{}, round_optimal{}, problem{rank, size, root, cut}));
}

using counts = std::vector<std::size_t>;

/// One rank has nearly everything; a few have all; nothing at all; all the same; growing.
std::vector<counts> shapes(std::size_t size) {
    counts huge(size, 1);
    huge[size / 3] = 1000;
    counts alone(size, 0);
    alone[size - 1] = 97;
    counts few(size, 0);
    for (std::size_t rank = 0; rank < size; rank += 5) { few[rank] = 40 + rank; }
    counts growing(size, 0);
    std::iota(growing.begin(), growing.end(), std::size_t{0});
    return {huge, alone, few, counts(size, 0), counts(size, 12), growing};
}

std::size_t elements_of(step const& each, partition const& cut) {
    std::size_t result = 0;
    for (auto const& range : each.blocks) { result += cut.size(range.first, range.last); }
    return result;
}

/// Elements sent in each round by rank 0.
template <class Generator>
counts sent(Generator const& generator, partition const& cut, std::size_t size) {
    counts result;
    for (auto const& each : generate(collective::reduce_scatter{}, generator, problem{0, size, 0, cut})) {
        if (each.what == action::send) { result.push_back(elements_of(each, cut)); }
    }
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(reduces_to_any_root) { laws::check_schedules(collective::reduce{}, round_optimal{}); }

BOOST_AUTO_TEST_CASE(broadcasts_from_any_root) { laws::check_schedules(collective::broadcast{}, round_optimal{}); }

BOOST_AUTO_TEST_CASE(reduction_and_broadcast_make_an_all_reduce) {
    laws::check_schedules(collective::all_reduce{}, then(round_optimal{}, reverse(round_optimal{})));
}

BOOST_AUTO_TEST_CASE(many_ranks_and_blocks_verify) {
    for (std::size_t size = 65; size <= 130; ++size) {
        for (auto const blocks : {std::size_t{1}, std::size_t{2}, doublings(size) + 1, std::size_t{17}}) {
            auto const cut = equal_segments(blocks);
            cost::check(collective::reduce{}, round_optimal{}, size, size / 3, cut,
                        cost::rounds_used == blocks - 1 + doublings(size));
            BOOST_TEST(verify(collective::broadcast{}, round_optimal{}, size, size - 1, cut).reason == "");
        }
    }
}

BOOST_AUTO_TEST_CASE(takes_no_round_more_than_a_broadcast_must) {
    for (std::size_t size = 2; size <= 512; ++size) {
        for (std::size_t blocks = 1; blocks <= 16; ++blocks) {
            auto const cut = equal_segments(blocks);
            auto const rounds = blocks - 1 + doublings(size);
            auto const every = size <= 24 ? 1 : size / 3;
            for (std::size_t rank = 0; rank < size; rank += every) {
                auto const steps = generate(collective::reduce{}, round_optimal{}, problem{rank, size, 0, cut});
                BOOST_REQUIRE(steps.rounds() == rounds);
                for (auto const& each : steps) { BOOST_REQUIRE(each.round < rounds); }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(every_rank_but_the_root_sends_every_block_once_to_few_ranks) {
    for (std::size_t size = 2; size <= 40; ++size) {
        for (std::size_t blocks : {1U, 4U, 13U}) {
            auto const cut = equal_segments(blocks);
            auto const root = size / 3;
            std::size_t all_combines = 0;
            for (std::size_t rank = 0; rank < size; ++rank) {
                std::vector<std::size_t> sent(blocks, 0);
                std::set<std::size_t> neighbours;
                std::size_t combines = 0;
                for (auto const& each : steps_of(rank, size, root, cut)) {
                    neighbours.insert(each.peer);
                    if (each.what == action::send) {
                        ++sent[each.blocks.begin()->first];
                    } else {
                        ++combines;
                    }
                }
                BOOST_TEST(std::count(sent.begin(), sent.end(), rank == root ? 0U : 1U) ==
                           static_cast<std::ptrdiff_t>(blocks));
                BOOST_TEST(combines <= blocks - 1 + doublings(size));
                BOOST_TEST(neighbours.size() <= 2 * doublings(size));
                all_combines += combines;
            }
            BOOST_TEST(all_combines == blocks * (size - 1));
        }
    }
}

BOOST_AUTO_TEST_CASE(rounds_take_what_a_message_and_a_combine_take) {
    for (std::size_t size = 2; size <= 40; ++size) {
        for (std::size_t blocks : {1U, 2U, 7U, 20U}) {
            auto const cut = equal_segments(blocks);
            auto const rounds = static_cast<double>(blocks - 1 + doublings(size));
            auto const root = size - 1;
            auto const costs = cost_model::per_block(2, 1);
            auto const reduced = simulate(collective::reduce{}, round_optimal{}, size, root, cut, costs);
            auto const sent = simulate(collective::broadcast{}, round_optimal{}, size, root, cut, costs);
            BOOST_TEST(reduced.makespan() == 3 * rounds);
            BOOST_TEST(sent.makespan() == 2 * rounds);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_root_has_a_block_more_in_every_round) {
    for (std::size_t size : {2U, 5U, 16U, 33U}) {
        auto const q = doublings(size);
        auto const steps = steps_of(3 % size, size, 3 % size, equal_segments(9));
        BOOST_REQUIRE(steps.size() == q + 8);
        for (std::size_t round = 0; round < steps.size(); ++round) {
            BOOST_TEST(steps[round].round == round);
            BOOST_TEST((steps[round].blocks == block_list{round < q ? 0 : round - q + 1}));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_schedule_worked_out_by_hand) {
    auto const result = buffer::result();
    auto const cut = equal_segments(3);
    std::vector<step> const expected{
        step::send(0, 0, result, 2),
        step::receive_combine(0, 1, result, 0, side::right),
        step::send(1, 1, result, 1),
        step::send(2, 2, result, 0),
    };
    BOOST_TEST((steps_of(3, 5, 2, cut) == expected));
}

BOOST_AUTO_TEST_CASE(the_broadcast_is_the_reduction_backwards) {
    for (std::size_t size : {1U, 2U, 3U, 7U, 16U, 20U, 33U}) {
        for (auto const& cut : laws::cuts) {
            for (std::size_t rank = 0; rank < size; ++rank) {
                problem const at{rank, size, size / 2, cut};
                laws::check_same(collective::broadcast{}, round_optimal{}, reverse(round_optimal{}), at);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(names_the_broadcast_itself_to_a_caller_of_broadcast) {
    using chosen = decltype(algorithm_for(collective::broadcast{}, round_optimal{}));
    static_assert(std::same_as<std::remove_const_t<chosen>, round_optimal>);
    static_assert(facts_of<collective::reduce, round_optimal>.requires_commutative);
    static_assert(!facts_of<collective::broadcast, round_optimal>.requires_commutative);
}

BOOST_AUTO_TEST_CASE(an_all_reduce_broadcasts_blocks_while_others_are_reduced) {
    for (std::size_t size : {2U, 5U, 16U, 33U}) {
        auto const all = verify(collective::all_reduce{}, then(round_optimal{}, reverse(round_optimal{})), size, 0,
                                equal_segments(10));
        BOOST_TEST(all.rounds == 9 + 2 * doublings(size));
    }
}

BOOST_AUTO_TEST_CASE(schedules_of_too_many_steps_to_store_are_read_from_either_end) {
    std::size_t const blocks = 1'000'000'000'000;
    std::size_t const size = 1'000'000;
    auto const cut = equal_segments(blocks);
    auto const steps = generate(collective::reduce{}, round_optimal{}, problem{123'456, size, 5, cut});
    BOOST_TEST(steps.rounds() == blocks - 1 + 20);
    auto const first = ranges::to<std::vector>(steps | ranges::views::take(3));
    BOOST_TEST(first.front().round == 0U);
    auto const last = ranges::to<std::vector>(ranges::views::reverse(steps) | ranges::views::take(1)).front();
    BOOST_TEST((last.what == action::send));
    BOOST_TEST(last.round < steps.rounds());
    BOOST_TEST(last.blocks.begin()->first >= blocks - 40);
}

BOOST_AUTO_TEST_CASE(cuts_into_the_segments_it_is_given) {
    BOOST_TEST(blocks_for(round_optimal{.segments = 12}, 4, 1) == 12U);
    BOOST_TEST(blocks_for(round_optimal{}, 4, 100 * 128 * 1024) == 100U);
    BOOST_TEST((round_optimal{} != round_optimal{.segments = 1}));
}

BOOST_AUTO_TEST_CASE(every_rank_gets_its_part) {
    laws::check_schedules(collective::reduce_scatter{}, round_optimal{});
    laws::check_schedules(collective::all_gather{}, reverse(round_optimal{}));
    laws::check_lengths(collective::reduce_scatter{}, round_optimal{});
    laws::check_lengths(collective::all_gather{}, reverse(round_optimal{}));
    laws::check_lengths(collective::reduce_scatter{}, round_optimal{.segments = 3}, {1, 2, 3, 5, 8, 13, 24, 33, 64});
    laws::check_lengths(collective::all_gather{}, reverse(round_optimal{.segments = 5}), {1, 2, 4, 7, 12, 17, 31});
}

BOOST_AUTO_TEST_CASE(rounds_volume_and_messages_keep_their_bounds_for_any_counts) {
    for (std::size_t size = 1; size <= 66; size += size < 20 ? 1 : 7) {
        for (auto const& owned : shapes(size)) {
            auto const all = std::accumulate(owned.begin(), owned.end(), std::size_t{0});
            for (std::size_t const pieces : {1U, 2U, 3U, 8U, 13U}) {
                auto const cut = ownership::cut(owned, pieces);
                auto const cost = verify(collective::reduce_scatter{}, round_optimal{}, size, 0, cut);
                BOOST_TEST(cost.ok, cost.reason);
                auto const rounds = size == 1 ? 0 : pieces - 1 + doublings(size);
                cost::check(cost, cost::rounds == rounds, cost::max_messages_sent <= rounds,
                            cost::volume == all * (size - 1), cost::combines == all * (size - 1));
                BOOST_TEST(verify(collective::all_gather{}, reverse(round_optimal{}), size, 0, cut).reason == "");
                std::size_t longest = 0;
                for (auto const count : owned) { longest += (count + pieces - 1) / pieces; }
                for (std::size_t rank = 0; rank < size; ++rank) {
                    std::size_t sent = 0;
                    for (auto const& each :
                         generate(collective::reduce_scatter{}, round_optimal{}, problem{rank, size, 0, cut})) {
                        auto const elements = elements_of(each, cut);
                        BOOST_TEST(elements <= longest);
                        if (each.what == action::send) { sent += elements; }
                    }
                    BOOST_TEST(sent == all - owned[rank]);
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(one_block_for_each_of_equal_parts_costs_what_circulant_does) {
    for (std::size_t size = 1; size <= 64; ++size) {
        auto const cut = partition::equal(3 * size, size);
        BOOST_TEST(sent(round_optimal{}, cut, size) == sent(circulant{}, cut, size), boost::test_tools::per_element());
        auto const cost = verify(collective::reduce_scatter{}, round_optimal{}, size, 0, cut);
        auto const other = verify(collective::reduce_scatter{}, circulant{}, size, 0, cut);
        cost::check(cost, cost::rounds == other.rounds, cost::messages == other.messages,
                    cost::max_volume_sent == other.max_volume_sent,
                    cost::max_volume_received == other.max_volume_received, cost::max_combines == other.max_combines);
    }
}

BOOST_AUTO_TEST_CASE(a_single_large_part_takes_the_time_of_a_pipelined_reduction) {
    std::size_t const pieces = 20;
    for (std::size_t const size : {2U, 5U, 16U, 33U}) {
        counts owned(size, 0);
        owned[1] = 400;
        auto const cost = cost_model::linear(4, 1, 0.5);
        auto const scattered =
            simulate(collective::reduce_scatter{}, round_optimal{}, size, 0, ownership::cut(owned, pieces), cost);
        auto const reduced =
            simulate(collective::reduce{}, round_optimal{}, size, 1, partition::equal(400, pieces), cost);
        auto const unsegmented =
            simulate(collective::reduce_scatter{}, circulant{}, size, 0, ownership::cut(owned, 1), cost);
        BOOST_TEST(scattered.makespan() == reduced.makespan());
        if (doublings(size) > 2) { BOOST_TEST(2 * scattered.makespan() < unsegmented.makespan()); }
    }
}

BOOST_AUTO_TEST_CASE(a_reduce_scatter_worked_out_by_hand) {
    auto const cut = partition::equal(6, 6);
    auto const result = buffer::result();
    auto const two = [](std::size_t first) { return block_list{block_range{first, first + 2}}; };
    std::vector<step> const expected{
        step::send(0, 1, result, two(3)), step::receive_combine(0, 2, result, two(1), side::left),
        step::send(1, 2, result, 5),      step::receive_combine(1, 1, result, 1, side::left),
        step::send(2, 1, result, 2),      step::receive_combine(2, 2, result, 0, side::left),
    };
    auto const steps = generate(collective::reduce_scatter{}, round_optimal{}, problem{0, 3, 0, cut});
    BOOST_TEST((ranges::to<std::vector>(steps) == expected));
    auto const held = bracketings(collective::reduce_scatter{}, round_optimal{}, 3, 0, cut, 0);
    BOOST_TEST(held[0] == "((1+2)+0)");
    BOOST_TEST(held[1] == "(1+(2+0))");
}

BOOST_AUTO_TEST_CASE(a_message_lists_no_block_that_holds_nothing) {
    auto const cut = ownership::cut(counts{0, 0, 9, 0, 0, 1, 0}, 4);
    for (std::size_t rank = 0; rank < 7; ++rank) {
        for (auto const& each : generate(collective::reduce_scatter{}, round_optimal{}, problem{rank, 7, 0, cut})) {
            for (auto const& range : each.blocks) {
                for (auto block = range.first; block < range.last; ++block) { BOOST_TEST(cut.size(block) != 0U); }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(short_vectors_are_not_cut_and_many_ranks_keep_their_pieces_long) {
    std::size_t const KiB = 1024;
    auto const pieces = [](std::size_t size, std::size_t bytes) {
        return blocks_for(collective::reduce_scatter{}, round_optimal{}, size, bytes) / size;
    };
    BOOST_TEST(pieces(8, 0) == 1U);
    BOOST_TEST(pieces(8, 255 * KiB) == 1U);
    BOOST_TEST(pieces(8, 1280 * KiB) == 10U);
    BOOST_TEST(pieces(128, 1280 * KiB) == 10U);
    BOOST_TEST(pieces(1280, 12'800 * KiB) == 10U);
    BOOST_TEST(blocks_for(collective::reduce_scatter{}, round_optimal{.segments = 6}, 5, 1) == 30U);
    BOOST_TEST(blocks_for(collective::all_gather{}, reverse(round_optimal{.segments = 6}), 5, 1) == 30U);
    BOOST_TEST(blocks_for(collective::reduce{}, round_optimal{.segments = 6}, 5, 1) == 6U);
}

BOOST_AUTO_TEST_SUITE_END()
