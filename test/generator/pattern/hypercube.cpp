// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include <tutti/generator/pattern/hypercube.hpp>

BOOST_AUTO_TEST_SUITE(generator_pattern_hypercube)

using namespace tutti;
using namespace tutti::generators;
using boost::test_tools::per_element;

namespace {

std::vector<std::size_t> ranks_of_leaves(std::size_t size) {
    hypercube const all{size};
    std::vector<std::size_t> result;
    for (std::size_t leaf = 0; leaf < all.count(); ++leaf) { result.push_back(all.rank_of(leaf)); }
    return result;
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

BOOST_AUTO_TEST_SUITE_END()
