// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <range/v3/range/conversion.hpp>

#include <laws/schedule_laws.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/round_optimal.hpp>

BOOST_AUTO_TEST_SUITE(generator_round_optimal_reduce_scatter)

using namespace tutti;
using namespace tutti::analysis;

namespace {

using counts = std::vector<std::size_t>;

std::size_t doublings(std::size_t size) { return static_cast<std::size_t>(std::bit_width(size - 1)); }

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
                BOOST_TEST(cost.rounds == rounds);
                BOOST_TEST(cost.max_messages_sent <= rounds);
                BOOST_TEST(cost.volume == all * (size - 1));
                BOOST_TEST(cost.combines == all * (size - 1));
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
        BOOST_TEST(cost.rounds == other.rounds);
        BOOST_TEST(cost.messages == other.messages);
        BOOST_TEST(cost.max_volume_sent == other.max_volume_sent);
        BOOST_TEST(cost.max_volume_received == other.max_volume_received);
        BOOST_TEST(cost.max_combines == other.max_combines);
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

BOOST_AUTO_TEST_CASE(a_schedule_worked_out_by_hand) {
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
