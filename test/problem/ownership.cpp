// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <vector>

#include <tutti/problem.hpp>

BOOST_AUTO_TEST_SUITE(problem_ownership)

using tutti::schedules::block_list;
using tutti::schedules::block_range;
using tutti::ownership::blocks_of;
using tutti::ownership::blocks_of_ranks;
using tutti::ownership::owner_of;

BOOST_AUTO_TEST_CASE(every_block_has_one_owner) {
    for (std::size_t size = 1; size < 12; ++size) {
        for (std::size_t blocks = 0; blocks < 40; ++blocks) {
            std::size_t next = 0;
            for (std::size_t rank = 0; rank < size; ++rank) {
                auto const mine = blocks_of(rank, size, blocks);
                BOOST_TEST(mine.first == next);
                next = mine.last;
                for (auto block = mine.first; block < mine.last; ++block) {
                    BOOST_TEST(owner_of(block, size, blocks) == rank);
                }
            }
            BOOST_TEST(next == blocks);
        }
    }
}

BOOST_AUTO_TEST_CASE(as_many_blocks_as_ranks_are_numbered_alike) {
    for (std::size_t rank = 0; rank < 7; ++rank) { BOOST_TEST((blocks_of(rank, 7, 7) == block_range{rank, rank + 1})); }
}

namespace {

std::vector<std::size_t> listed(block_list const& list) {
    std::vector<std::size_t> blocks;
    for (auto const& range : list) {
        for (auto block = range.first; block < range.last; ++block) { blocks.push_back(block); }
    }
    return blocks;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_blocks_are_those_of_each_rank_in_turn) {
    for (std::size_t size = 1; size <= 9; ++size) {
        for (std::size_t blocks = 0; blocks <= 20; ++blocks) {
            for (std::size_t first = 0; first < 2 * size; ++first) {
                for (std::size_t count = 0; count < size; ++count) {
                    std::vector<std::size_t> expected;
                    for (auto rank = first; rank < first + count; ++rank) {
                        auto const own = listed(blocks_of(rank % size, size, blocks));
                        expected.insert(expected.end(), own.begin(), own.end());
                    }
                    auto const found = blocks_of_ranks(first, count, size, blocks);
                    BOOST_TEST((listed(found) == expected));
                    BOOST_TEST(found.ranges() <= 2U);
                }
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
