// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <ostream>
#include <vector>

#include <support/expected_times.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/generator/pattern/hypercube.hpp>
#include <tutti/generator/split.hpp>

BOOST_AUTO_TEST_SUITE(generator_pattern_hypercube)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::schedules;
using boost::test_tools::per_element;
using namespace tutti::pricing;

namespace {

std::vector<std::size_t> ranks_of_leaves(std::size_t size) {
    hypercube const all{size};
    std::vector<std::size_t> result;
    for (std::size_t leaf = 0; leaf < all.count(); ++leaf) { result.push_back(all.rank_of(leaf)); }
    return result;
}

tutti::dynamic_array<hypercube_level> levels(std::size_t rank, std::size_t size, hypercube_intervals const& shares) {
    return levels_of(rank, hypercube{size}, shares);
}

block_list two(block_range first, block_range second) {
    block_list result{first};
    result.append(second);
    return result;
}

/// The first block of each of 8 leaves after 3 levels, one block each.
std::vector<std::size_t> last_blocks(std::size_t halvings) {
    hypercube_intervals const shares{std::size_t{1} << halvings, halvings};
    std::vector<std::size_t> result;
    for (std::size_t leaf = 0; leaf < 8; ++leaf) {
        auto const kept = shares.interval(leaf, 3);
        BOOST_TEST(kept.last - kept.first == 1U);
        result.push_back(kept.first);
    }
    return result;
}

/// A message takes 10, and a byte 1.
own_parameters example(std::size_t size, std::size_t bytes, double combine = 0) {
    auto now = on_links(size, bytes, {.latency = 10, .overhead = 0, .gap = 0, .per_byte = 1});
    now.combine_per_byte = combine;
    return now;
}

struct times {
    double reduce_scatter_time, all_gather_time, scan_return_time;
    friend bool operator==(times const&, times const&) = default;
    friend std::ostream& operator<<(std::ostream& out, times const& t) {
        return out << t.reduce_scatter_time << ' ' << t.all_gather_time << ' ' << t.scan_return_time;
    }
};
times of(std::size_t size, std::size_t bytes, std::size_t halvings, double combine = 0) {
    auto const now = example(size, bytes, combine);
    auto const costs = message_costs::combining(now);
    halving_cost const levels{halvings, costs, now};
    return {levels.reduce_scatter_time(), levels.all_gather_time(), levels.scan_return_time()};
}

}  // namespace

BOOST_AUTO_TEST_CASE(of_a_power_of_two_every_rank_is_a_leaf) {
    BOOST_TEST(ranks_of_leaves(1) == (std::vector<std::size_t>{0}), per_element());
    BOOST_TEST(ranks_of_leaves(8) == (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7}), per_element());
    BOOST_TEST((hypercube{8}.of(5) == leaf_range{5, 6}));
    BOOST_TEST(hypercube{8}.is_power_of_two());
}

BOOST_AUTO_TEST_CASE(otherwise_ranks_behind_the_pairs_are_two) {
    BOOST_TEST(ranks_of_leaves(5) == (std::vector<std::size_t>{0, 1, 2, 2, 3, 3, 4, 4}), per_element());
    BOOST_TEST(ranks_of_leaves(7) == (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 6}), per_element());
    BOOST_TEST((hypercube{5}.of(1) == leaf_range{1, 2}));
    BOOST_TEST((hypercube{5}.of(2) == leaf_range{2, 4}));
    BOOST_TEST(!hypercube{5}.is_power_of_two());
}

