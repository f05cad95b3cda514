// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <bit>
#include <cstddef>
#include <string>
#include <vector>

#include <range/v3/range/conversion.hpp>

#include <laws/scan_laws.hpp>
#include <laws/schedule_laws.hpp>
#include <support/rank_traffic.hpp>
#include <support/scan_counts.hpp>
#include <tutti/generator/split.hpp>

BOOST_AUTO_TEST_SUITE(generator_split_scan)

using namespace tutti;
using namespace tutti::analysis;
using boost::test_tools::per_element;
using scans::both;
using scans::exclusive;
using scans::inclusive;
using support::traffic_of;

namespace {

auto const result = buffer::result();
auto const prefix = buffer::prefix();

using counts = std::vector<std::size_t>;

template <class Collective>
std::vector<step> steps_of(Collective which, std::size_t halvings, std::size_t rank, std::size_t size,
                           partition const& cut) {
    return ranges::to<std::vector>(generate(which, split{.halvings = halvings}, problem{rank, size, 0, cut}));
}

template <class Collective>
void check_parameters(Collective which) {
    std::vector<std::size_t> const sizes{1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 16, 23, 33};
    for (std::size_t h = 0; h <= 6; ++h) {
        for (auto const placement : {split::automatic, split::beside, split::folded}) {
            laws::check_schedules(which, split{.halvings = h, .placement = placement}, sizes);
            laws::check_lengths(which, split{.halvings = h, .placement = placement}, sizes);
        }
    }
    for (auto const placement : {split::beside, split::folded}) {
        laws::check_schedules(which, split{.placement = placement}, sizes);
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(gives_prefixes_in_rank_order) {
    laws::check_cuts_and_lengths(exclusive, split{});
    check_parameters(exclusive);
}

BOOST_AUTO_TEST_CASE(gives_inclusive_prefixes_in_rank_order) {
    laws::check_cuts_and_lengths(inclusive, split{});
    check_parameters(inclusive);
}

BOOST_AUTO_TEST_CASE(gives_prefixes_and_total_in_rank_order) {
    laws::check_cuts_and_lengths(both, split{});
    check_parameters(both);
}

BOOST_AUTO_TEST_CASE(letters_of_five_ranks) {
    for (auto const placement : {split::beside, split::folded}) {
        laws::check_concatenation(split{.halvings = 2, .placement = placement}, 5);
    }
}

BOOST_AUTO_TEST_CASE(all_ranks_have_the_same_bits_of_the_total) {
    for (std::size_t size = 1; size <= 20; ++size) {
        for (std::size_t h = 0; h <= 5; ++h) {
            auto const cut = partition::equal(8, 8);
            auto const first = bracketings(both, split{.halvings = h}, size, 0, cut, 0);
            for (std::size_t rank = 0; rank < size; ++rank) {
                BOOST_TEST(bracketings(both, split{.halvings = h}, size, 0, cut, rank) == first, per_element());
            }
            BOOST_TEST(first == std::vector<std::string>(8, first.front()), per_element());
        }
    }
}

BOOST_AUTO_TEST_CASE(the_lower_product_stays_and_the_upper_one_takes_the_sum) {
    auto const cut = partition::equal(4, 4);
    auto const left = side::left;
    auto const scratch = [](std::uint32_t which) { return buffer::scratch(which); };
    block_range const low{0, 2};
    block_range const high{2, 4};
    // rank 2 of 4: below in the first level, above in the second
    BOOST_TEST((steps_of(exclusive, 2, 2, 4, cut) ==
                std::vector<step>{step::send(0, 3, result, high), step::receive(0, 3, scratch(0), low),
                                  step::combine(0, result, scratch(0), low, left), step::send(1, 0, scratch(0), 0),
                                  step::receive(1, 0, scratch(1), 1),
                                  step::combine(1, scratch(1), scratch(0), 1, left),
                                  step::receive(2, 0, prefix, 0),
                                  step::combine(2, scratch(1), prefix, 1, side::right),
                                  step::combine(3, prefix, result, low, left), step::send(3, 3, result, low),
                                  step::receive(3, 3, prefix, high)}));
    // what lies before rank 0 is nothing
    BOOST_TEST((steps_of(exclusive, 1, 0, 2, partition::equal(2, 2)) ==
                std::vector<step>{step::send(0, 1, result, 1), step::receive(0, 1, scratch(0), 0),
                                  step::combine(0, result, scratch(0), 0, left), step::send(1, 1, result, 0)}));
    // where nothing is halved, the prefix grows at once
    BOOST_TEST((steps_of(both, 0, 1, 2, partition::equal(1, 1)) ==
                std::vector<step>{step::send(0, 0, result, 0), step::receive(0, 0, scratch(0), 0),
                                  step::combine(0, scratch(0), prefix, 0, left),
                                  step::combine(0, scratch(0), result, 0, left)}));
}

BOOST_AUTO_TEST_CASE(counts_of_four_ranks) {
    auto const cut = partition::equal(8, 4);
    auto const before = traffic_of(exclusive, split{.halvings = 2}, 4, cut);
    BOOST_TEST(before.sends == (counts{4, 3, 3, 3}), per_element());
    BOOST_TEST(before.sent == (counts{12, 8, 10, 10}), per_element());
    BOOST_TEST(before.combined == (counts{6, 6, 10, 10}), per_element());
    // published are 6 messages and 18 elements: those of ranks with an empty prefix are left out
    auto const all = traffic_of(both, split{.halvings = 2}, 4, cut);
    BOOST_TEST(all.sends == (counts{6, 5, 5, 5}), per_element());
    BOOST_TEST(all.sent == (counts{18, 14, 16, 16}), per_element());
    BOOST_TEST(all.combined == (counts{6, 6, 10, 10}), per_element());
}

BOOST_AUTO_TEST_CASE(counts_of_five_ranks) {
    auto const beside = traffic_of(exclusive, split{.halvings = 3, .placement = split::beside}, 5,
                                   partition::equal(16, 8));
    BOOST_TEST(beside.sends == (counts{6, 5, 4, 4, 3}), per_element());
    BOOST_TEST(beside.sent == (counts{28, 20, 16, 20, 20}), per_element());
    // prefix and total of the folded rank in two messages
    auto const folded = traffic_of(both, split{.halvings = 0, .placement = split::folded}, 5, partition::equal(16, 1));
    BOOST_TEST(folded.sends == (counts{4, 1, 2, 2, 2}), per_element());
    BOOST_TEST(folded.sent == (counts{64, 16, 32, 32, 32}), per_element());
}

BOOST_AUTO_TEST_CASE(short_vectors_are_halved_as_long_as_there_is_something) {
    auto const cost = verify(exclusive, split{.halvings = 1}, 8, 0, partition::equal(2, 2));
    BOOST_TEST(cost.max_messages_sent == 4U);  // log2 (p m)
    BOOST_TEST(cost.max_volume_sent == 4U);    // 2 (m-1) + log2 (p/m)
    BOOST_TEST(traffic_of(exclusive, split{.halvings = 1}, 8, partition::equal(2, 2)).sent ==
                   (counts{4, 3, 4, 4, 4, 4, 4, 4}),
               per_element());
}

BOOST_AUTO_TEST_CASE(the_worst_rank_of_other_sizes) {
    struct row {
        std::size_t size, beside, sent_beside, folded, sent_folded;  // sent: in 1/2^d and 2/2^d of the vector
    };
    for (auto const& [size, beside, sent_beside, folded, sent_folded] :
         {row{5, 6, 14, 5, 10}, row{7, 6, 14, 5, 10}, row{13, 8, 30, 7, 22}, row{31, 14, 62, 9, 46},
          row{33, 12, 126, 11, 94}}) {
        auto const d = static_cast<std::size_t>(std::bit_width(size - 1));
        auto const blocks = std::size_t{1} << d;
        auto const next_to = verify(exclusive, split{.halvings = d}, size, 0, partition::equal(blocks, blocks));
        BOOST_TEST(next_to.rounds == 2 * d);
        BOOST_TEST(next_to.max_messages_sent == beside);
        BOOST_TEST(next_to.max_volume_sent == sent_beside);
        auto const half = blocks / 2;
        auto const fold = verify(exclusive, split{.halvings = d - 1, .placement = split::folded}, size, 0,
                                 partition::equal(half, half));
        BOOST_TEST(fold.rounds == 2 * d);
        BOOST_TEST(fold.max_messages_sent == folded);
        BOOST_TEST(fold.max_volume_sent == sent_folded);
    }
}

BOOST_AUTO_TEST_CASE(costs_what_is_published_for_powers_of_two) {
    for (std::size_t d = 0; d <= 6; ++d) {
        auto const size = std::size_t{1} << d;
        for (std::size_t h = 0; h <= d; ++h) {
            auto const piece = std::size_t{1} << (d - h);  // of m = p elements
            auto const cut = partition::equal(size, std::size_t{1} << h);
            auto const most_combined = 2 * (size - piece) + 2 * (d - h) * piece;
            auto const one = verify(exclusive, split{.halvings = h}, size, 0, cut);
            BOOST_TEST(one.rounds == d + h);
            BOOST_TEST(one.rounds_used == d + h);
            BOOST_TEST(one.max_messages_sent == d + h);
            BOOST_TEST(one.max_volume_sent == 2 * (size - piece) + (d - h) * piece);
            // the last rank's first prefix is no combine, but a copy
            BOOST_TEST(one.max_combines == (d == 0 ? 0 : most_combined - piece));
            auto const two = verify(both, split{.halvings = h}, size, 0, cut);
            BOOST_TEST(two.rounds == d + h);
            BOOST_TEST(two.max_messages_sent == d + 2 * h);
            BOOST_TEST(two.max_volume_sent == 3 * (size - piece) + (d - h) * piece);
            BOOST_TEST(two.max_combines == one.max_combines);
            auto const own = verify(inclusive, split{.halvings = h}, size, 0, cut);
            BOOST_TEST(own.rounds == one.rounds);
            BOOST_TEST(own.messages == one.messages);
            BOOST_TEST(own.volume == one.volume);
            BOOST_TEST(own.max_combines <= one.max_combines + size);
        }
    }
}

BOOST_AUTO_TEST_CASE(halves_while_it_pays) {
    auto const blocks = [](auto which, std::size_t latencies) {
        return blocks_for(which, split{}, 16, latencies * split::bytes_per_latency);
    };
    BOOST_TEST(blocks_for(exclusive, split{}, 16, 1024) == 1U);
    BOOST_TEST(blocks(inclusive, 3) == 4U);
    BOOST_TEST(blocks(exclusive, 9) == 8U);
    // two messages for every halving, which saves less: from 2 and 8 on
    BOOST_TEST(blocks(both, 2) == 1U);
    BOOST_TEST(blocks(both, 3) == 2U);
    BOOST_TEST(blocks(both, 8) == 2U);
    BOOST_TEST(blocks(both, 9) == 4U);
    BOOST_TEST(blocks(both, 1000) == 4U);  // the last two halvings never pay
    BOOST_TEST(blocks_for(both, split{.halvings = 4}, 16, 0) == 16U);
}

BOOST_AUTO_TEST_CASE(left_to_itself_it_halves_as_often_as_there_are_blocks) {
    auto const rounds = [](auto which, std::size_t size, std::size_t blocks) {
        auto const cut = partition::equal(blocks, blocks);
        return generate(which, split{}, problem{0, size, 0, cut}).rounds();
    };
    BOOST_TEST(rounds(exclusive, 16, 1) == 4U);
    BOOST_TEST(rounds(exclusive, 16, 4) == 6U);
    BOOST_TEST(rounds(exclusive, 16, 5) == 7U);
    BOOST_TEST(rounds(exclusive, 16, 64) == 7U);
    BOOST_TEST(rounds(both, 16, 64) == 6U);
    BOOST_TEST(rounds(exclusive, 13, 1) == 5U);
    BOOST_TEST(rounds(exclusive, 13, 2) == 5U);
    BOOST_TEST(rounds(exclusive, 13, 8) == 7U);
}

BOOST_AUTO_TEST_SUITE_END()
