// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <laws/schedule_laws.hpp>
#include <tutti/combinator/group.hpp>
#include <tutti/combinator/on_group.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/recursive_doubling.hpp>
#include <tutti/partition.hpp>

BOOST_AUTO_TEST_SUITE(combinator_group)

using namespace tutti;

namespace {

auto const cut = partition::equal(1, 1);

/// The ranks of the group of `rank`, its own marked by ' and the root of the group by *.
template <grouping Groups>
std::string text(Groups const& groups, std::size_t rank, std::size_t size, std::size_t root = 0) {
    auto const found = groups.group_of(rank, problem{rank, size, root, cut});
    std::string result;
    for (std::size_t i = 0; i < found.size; ++i) {
        result += (i == 0 ? "" : " ") + std::to_string(found.rank_at(i)) + (i == found.position ? "'" : "") +
                  (i == found.root ? "*" : "");
    }
    return result;
}

/// Every group has its ranks in common with those of its members, and every kind of group is named.
template <grouping Groups>
void check_partition(Groups const& groups) {
    for (std::size_t size = 1; size <= 20; ++size) {
        for (std::size_t root = 0; root < size; ++root) {
            problem const at{0, size, root, cut};
            std::set<std::pair<std::size_t, std::size_t>> named;
            for (auto const rank : groups.of_every_kind(at)) {
                BOOST_REQUIRE(rank < size);
                auto const found = groups.group_of(rank, at);
                named.emplace(found.size, found.root);
            }
            for (std::size_t rank = 0; rank < size; ++rank) {
                auto const found = groups.group_of(rank, at);
                BOOST_TEST(found.rank_at(found.position) == rank);
                BOOST_TEST(found.root < found.size);
                for (std::size_t i = 0; i < found.size; ++i) {
                    auto const other = groups.group_of(found.rank_at(i), at);
                    BOOST_TEST(other.position == i);
                    BOOST_TEST(other.first == found.first);
                    BOOST_TEST(other.size == found.size);
                    BOOST_TEST(other.root == found.root);
                }
                BOOST_TEST((found.size == 1 || named.contains({found.size, found.root})));
            }
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(groups_cover_the_ranks_and_name_every_kind) {
    for (std::size_t width = 1; width <= 7; ++width) {
        check_partition(nodes{width});
        check_partition(leaders{width});
        check_partition(rows{width});
        check_partition(columns{width});
    }
}

BOOST_AUTO_TEST_CASE(nodes_are_consecutive_and_the_last_may_be_smaller) {
    BOOST_TEST(text(nodes{4}, 5, 11) == "4* 5' 6 7");
    BOOST_TEST(text(nodes{4}, 10, 11) == "8* 9 10'");
    BOOST_TEST(text(nodes{4}, 5, 11, 6) == "4 5' 6* 7");
    BOOST_TEST(text(rows{4}, 5, 11) == "4* 5' 6 7");
}

BOOST_AUTO_TEST_CASE(leaders_are_the_first_ranks_of_nodes) {
    BOOST_TEST(text(leaders{4}, 8, 11) == "0* 4 8'");
    BOOST_TEST(text(leaders{4}, 8, 11, 4) == "0 4* 8'");
    BOOST_TEST(text(leaders{4}, 5, 11) == "5'*");
}

BOOST_AUTO_TEST_CASE(columns_of_a_ragged_mesh_differ_by_one) {
    BOOST_TEST(text(columns{4}, 6, 11) == "2* 6' 10");
    BOOST_TEST(text(columns{4}, 7, 11) == "3* 7'");
    BOOST_TEST(text(columns{4}, 7, 11, 7) == "3 7'*");
}

BOOST_AUTO_TEST_CASE(a_width_of_zero_is_refused) {
    problem const at{0, 4, 0, cut};
    BOOST_CHECK_THROW(static_cast<void>(nodes{0}.group_of(0, at)), std::invalid_argument);
    BOOST_CHECK_THROW(static_cast<void>(leaders{0}.group_of(0, at)), std::invalid_argument);
    BOOST_CHECK_THROW(static_cast<void>(rows{0}.group_of(0, at)), std::invalid_argument);
    BOOST_CHECK_THROW(static_cast<void>(columns{0}.of_every_kind(at)), std::invalid_argument);
}

namespace {

std::vector<std::size_t> line(axis const& along, std::size_t rank, std::size_t size) {
    auto const found = along.group_of(rank, problem{rank, size, 0, cut});
    std::vector<std::size_t> ranks;
    for (std::size_t i = 0; i < found.size; ++i) { ranks.push_back(found.rank_at(i)); }
    return ranks;
}

}  // namespace

BOOST_AUTO_TEST_CASE(ranks_of_a_line_differ_in_one_coordinate) {
    static_assert(grouping<axis>);
    using ranks = std::vector<std::size_t>;
    // 2 x 3 x 4: rank 17 is 1, 1, 1
    BOOST_TEST(line({12, 2}, 17, 24) == (ranks{5, 17}), boost::test_tools::per_element());
    BOOST_TEST(line({4, 3}, 17, 24) == (ranks{13, 17, 21}), boost::test_tools::per_element());
    BOOST_TEST(line({1, 4}, 17, 24) == (ranks{16, 17, 18, 19}), boost::test_tools::per_element());
    BOOST_TEST(line({4, 1}, 17, 24) == (ranks{17}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(lines_cover_the_ranks_and_every_kind_is_named) {
    for (std::size_t size = 1; size <= 24; ++size) {
        for (std::size_t stride = 1; stride <= size; ++stride) {
            for (std::size_t length = 1; length * stride <= size; ++length) {
                if (size % (stride * length) != 0) { continue; }
                axis const along{stride, length};
                for (std::size_t root = 0; root < size; ++root) {
                    problem const at{0, size, root, cut};
                    std::set<std::size_t> named;
                    for (auto const rank : along.of_every_kind(at)) { named.insert(along.group_of(rank, at).root); }
                    for (std::size_t rank = 0; rank < size; ++rank) {
                        auto const found = along.group_of(rank, at);
                        BOOST_TEST(found.size == length);
                        BOOST_TEST(found.rank_at(found.position) == rank);
                        BOOST_TEST(named.contains(found.root));
                        BOOST_TEST((found.position == found.root || rank != root));
                    }
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(an_all_reduce_may_go_along_one_axis_after_the_other) {
    auto const cube = then(on_group(axis{6, 2}, binomial{}), on_group(axis{3, 2}, recursive_doubling{}),
                           on_group(axis{1, 3}, recursive_doubling{}), on_group(axis{6, 2}, reverse(binomial{})));
    laws::check_schedules(collective::all_reduce{}, cube, {12});
}

BOOST_AUTO_TEST_CASE(lines_that_do_not_fill_the_communicator_are_refused) {
    problem const at{0, 10, 0, cut};
    BOOST_CHECK_EXCEPTION(static_cast<void>(axis({2, 3}).group_of(0, at)), std::invalid_argument,
                          [](std::invalid_argument const& refusal) {
                              return std::string{refusal.what()} ==
                                     "tutti: 10 ranks are not a mesh with an axis of 3 ranks and stride 2; choose "
                                     "factors of the number of ranks";
                          });
    BOOST_CHECK_THROW(static_cast<void>(axis({0, 3}).group_of(0, at)), std::invalid_argument);
    BOOST_CHECK_THROW(static_cast<void>(axis({1, 0}).group_of(0, at)), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
