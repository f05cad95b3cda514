// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <bit>
#include <vector>

#include <tutti/generator/pattern/power_of_two_fold.hpp>

BOOST_AUTO_TEST_SUITE(generator_pattern_power_of_two_fold)

using namespace tutti;

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

BOOST_AUTO_TEST_SUITE_END()
