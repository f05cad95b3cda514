// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <bit>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include <range/v3/range/conversion.hpp>

#include <laws/scan_laws.hpp>
#include <laws/schedule_laws.hpp>
#include <support/rank_traffic.hpp>
#include <support/scan_counts.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/recursive_doubling.hpp>
#include <tutti/generator/split.hpp>

namespace tutti::generators {

/// What `split` does among more ranks than it lists parts of.
struct returning_split {
    friend bool operator==(returning_split const&, returning_split const&) = default;
};

constexpr facts describe(collective::reduce_scatter, std::type_identity<returning_split>) {
    return {.name = "returning_split", .one_ported = false, .keeps_round_order = true};
}
constexpr std::size_t blocks_for(collective::reduce_scatter, returning_split const&, std::size_t size,
                                 std::size_t /*bytes*/) {
    return size;
}
inline lazy_schedule generate(collective::reduce_scatter, returning_split const&, problem const& at) {
    return split_and_return_parts(at);
}

}  // namespace tutti::generators

BOOST_AUTO_TEST_SUITE(generator_split)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::schedules;
using boost::test_tools::per_element;
using scans::both;
using scans::exclusive;
using scans::inclusive;
using support::traffic_of;

namespace {

constexpr collective::reduce_scatter reduce_scatter;
auto const result = buffer::result();

std::vector<step> steps_of(std::size_t rank, std::size_t size, partition const& cut) {
    return ranges::to<std::vector>(generate(reduce_scatter, split{}, problem{rank, size, 0, cut}));
}

block_list blocks_of(std::vector<std::size_t> const& blocks) {
    block_list all;
    for (auto const block : blocks) { all.append({block, block + 1}); }
    return all;
}

constexpr collective::all_reduce all_reduce;
auto const prefix = buffer::prefix();

using counts = std::vector<std::size_t>;

template <class Collective>
std::vector<step> steps_of(Collective which, std::size_t halvings, std::size_t rank, std::size_t size,
                           partition const& cut) {
    return ranges::to<std::vector>(generate(which, split{.halvings = halvings}, problem{rank, size, 0, cut}));
}

template <class Collective>
void check_parameters(Collective which) {
    laws::check_cuts_and_lengths(which, split{});
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

BOOST_AUTO_TEST_CASE(every_rank_gets_its_part_in_rank_order) {
    laws::check_schedules(reduce_scatter, split{});
    laws::check_lengths(reduce_scatter, split{});
    std::vector<partition> own_counts{partition::of_sizes(std::vector<std::size_t>{3, 0, 5, 1, 0, 40, 2})};
    laws::check_schedules(reduce_scatter, split{}, {7}, own_counts);
}

BOOST_AUTO_TEST_CASE(among_many_ranks_parts_go_to_their_owners_in_the_end) {
    laws::check_schedules(reduce_scatter, generators::returning_split{});
    laws::check_lengths(reduce_scatter, generators::returning_split{});
    laws::check_schedules(collective::all_gather{}, reverse(generators::returning_split{}));
    std::vector<partition> own_counts{partition::of_sizes(std::vector<std::size_t>{3, 0, 5, 1, 0, 40, 2})};
    laws::check_schedules(reduce_scatter, generators::returning_split{}, {7}, own_counts);
    // each end of every message names the same blocks, also where only a few ranks are looked at
    constexpr std::size_t size = 1'000'003;
    auto const cut = partition::equal(size, size);
    std::size_t ranges = 0;
    for (step const& each : generate(reduce_scatter, split{}, problem{size / 2, size, 0, cut})) {
        if (each.what != action::send) { continue; }
        ranges += each.blocks.ranges();
        bool found = false;
        for (step const& other : generate(reduce_scatter, split{}, problem{each.peer, size, 0, cut})) {
            found |=
                other.receives() && other.peer == size / 2 && other.round == each.round && other.blocks == each.blocks;
        }
        BOOST_TEST(found);
    }
    BOOST_TEST(ranges <= 44U);
}

BOOST_AUTO_TEST_CASE(gives_an_all_gather_and_an_all_reduce) {
    laws::check_schedules(collective::all_gather{}, reverse(split{}));
    laws::check_lengths(collective::all_gather{}, reverse(split{}));
    laws::check_schedules(collective::all_reduce{}, then(split{}, reverse(split{})), {1, 2, 5, 8, 13, 31});
}

BOOST_AUTO_TEST_CASE(every_second_part_is_kept_then_every_fourth) {
    auto const cut = partition::equal(8, 8);
    BOOST_TEST((steps_of(5, 8, cut) ==
                std::vector<step>{step::send(0, 4, result, blocks_of({0, 2, 4, 6})),
                                  step::receive_combine(0, 4, result, blocks_of({1, 3, 5, 7}), side::left),
                                  step::send(1, 7, result, blocks_of({3, 7})),
                                  step::receive_combine(1, 7, result, blocks_of({1, 5}), side::right),
                                  step::send(2, 1, result, 1), step::receive_combine(2, 1, result, 5, side::left)}));
}

BOOST_AUTO_TEST_CASE(a_rank_behind_the_pairs_works_for_two) {
    auto const cut = partition::equal(3, 3);
    BOOST_TEST((steps_of(0, 3, cut) == std::vector<step>{step::send(0, 1, result, block_range{1, 3}),
                                                         step::receive_combine(0, 1, result, 0, side::right),
                                                         step::receive_combine(1, 2, result, 0, side::right)}));
    BOOST_TEST((steps_of(2, 3, cut) == std::vector<step>{step::send(1, 0, result, 0), step::send(1, 1, result, 1),
                                                         step::receive_combine(1, 1, result, 2, side::left)}));
}

BOOST_AUTO_TEST_CASE(neighbours_combine_first) {
    auto const seven = bracketings(reduce_scatter, split{}, 7, 0, partition::equal(7, 7), 3);
    BOOST_TEST(seven[3] == "(((0+1)+(2+3))+((4+5)+6))");
}

BOOST_AUTO_TEST_CASE(rounds_and_volume_are_the_least) {
    for (std::size_t size = 1; size <= 130; ++size) {
        auto const cut = partition::equal(3 * size, size);
        auto const cost = verify(reduce_scatter, split{}, size, 0, cut);
        auto const others = 3 * (size - 1);
        cost::check(cost, cost::rounds == static_cast<std::size_t>(std::bit_width(size - 1)),
                    cost::rounds_used == cost::rounds);
        // what a rank does not keep it sends once
        auto const each = support::traffic_of(reduce_scatter, split{}, size, cut);
        BOOST_TEST(each.sent == std::vector<std::size_t>(size, others), per_element());
        BOOST_TEST(cost.combines == size * others);
        if (std::has_single_bit(size)) {
            cost::check(cost, cost::max_messages_sent == cost::rounds, cost::max_volume_received == others,
                        cost::max_combines == others);
        } else {
            BOOST_TEST(2 * cost.max_combines <= 3 * others);
            BOOST_TEST(cost.max_messages_sent < 2 * cost.rounds);
        }
    }
}

BOOST_AUTO_TEST_CASE(wants_a_block_for_every_rank_whatever_the_parameters) {
    BOOST_TEST(blocks_for(reduce_scatter, split{}, 13, 8) == 13U);
    BOOST_TEST(blocks_for(reduce_scatter, split{.halvings = 1}, 13, 8) == 13U);
    laws::check_lengths(reduce_scatter, split{.halvings = 1, .placement = split::folded}, {5, 8});
}

BOOST_AUTO_TEST_CASE(gives_every_rank_the_same_result_in_rank_order) {
    laws::check_cuts_and_lengths(all_reduce, split{});
}

BOOST_AUTO_TEST_CASE(halves_as_often_as_told_and_places_as_told) { check_parameters(all_reduce); }

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
            cost::check(all_reduce, split{.halvings = h}, size, 0, partition::equal(size, std::size_t{1} << h),
                        cost::rounds == d + h, cost::rounds_used == d + h, cost::max_messages_sent == d + h,
                        cost::messages == (d + h) * size, cost::max_volume_sent == 2 * (size - piece) + (d - h) * piece,
                        cost::max_volume_received == cost::max_volume_sent,
                        cost::max_combines == size - piece + (d - h) * piece);
        }
    }
}

