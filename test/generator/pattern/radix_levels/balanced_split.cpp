// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>

#include <tutti/generator/pattern/radix_levels.hpp>

BOOST_AUTO_TEST_SUITE(generator_pattern_radix_levels_balanced_split)

using namespace tutti;
using namespace tutti::generators;

BOOST_AUTO_TEST_CASE(parts_follow_one_another_and_smaller_ones_come_first) {
    for (std::size_t size = 1; size <= 40; ++size) {
        for (std::size_t subgroups = 1; subgroups <= size; ++subgroups) {
            balanced_split const cut{7, size, subgroups};
            auto next = cut.first;
            for (std::size_t subgroup = 0; subgroup < subgroups; ++subgroup) {
                BOOST_REQUIRE(cut.begin(subgroup) == next);
                for (std::size_t member = 0; member < cut.size_of(subgroup); ++member) {
                    BOOST_REQUIRE(cut.subgroup_of(next++) == subgroup);
                }
                if (subgroup != 0) { BOOST_REQUIRE(cut.size_of(subgroup) >= cut.size_of(subgroup - 1)); }
            }
            BOOST_REQUIRE(next == cut.first + size);
            BOOST_REQUIRE(cut.size_of(subgroups - 1) <= cut.size_of(0) + 1);
        }
    }
}

BOOST_AUTO_TEST_CASE(are_known_when_the_program_is_compiled) {
    static_assert(balanced_split{0, 17, 5}.size_of(0) == 3 && balanced_split{0, 17, 5}.size_of(3) == 4);
    static_assert(balanced_split{10, 17, 5}.begin(4) == 23 && balanced_split{10, 17, 5}.subgroup_of(22) == 3);
}

BOOST_AUTO_TEST_SUITE_END()
