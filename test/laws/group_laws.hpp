// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <boost/test/unit_test.hpp>

#include <concepts>
#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include <tutti/combinator/group.hpp>
#include <tutti/partition.hpp>
#include <tutti/problem.hpp>

/// What every division of the ranks into groups must keep.
namespace laws {

inline auto const cut_for_groups = tutti::partition::equal(7, 7);

/// The ranks of the group of `rank`, its own marked by ' and the root of the group by *.
template <tutti::groups::grouping Groups>
[[nodiscard]] std::string text_of_group(Groups const& groups, std::size_t rank, std::size_t size,
                                        std::size_t root = 0) {
    auto const found = groups.group_of(rank, tutti::problem{rank, size, root, cut_for_groups});
    std::string result;
    for (std::size_t i = 0; i < found.size; ++i) {
        auto const member = found.size == 1 ? rank : found.rank_at(i);
        result += (i == 0 ? "" : " ") + std::to_string(member) + (i == found.position ? "'" : "") +
                  (i == found.root ? "*" : "");
    }
    return result;
}

/// Members agree about their group, and every kind of group is named.
template <tutti::groups::grouping Groups>
void check_groups(Groups const& groups, std::size_t size) {
    for (std::size_t root = 0; root < size; ++root) {
        tutti::problem const at{0, size, root, cut_for_groups};
        std::set<std::pair<std::size_t, std::size_t>> named;
        for (auto const rank : groups.representatives(at)) {
            BOOST_REQUIRE(rank < size);
            auto const found = groups.group_of(rank, at);
            named.emplace(found.size, found.root);
        }
        for (std::size_t rank = 0; rank < size; ++rank) {
            auto const found = groups.group_of(rank, at);
            constexpr bool by_strides = std::same_as<decltype(found), tutti::groups::group const>;
            BOOST_REQUIRE(found.root < found.size);
            if (found.size == 1 && !by_strides) { continue; }
            BOOST_TEST((found.size == 1 || named.contains({found.size, found.root})));
            BOOST_TEST(found.rank_at(found.position) == rank);
            for (std::size_t i = 0; i < found.size; ++i) {
                auto const other = groups.group_of(found.rank_at(i), at);
                BOOST_TEST(other.position == i);
                BOOST_TEST(other.size == found.size);
                BOOST_TEST(other.root == found.root);
                if constexpr (by_strides) { BOOST_TEST(other.first == found.first); }
            }
        }
    }
}

}  // namespace laws
