// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>

#include <tutti/dynamic_array.hpp>
#include <tutti/generator/binomial.hpp>

BOOST_AUTO_TEST_SUITE(generator_binomial_range_halvings)

using namespace tutti;
using namespace tutti::generators;

BOOST_AUTO_TEST_CASE(a_rank_takes_part_in_the_splits_of_its_ranges) {
    using splits = tutti::dynamic_array<range_split>;
    BOOST_TEST((splits_of(0, 6) == splits{{0, 0, 3, 6}, {1, 0, 2, 3}, {2, 0, 1, 2}}));
    BOOST_TEST((splits_of(3, 6) == splits{{0, 0, 3, 6}, {1, 3, 5, 6}, {2, 3, 4, 5}}));
    BOOST_TEST((splits_of(2, 6) == splits{{1, 0, 2, 3}}));
    BOOST_TEST((splits_of(4, 6) == splits{{2, 3, 4, 5}}));
    BOOST_TEST(splits_of(0, 1).empty());
}

BOOST_AUTO_TEST_CASE(every_rank_but_the_first_is_once_in_the_middle_and_both_ends_know_it) {
    for (std::size_t size = 1; size <= 70; ++size) {
        for (std::size_t rank = 0; rank < size; ++rank) {
            auto const own = splits_of(rank, size);
            std::size_t in_the_middle = 0;
            for (std::size_t i = 0; i < own.size(); ++i) {
                auto const& split = own[i];
                BOOST_TEST(split.level < split_levels(size));
                BOOST_TEST((split.first < split.middle && split.middle < split.last && split.last <= size));
                auto const larger = split.middle - split.first - (split.last - split.middle);
                BOOST_TEST(larger <= 1U);
                if (rank != split.middle) { continue; }
                ++in_the_middle;
                BOOST_TEST(i == 0U);
                auto const others = splits_of(split.first, size);
                BOOST_TEST(std::count(others.begin(), others.end(), split) == 1);
            }
            BOOST_TEST(in_the_middle == (rank == 0 ? 0U : 1U));
        }
    }
}

BOOST_AUTO_TEST_CASE(levels_are_the_logarithm_rounded_up) {
    tutti::dynamic_array<std::size_t> levels;
    for (std::size_t const size : {1U, 2U, 3U, 4U, 5U, 8U, 9U, 64U, 65U}) { levels.push_back(split_levels(size)); }
    BOOST_TEST((levels == tutti::dynamic_array<std::size_t>{0, 1, 2, 2, 3, 3, 4, 6, 7}));
}

BOOST_AUTO_TEST_SUITE_END()
