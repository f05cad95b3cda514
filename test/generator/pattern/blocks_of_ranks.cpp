// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <vector>

#include <tutti/generator/pattern/blocks_of_ranks.hpp>

BOOST_AUTO_TEST_SUITE(generator_pattern_blocks_of_ranks)

using namespace tutti;

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
                        auto const own = listed(ownership::blocks_of(rank % size, size, blocks));
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
