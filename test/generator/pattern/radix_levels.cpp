// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>

#include <tutti/dynamic_array.hpp>
#include <tutti/generator/pattern/radix_levels.hpp>

BOOST_AUTO_TEST_SUITE(generator_pattern_radix_levels)

using namespace tutti;
using namespace tutti::generators;
using boost::test_tools::per_element;

namespace {

using numbers = tutti::dynamic_array<std::size_t>;

std::size_t sum(numbers const& all) { return std::accumulate(all.begin(), all.end(), std::size_t{0}); }

std::size_t product(numbers const& all) {
    return std::accumulate(all.begin(), all.end(), std::size_t{1}, std::multiplies<>{});
}

/// The least sum of `levels` factors, at most `radix` each, whose product is at least `size`.
std::size_t least_sum(std::size_t size, std::size_t radix, std::size_t levels) {
    if (levels == 0) { return 0; }
    auto best = levels * radix;
    for (std::size_t factor = 2; factor <= radix; ++factor) {
        auto const left = (size - 1) / factor + 1;
        std::size_t most = 1;
        for (std::size_t i = 1; i < levels; ++i) { most *= radix; }
        if (left <= most) { best = std::min(best, factor + least_sum(left, radix, levels - 1)); }
    }
    return best;
}

}  // namespace

BOOST_AUTO_TEST_CASE(factors_are_few_and_small_ones_come_first) {
    BOOST_TEST(radix_factors(1, 4).empty());
    BOOST_TEST(radix_factors(3, 4) == (numbers{3}), per_element());
    BOOST_TEST(radix_factors(4, 4) == (numbers{4}), per_element());
    BOOST_TEST(radix_factors(5, 4) == (numbers{2, 3}), per_element());
    BOOST_TEST(radix_factors(8, 4) == (numbers{2, 4}), per_element());
    BOOST_TEST(radix_factors(16, 4) == (numbers{4, 4}), per_element());
    BOOST_TEST(radix_factors(17, 4) == (numbers{2, 3, 3}), per_element());
    BOOST_TEST(radix_factors(17, 5) == (numbers{4, 5}), per_element());
    BOOST_TEST(radix_factors(37, 4) == (numbers{3, 4, 4}), per_element());
    BOOST_TEST(radix_factors(1000, 10) == (numbers{10, 10, 10}), per_element());
    BOOST_TEST(radix_factors(1001, 10) == (numbers{4, 6, 6, 7}), per_element());
    BOOST_TEST(radix_factors(100, 1000) == (numbers{100}), per_element());
}

BOOST_AUTO_TEST_CASE(levels_are_the_fewest_and_parts_then_too) {
    for (std::size_t radix = 2; radix <= 9; ++radix) {
        std::size_t levels = 0;
        std::size_t reached = 1;
        for (std::size_t size = 1; size <= 400; ++size) {
            if (size > reached) {
                reached *= radix;
                ++levels;
            }
            auto const factors = radix_factors(size, radix);
            BOOST_REQUIRE(factors.size() == levels);
            BOOST_REQUIRE(product(factors) >= size);
            BOOST_REQUIRE(std::is_sorted(factors.begin(), factors.end()));
            if (levels == 0) { continue; }
            BOOST_REQUIRE(factors.back() <= radix);
            BOOST_REQUIRE(sum(factors) == least_sum(size, radix, levels));
        }
    }
    for (std::size_t size = 1; size <= std::size_t{1} << 40U; size *= 2) {
        BOOST_TEST(product(radix_factors(size, 2)) == size);
        BOOST_TEST(product(radix_factors(size, 4)) == size);
    }
    // the number of ranks may be as large as it likes
    BOOST_TEST(radix_factors(std::size_t{1} << 63U, 2).size() == 63U);
    BOOST_TEST(radix_factors(~std::size_t{0}, 64).size() == 11U);
}

BOOST_AUTO_TEST_CASE(groups_grow_from_single_ranks_to_all) {
    for (std::size_t const radix : {2U, 3U, 4U, 7U}) {
        for (std::size_t size = 1; size <= 130; ++size) {
            auto const factors = radix_factors(size, radix);
            for (std::size_t rank = 0; rank < size; ++rank) {
                auto const levels = radix_levels(rank, size, radix);
                BOOST_REQUIRE(levels.size() == factors.size());
                balanced_split before{rank, 1, 1};
                for (std::size_t i = 0; i < levels.size(); ++i) {
                    auto const& [group, subgroup, member] = levels[i];
                    BOOST_REQUIRE(group.subgroups == std::min(factors[factors.size() - 1 - i], group.size));
                    BOOST_REQUIRE(group.begin(subgroup) == before.first);
                    BOOST_REQUIRE(group.size_of(subgroup) == before.size);
                    BOOST_REQUIRE(member == rank - before.first);
                    before = group;
                }
                BOOST_REQUIRE(before.first == 0U);
                BOOST_REQUIRE(before.size == size);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(listeners_are_those_whose_sources_one_is) {
    for (std::size_t const radix : {2U, 3U, 4U, 7U}) {
        for (std::size_t size = 1; size <= 90; ++size) {
            tutti::dynamic_array<tutti::dynamic_array<radix_level>> all;
            for (std::size_t rank = 0; rank < size; ++rank) { all.push_back(radix_levels(rank, size, radix)); }
            for (std::size_t i = 0; i < all.front().size(); ++i) {
                tutti::dynamic_array<numbers> expected(size);
                for (std::size_t rank = 0; rank < size; ++rank) {
                    auto const& level = all[rank][i];
                    auto const senders = level.senders(0, level.subgroups());
                    BOOST_REQUIRE(senders.size() == level.subgroups() - 1);
                    BOOST_REQUIRE(std::is_sorted(senders.begin(), senders.end()));
                    for (auto const source : senders) {
                        BOOST_REQUIRE(
                            (level.group == all[source][i].group && level.subgroup != all[source][i].subgroup));
                        expected[source].push_back(rank);
                    }
                }
                for (std::size_t rank = 0; rank < size; ++rank) {
                    auto const& level = all[rank][i];
                    auto const receivers = level.receivers(0, level.subgroups());
                    BOOST_REQUIRE(receivers == expected[rank]);
                    BOOST_REQUIRE(receivers.size() <= level.subgroups());
                    if (level.subgroup + 1 < level.subgroups()) {
                        auto const later = level.receivers(level.subgroup + 1, level.subgroups());
                        BOOST_REQUIRE(later.size() >= level.subgroups() - 1 - level.subgroup);
                    }
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_member_too_many_hears_from_one_that_depends_on_its_part) {
    // 1 2 2, the second and third subgroup each have one member more than the first
    radix_level const first{{0, 5, 3}, 0, 0};
    BOOST_TEST(first.receivers(0, 3) == (numbers{1, 2, 3, 4}), per_element());
    // 2 3 3: both members of the first subgroup have one of them
    BOOST_TEST((radix_level{{0, 8, 3}, 1, 2}.senders(0, 3)) == (numbers{1, 7}), per_element());
    BOOST_TEST((radix_level{{0, 8, 3}, 2, 2}.senders(0, 3)) == (numbers{0, 4}), per_element());
    BOOST_TEST((radix_level{{0, 8, 3}, 0, 1}.receivers(0, 3)) == (numbers{3, 4, 6}), per_element());
}

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