BOOST_AUTO_TEST_CASE(beside_their_owners_leaves_move_no_more_than_with_a_power_of_two) {
    for (std::size_t size = 3; size <= 64; ++size) {
        if (std::has_single_bit(size)) { continue; }
        auto const blocks = std::bit_ceil(size);
        auto const d = static_cast<std::size_t>(std::bit_width(size));
        cost::check(all_reduce, split{.halvings = d}, size, 0, partition::equal(blocks, blocks), cost::rounds == 2 * d,
                    cost::max_volume_sent <= 2 * (blocks - 1), cost::max_volume_received <= 2 * (blocks - 1),
                    cost::max_combines <= blocks - 1);
    }
}

BOOST_AUTO_TEST_CASE(without_halvings_it_is_recursive_doubling_and_with_all_a_butterfly) {
    for (std::size_t size = 1; size <= 20; ++size) {
        for (auto const& cut : {partition::equal(64, 16), partition::equal(3, 1)}) {
            for (std::size_t rank = 0; rank < size; ++rank) {
                problem const at{rank, size, 0, cut};
                laws::check_same(all_reduce, split{.halvings = 0}, recursive_doubling{}, at);
                laws::check_same(all_reduce, split{.halvings = 64, .placement = split::folded}, butterfly{}, at);
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

BOOST_AUTO_TEST_CASE(gives_prefixes_in_rank_order) { check_parameters(exclusive); }
BOOST_AUTO_TEST_CASE(gives_inclusive_prefixes_in_rank_order) { check_parameters(inclusive); }
BOOST_AUTO_TEST_CASE(gives_prefixes_and_total_in_rank_order) { check_parameters(both); }

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
                                  step::receive(1, 0, scratch(1), 1), step::combine(1, scratch(1), scratch(0), 1, left),
                                  step::receive(2, 0, prefix, 0), step::combine(2, scratch(1), prefix, 1, side::right),
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
    auto const beside =
        traffic_of(exclusive, split{.halvings = 3, .placement = split::beside}, 5, partition::equal(16, 8));
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
        cost::check(exclusive, split{.halvings = d}, size, 0, partition::equal(blocks, blocks), cost::rounds == 2 * d,
                    cost::max_messages_sent == beside, cost::max_volume_sent == sent_beside);
        auto const half = blocks / 2;
        cost::check(exclusive, split{.halvings = d - 1, .placement = split::folded}, size, 0,
                    partition::equal(half, half), cost::rounds == 2 * d, cost::max_messages_sent == folded,
                    cost::max_volume_sent == sent_folded);
    }
}

BOOST_AUTO_TEST_CASE(scans_cost_what_is_published_for_powers_of_two) {
    for (std::size_t d = 0; d <= 6; ++d) {
        auto const size = std::size_t{1} << d;
        for (std::size_t h = 0; h <= d; ++h) {
            auto const piece = std::size_t{1} << (d - h);  // of m = p elements
            auto const cut = partition::equal(size, std::size_t{1} << h);
            auto const most_combined = 2 * (size - piece) + 2 * (d - h) * piece;
            auto const one = cost::check(exclusive, split{.halvings = h}, size, 0, cut, cost::rounds == d + h,
                                         cost::rounds_used == d + h, cost::max_messages_sent == d + h,
                                         cost::max_volume_sent == 2 * (size - piece) + (d - h) * piece);
            // the last rank's first prefix is no combine, but a copy
            BOOST_TEST(one.max_combines == (d == 0 ? 0 : most_combined - piece));
            cost::check(
                both, split{.halvings = h}, size, 0, cut, cost::rounds == d + h, cost::max_messages_sent == d + 2 * h,
                cost::max_volume_sent == 3 * (size - piece) + (d - h) * piece, cost::max_combines == one.max_combines);
            cost::check(inclusive, split{.halvings = h}, size, 0, cut, cost::rounds == one.rounds,
                        cost::messages == one.messages, cost::volume == one.volume,
                        cost::max_combines <= one.max_combines + size);
        }
    }
}

BOOST_AUTO_TEST_CASE(halves_scans_while_it_pays) {
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
