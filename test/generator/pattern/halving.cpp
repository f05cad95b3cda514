// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <vector>

#include <tutti/generator/pattern/halving.hpp>

BOOST_AUTO_TEST_SUITE(generator_pattern_halving)

using namespace tutti;

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