BOOST_AUTO_TEST_CASE(ranks_lie_in_order_each_on_its_own_leaves) {
    for (std::size_t size = 1; size <= 130; ++size) {
        hypercube const all{size};
        BOOST_TEST(all.levels() == static_cast<std::size_t>(std::bit_width(size - 1)));
        std::size_t next = 0;
        for (std::size_t rank = 0; rank < size; ++rank) {
            auto const own = all.of(rank);
            BOOST_TEST(own.first == next);
            next = own.last;
            BOOST_TEST((own.last - own.first == 1 || (own.last - own.first == 2 && own.first % 2 == 0)));
            for (auto leaf = own.first; leaf < own.last; ++leaf) { BOOST_TEST(all.rank_of(leaf) == rank); }
            BOOST_TEST((own.first <= all.owner(rank) && all.owner(rank) < own.last));
        }
        BOOST_TEST(next == all.count());
    }
}

BOOST_AUTO_TEST_CASE(homes_are_spread_evenly) {
    for (std::size_t size = 3; size <= 130; ++size) {
        hypercube const all{size};
        if (all.is_power_of_two()) { continue; }
        for (std::size_t bits = 1; bits < all.levels(); ++bits) {
            auto const classes = std::size_t{1} << bits;
            std::vector<std::array<int, 2>> homes(classes / 2, {0, 0});
            for (auto rank = 2 * all.fold.pairs; rank < size; ++rank) {
                auto const home = all.owner(rank);
                ++homes[home % classes / 2][home % 2];
            }
            for (auto const& of_class : homes) { BOOST_TEST(std::abs(of_class[0] - of_class[1]) <= 2); }
        }
    }
}

BOOST_AUTO_TEST_CASE(the_first_groups_are_pairs) {
    power_of_two_fold const fold{6};
    BOOST_TEST(fold.groups == 4U);
    BOOST_TEST(fold.pairs == 2U);
    BOOST_TEST(fold.levels() == 2U);
    std::vector<std::size_t> groups;
    for (std::size_t rank = 0; rank < 6; ++rank) { groups.push_back(fold.group_of(rank)); }
    BOOST_TEST(groups == (std::vector<std::size_t>{0, 0, 1, 1, 2, 3}), boost::test_tools::per_element());
    BOOST_TEST((fold.is_paired(3) && !fold.is_paired(4)));
}

