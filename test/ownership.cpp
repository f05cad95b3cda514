// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <tutti/ownership.hpp>

#include <cstddef>

BOOST_AUTO_TEST_SUITE(ownership)

using tutti::block_range;
using tutti::ownership::blocks_of;
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

BOOST_AUTO_TEST_SUITE_END()
