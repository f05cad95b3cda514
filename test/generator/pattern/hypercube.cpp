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

BOOST_AUTO_TEST_SUITE_END()
