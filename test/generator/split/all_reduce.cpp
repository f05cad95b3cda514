// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <bit>
#include <cstddef>
#include <string>
#include <vector>

#include <range/v3/algorithm/equal.hpp>

#include <laws/schedule_laws.hpp>
#include <support/rank_traffic.hpp>
#include <tutti/generator/recursive_doubling.hpp>
#include <tutti/generator/split.hpp>

BOOST_AUTO_TEST_SUITE(generator_split_all_reduce)

using namespace tutti;
using boost::test_tools::per_element;

namespace {

constexpr collective::all_reduce all_reduce;
using counts = std::vector<std::size_t>;

}  // namespace

BOOST_AUTO_TEST_CASE(gives_every_rank_the_same_result_in_rank_order) {
    laws::check_schedules(all_reduce, split{});
    laws::check_lengths(all_reduce, split{});
}

BOOST_AUTO_TEST_CASE(halves_as_often_as_told_and_places_as_told) {
    std::vector<std::size_t> const sizes{1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 16, 23, 33};
    for (std::size_t h = 0; h <= 6; ++h) {
        for (auto const placement : {split::automatic, split::beside, split::folded}) {
            split const told{.halvings = h, .placement = placement};
            laws::check_schedules(all_reduce, told, sizes);
            laws::check_lengths(all_reduce, told, sizes);
        }
    }
    for (auto const placement : {split::beside, split::folded}) {
        laws::check_schedules(all_reduce, split{.placement = placement}, sizes);
    }
}

BOOST_AUTO_TEST_CASE(counts_of_four_and_five_ranks) {
    auto const four = support::traffic_of(all_reduce, split{.halvings = 2}, 4, partition::equal(8, 4));
    BOOST_TEST(four.sends == counts(4, 4), per_element());
    BOOST_TEST(four.sent == counts(4, 12), per_element());
    BOOST_TEST(four.combined == counts(4, 6), per_element());
    auto const five = support::traffic_of(all_reduce, split{.halvings = 3}, 5, partition::equal(16, 8));
    BOOST_TEST(five.sends == (counts{6, 6, 6, 6, 4}), per_element());
    BOOST_TEST(five.sent == (counts{28, 28, 24, 24, 24}), per_element());
}

BOOST_AUTO_TEST_CASE(costs_what_is_published_for_powers_of_two) {
    for (std::size_t d = 0; d <= 6; ++d) {
        auto const size = std::size_t{1} << d;
        for (std::size_t h = 0; h <= d; ++h) {
            auto const piece = std::size_t{1} << (d - h);  // of m = p elements
            auto const cost =
                verify(all_reduce, split{.halvings = h}, size, 0, partition::equal(size, std::size_t{1} << h));
            BOOST_TEST(cost.rounds == d + h);
            BOOST_TEST(cost.rounds_used == d + h);
            BOOST_TEST(cost.max_messages_sent == d + h);
            BOOST_TEST(cost.messages == (d + h) * size);
            BOOST_TEST(cost.max_volume_sent == 2 * (size - piece) + (d - h) * piece);
            BOOST_TEST(cost.max_volume_received == cost.max_volume_sent);
            BOOST_TEST(cost.max_combines == size - piece + (d - h) * piece);
        }
    }
}

BOOST_AUTO_TEST_CASE(beside_their_owners_leaves_move_no_more_than_with_a_power_of_two) {
    for (std::size_t size = 3; size <= 64; ++size) {
        if (std::has_single_bit(size)) { continue; }
        auto const blocks = std::bit_ceil(size);
        auto const d = static_cast<std::size_t>(std::bit_width(size));
        auto const cost = verify(all_reduce, split{.halvings = d}, size, 0, partition::equal(blocks, blocks));
        BOOST_TEST(cost.rounds == 2 * d);
        BOOST_TEST(cost.max_volume_sent <= 2 * (blocks - 1));
        BOOST_TEST(cost.max_volume_received <= 2 * (blocks - 1));
        BOOST_TEST(cost.max_combines <= blocks - 1);
    }
}

BOOST_AUTO_TEST_CASE(without_halvings_it_is_recursive_doubling_and_with_all_a_butterfly) {
    for (std::size_t size = 1; size <= 20; ++size) {
        for (auto const& cut : {partition::equal(64, 16), partition::equal(3, 1)}) {
            for (std::size_t rank = 0; rank < size; ++rank) {
                problem const at{rank, size, 0, cut};
                auto const direct = generate(all_reduce, split{.halvings = 0}, at);
                auto const doubled = generate(all_reduce, recursive_doubling{}, at);
                BOOST_TEST(ranges::equal(direct, doubled));
                BOOST_TEST(direct.rounds() == doubled.rounds());
                auto const full = generate(all_reduce, split{.halvings = 64, .placement = split::folded}, at);
                auto const halved = generate(all_reduce, butterfly{}, at);
                BOOST_TEST(ranges::equal(full, halved));
                BOOST_TEST(full.rounds() == halved.rounds());
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(halves_while_it_pays) {
    auto const blocks = [](std::size_t size, std::size_t latencies) {
        return blocks_for(all_reduce, split{}, size, latencies * split::bytes_per_latency);
    };
    BOOST_TEST(blocks_for(all_reduce, split{}, 16, 8) == 1U);
    BOOST_TEST(blocks_for(all_reduce, split{}, 1, 1 << 30) == 1U);
    BOOST_TEST(blocks_for(all_reduce, split{}, 2, 1 << 30) == 1U);
    // m (d-h-1) / 2^(h+1) > α/β for d = 4 from 2/3, 2 and 8 on
    BOOST_TEST(blocks(16, 1) == 2U);
    BOOST_TEST(blocks(16, 2) == 2U);
    BOOST_TEST(blocks(16, 3) == 4U);
    BOOST_TEST(blocks(16, 8) == 4U);
    BOOST_TEST(blocks(16, 9) == 8U);
    BOOST_TEST(blocks(16, 100000) == 8U);  // the last halving never pays
    BOOST_TEST(blocks_for(all_reduce, split{.halvings = 9}, 16, 8) == 16U);
    BOOST_TEST(blocks_for(all_reduce, split{.halvings = 2}, 16, 1 << 30) == 4U);
    BOOST_TEST(blocks_for(all_reduce, split{.halvings = 9, .placement = split::folded}, 13, 8) == 8U);
    BOOST_TEST(blocks_for(all_reduce, split{.placement = split::beside}, 13, 8) == 2U);
}

BOOST_AUTO_TEST_CASE(what_is_chosen_is_carried_out) {
    for (std::size_t const size : {2U, 7U, 16U, 33U, 64U}) {
        auto const d = static_cast<std::size_t>(std::bit_width(size - 1));
        for (auto bytes = std::size_t{1}; bytes < (std::size_t{1} << 30); bytes *= 8) {
            auto const blocks = blocks_for(all_reduce, split{}, size, bytes);
            auto const halvings = static_cast<std::size_t>(std::bit_width(blocks)) - 1;
            auto const cut = partition::equal(2 * blocks, blocks);
            auto const rounds = generate(all_reduce, split{}, problem{0, size, 0, cut}).rounds();
            // if nothing is halved, pairs fold and need a round to come back
            BOOST_TEST(rounds == d + halvings + (halvings == 0 && !std::has_single_bit(size) ? 1 : 0));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
