// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <vector>

#include <tutti/generator/pattern/hypercube.hpp>

BOOST_AUTO_TEST_SUITE(generator_pattern_hypercube_intervals)

using namespace tutti;
using namespace tutti::generators;
using boost::test_tools::per_element;

namespace {

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

}  // namespace

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

BOOST_AUTO_TEST_SUITE_END()