BOOST_AUTO_TEST_CASE(the_root_acts_for_its_group_and_the_first_rank_for_others) {
    auto const acting = [](std::size_t root) {
        std::vector<std::size_t> ranks;
        for (std::size_t group = 0; group < 4; ++group) {
            ranks.push_back(power_of_two_fold{6}.representative(group, root));
        }
        return ranks;
    };
    BOOST_TEST(acting(0) == (std::vector<std::size_t>{0, 2, 4, 5}), boost::test_tools::per_element());
    BOOST_TEST(acting(3) == (std::vector<std::size_t>{0, 3, 4, 5}), boost::test_tools::per_element());
    BOOST_TEST(acting(4) == (std::vector<std::size_t>{0, 2, 4, 5}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(groups_are_a_power_of_two_and_lie_in_the_order_of_ranks) {
    for (std::size_t size = 1; size <= 70; ++size) {
        power_of_two_fold const fold{size};
        BOOST_TEST(fold.groups == std::bit_floor(size));
        BOOST_TEST((std::size_t{1} << fold.levels()) == fold.groups);
        std::size_t next = 0;
        for (std::size_t group = 0; group < fold.groups; ++group) {
            BOOST_TEST(fold.representative(group, next) == next);
            for (std::size_t members = group < fold.pairs ? 2 : 1; members != 0; --members) {
                BOOST_TEST(fold.group_of(next++) == group);
            }
        }
        BOOST_TEST(next == size);
    }
}

BOOST_AUTO_TEST_CASE(bit_k_of_a_group_tells_which_half_it_keeps_in_round_k) {
    halving const part{6, 8};
    BOOST_TEST((part.kept(0) == block_range{0, 8}));
    BOOST_TEST((part.kept(1) == block_range{0, 4}));
    BOOST_TEST((part.kept(2) == block_range{2, 4}));
    BOOST_TEST((part.kept(3) == block_range{3, 4}));
    BOOST_TEST((part.given(0) == block_range{4, 8}));
    BOOST_TEST((part.given(1) == block_range{0, 2}));
    BOOST_TEST((part.given(2) == block_range{2, 3}));
    BOOST_TEST(halving::partner(6, 0) == 7U);
    BOOST_TEST(halving::partner(6, 2) == 2U);
}

BOOST_AUTO_TEST_CASE(the_first_half_of_an_odd_count_is_the_larger_one) {
    BOOST_TEST((halving{0, 5}.kept(1) == block_range{0, 3}));
    BOOST_TEST((halving{1, 5}.kept(1) == block_range{3, 5}));
    BOOST_TEST((halving{0, 1}.kept(3) == block_range{0, 1}));
    BOOST_TEST((halving{0, 1}.given(0) == block_range{1, 1}));
}

BOOST_AUTO_TEST_CASE(partners_share_what_they_held_together) {
    for (std::size_t blocks = 0; blocks <= 20; ++blocks) {
        for (std::size_t group = 0; group < 16; ++group) {
            halving const own{group, blocks};
            for (std::size_t round = 0; round < 4; ++round) {
                auto const peer = halving::partner(group, round);
                halving const other{peer, blocks};
                auto const held = own.kept(round);
                BOOST_TEST((other.kept(round) == held));
                BOOST_TEST((own.given(round) == other.kept(round + 1)));
                BOOST_TEST((other.given(round) == own.kept(round + 1)));
                auto const& first = group < peer ? own.kept(round + 1) : other.kept(round + 1);
                auto const& second = group < peer ? other.kept(round + 1) : own.kept(round + 1);
                BOOST_TEST((first.first == held.first && first.last == second.first && second.last == held.last));
                BOOST_TEST((first.last - first.first == (held.last - held.first + 1) / 2));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(in_the_end_groups_hold_all_blocks_between_them) {
    for (std::size_t blocks : {0U, 1U, 5U, 8U, 37U}) {
        std::vector<std::size_t> holders(blocks, 0);
        for (std::size_t group = 0; group < 8; ++group) {
            auto const held = halving{group, blocks}.kept(3);
            for (auto block = held.first; block < held.last; ++block) { ++holders[block]; }
        }
        BOOST_TEST(holders == std::vector<std::size_t>(blocks, 1), boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(a_leaf_meets_one_partner_in_each_level) {
    auto const of_two = levels(2, 4, {4, 2});
    BOOST_TEST_REQUIRE(of_two.size() == 2U);
    BOOST_TEST((!of_two[0].upper && of_two[1].upper));
    BOOST_TEST((of_two[0].exchanges == tutti::dynamic_array<leaf_exchange>{{3, block_range{0, 2}, block_range{2, 4}}}));
    BOOST_TEST((of_two[1].exchanges == tutti::dynamic_array<leaf_exchange>{{0, 1, 0}}));
    BOOST_TEST(levels(0, 1, {4, 0}).empty());
}

BOOST_AUTO_TEST_CASE(a_rank_of_two_leaves_sends_itself_nothing_and_joins_what_goes_to_one_peer) {
    // the leaves of 5 ranks: 0 1 22 33 44
    auto const of_two = levels(2, 5, {8, 3});
    BOOST_TEST(of_two[0].exchanges.empty());
    BOOST_TEST((of_two[1].exchanges == tutti::dynamic_array<leaf_exchange>{{0, block_range{2, 4}, block_range{0, 2}},
                                                                           {1, block_range{6, 8}, block_range{4, 6}}}));
    BOOST_TEST(
        (of_two[2].exchanges == tutti::dynamic_array<leaf_exchange>{{4, two({2, 3}, {6, 7}), two({3, 4}, {7, 8})}}));
    BOOST_TEST((of_two[1].upper && !of_two[2].upper));
}

BOOST_AUTO_TEST_CASE(both_ends_of_an_exchange_agree) {
    for (std::size_t size = 1; size <= 40; ++size) {
        for (hypercube_intervals const& shares :
             {hypercube_intervals{8, 2}, hypercube_intervals{5, 4}, hypercube_intervals{8, 1, true}}) {
            tutti::dynamic_array<tutti::dynamic_array<hypercube_level>> all;
            for (std::size_t rank = 0; rank < size; ++rank) { all.push_back(levels(rank, size, shares)); }
            for (std::size_t rank = 0; rank < size; ++rank) {
                for (std::size_t k = 0; k < all[rank].size(); ++k) {
                    BOOST_TEST(all[rank][k].exchanges.size() <= 2U);
                    for (auto const& each : all[rank][k].exchanges) {
                        std::size_t found = 0;
                        for (auto const& back : all[each.peer][k].exchanges) {
                            if (back.peer != rank) { continue; }
                            ++found;
                            BOOST_TEST((back.given == each.kept && back.kept == each.given));
                        }
                        BOOST_TEST(found == 1U);
                        BOOST_TEST(all[rank][k].upper == (each.peer < rank));
                        BOOST_TEST(all[rank][k].upper != all[each.peer][k].upper);
                    }
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(what_is_kept_is_combined_on_the_side_of_its_operand) {
    auto const result = buffer::result();
    auto const steps = split_stage(levels(2, 4, {4, 2}));
    BOOST_TEST((steps == tutti::dynamic_array<step>{step::send(0, 3, result, block_range{2, 4}),
                                                    step::receive_combine(0, 3, result, block_range{0, 2}, side::right),
                                                    step::send(1, 0, result, 0),
                                                    step::receive_combine(1, 0, result, 1, side::left)}));
}

BOOST_AUTO_TEST_CASE(a_leaf_ends_with_the_block_of_its_reversed_low_bits) {
    BOOST_TEST(last_blocks(3) == (std::vector<std::size_t>{0, 4, 2, 6, 1, 5, 3, 7}), per_element());
    BOOST_TEST(last_blocks(2) == (std::vector<std::size_t>{0, 2, 1, 3, 0, 2, 1, 3}), per_element());
    BOOST_TEST(last_blocks(0) == std::vector<std::size_t>(8, 0), per_element());
}

BOOST_AUTO_TEST_CASE(partners_share_what_both_had) {
    for (std::size_t blocks = 0; blocks <= 9; ++blocks) {
        for (std::size_t halvings = 0; halvings <= 3; ++halvings) {
            hypercube_intervals const shares{blocks, halvings};
            for (std::size_t leaf = 0; leaf < 8; ++leaf) {
                BOOST_TEST((shares.interval(leaf, 0) == block_range{0, blocks}));
                for (std::size_t k = 0; k < 3; ++k) {
                    auto const before = shares.interval(leaf, k);
                    auto const mine = shares.interval(leaf, k + 1);
                    auto const others = shares.interval(leaf ^ (std::size_t{1} << k), k + 1);
                    BOOST_TEST((before == shares.interval(leaf ^ (std::size_t{1} << k), k)));
                    auto const& low = (leaf >> k & 1) != 0 ? others : mine;
                    auto const& high = (leaf >> k & 1) != 0 ? mine : others;
                    BOOST_TEST(low.first == before.first);
                    BOOST_TEST(high.last == before.last);
                    if (k < halvings) {
                        BOOST_TEST(low.last == high.first);
                        auto const lengths = low.last - low.first - (high.last - high.first);
                        BOOST_TEST(lengths <= 1U);
                    } else {
                        BOOST_TEST((mine == before && others == before));
                    }
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_folded_leaf_leaves_everything_to_its_partner) {
    hypercube_intervals const shares{8, 2, true};
    BOOST_TEST((shares.interval(6, 0) == block_range{0, 8}));
    BOOST_TEST((shares.interval(6, 1) == block_range{0, 8}));
    BOOST_TEST((shares.interval(6, 2) == block_range{4, 8}));
    BOOST_TEST((shares.interval(6, 3) == block_range{4, 8}));
    BOOST_TEST((shares.interval(7, 0) == block_range{0, 8}));
    for (std::size_t level = 1; level <= 3; ++level) { BOOST_TEST((shares.interval(7, level) == block_range{})); }
}

BOOST_AUTO_TEST_CASE(two_leaves_have_two_ranges) {
    hypercube_intervals const shares{8, 3};
    block_list both{block_range{0, 2}};
    both.append({4, 6});
    BOOST_TEST((shares.kept({4, 6}, 2) == both));
    BOOST_TEST((shares.kept({4, 5}, 2) == block_list{block_range{0, 2}}));
}

BOOST_AUTO_TEST_CASE(powers_of_two_halve_and_then_exchange) {
    BOOST_TEST(of(8, 64, 0) == (times{74 + 74 + 74, 0, 0}));
    BOOST_TEST(of(8, 64, 1) == (times{42 + 42 + 42, 42, 42}));
    BOOST_TEST(of(8, 64, 3) == (times{42 + 26 + 18, 42 + 26 + 18, 42 + 26 + 18}));
    BOOST_TEST(of(1, 64, 0) == (times{0, 0, 0}));
}

BOOST_AUTO_TEST_CASE(several_vectors_may_go_back_in_one_message) {
    auto const now = example(8, 64);
    auto const costs = message_costs::combining(now);
    BOOST_TEST((halving_cost{3, costs, now}.all_gather_time(2)) == 10 + 64 + 10 + 32 + 10 + 16);
}

BOOST_AUTO_TEST_CASE(what_goes_back_is_not_combined) {
    BOOST_TEST(of(4, 64, 1, 100) == (times{42 + 3200 + 42 + 3200, 42, 42}));
}

// Ranks 0 and 1 are a leaf each, ranks 2 to 4 two leaves each.
BOOST_AUTO_TEST_CASE(a_pair_at_the_border_comes_first_and_then_what_others_do_for_two) {
    BOOST_TEST(of(5, 64, 1) == (times{42 + 74 + 74, 42, 0}));
    // on the way back the second half has but one level of messages, while the first one is still exchanging
    BOOST_TEST(of(5, 64, 2) == (times{42 + 42 + 42, 42 + 42, 42 + 42 - 32}));
}

// Ranks 0 to 3 are a leaf each, ranks 4 and 5 two leaves each: the halves meet in the last level.
BOOST_AUTO_TEST_CASE(groups_of_one_kind_wait_for_the_slower_one_where_they_meet) {
    BOOST_TEST(of(6, 64, 2) == (times{42 + 26 + 42, 42 + 26, 42}));
    BOOST_TEST(of(6, 64, 3) == (times{42 + 26 + 26, 42 + 26 + 26, 42 + 26 + 26 - 16}));
}

// All but the last rank are a leaf each: the half that has both kinds is the upper one.
BOOST_AUTO_TEST_CASE(scans_wait_for_an_upper_half_of_both_kinds) {
    BOOST_TEST(of(7, 64, 2) == (times{42 + 42 + 42, 42 + 42, 42 + 42}));
}

BOOST_AUTO_TEST_CASE(pairs_that_fold_take_a_message_each_way_more) {
    BOOST_TEST(of(5, 64, 0) == (times{74 * 3, 74, 74}));
    BOOST_TEST(of(7, 64, 0) == (times{74 * 3, 74, 74}));
}

BOOST_AUTO_TEST_CASE(far_levels_go_by_what_far_messages_cost) {
    auto now = example(4, 64);
    now.its.distances = {{1, 1, 1}, {2, 3, 1}};
    auto const costs = message_costs::combining(now);
    BOOST_TEST((halving_cost{2, costs, now}.reduce_scatter_time()) == 42 + 20 + 3 * 16);
}

BOOST_AUTO_TEST_SUITE_END()
