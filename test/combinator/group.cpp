// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <cstddef>
#include <set>
#include <vector>

#include <laws/group_laws.hpp>
#include <laws/schedule_laws.hpp>
#include <support/sentences.hpp>
#include <tutti/combinator/group.hpp>
#include <tutti/combinator/on_group.hpp>
#include <tutti/combinator/regular_groups.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/recursive_doubling.hpp>
#include <tutti/partition.hpp>

BOOST_AUTO_TEST_SUITE(combinator_group)

using namespace tutti;
using namespace tutti::groups;
using laws::text_of_group;

namespace {

auto const cut = partition::equal(1, 1);

}  // namespace

BOOST_AUTO_TEST_CASE(groups_cover_the_ranks_and_name_every_kind) {
    for (std::size_t width = 1; width <= 7; ++width) {
        for (std::size_t size = 1; size <= 20; ++size) {
            laws::check_groups(nodes{width}, size);
            laws::check_groups(leaders{width}, size);
            laws::check_groups(rows{width}, size);
            laws::check_groups(columns{width}, size);
        }
    }
}

BOOST_AUTO_TEST_CASE(nodes_are_consecutive_and_the_last_may_be_smaller) {
    BOOST_TEST(text_of_group(nodes{4}, 5, 11) == "4* 5' 6 7");
    BOOST_TEST(text_of_group(nodes{4}, 10, 11) == "8* 9 10'");
    BOOST_TEST(text_of_group(nodes{4}, 5, 11, 6) == "4 5' 6* 7");
    BOOST_TEST(text_of_group(rows{4}, 5, 11) == "4* 5' 6 7");
}

BOOST_AUTO_TEST_CASE(leaders_are_the_first_ranks_of_nodes) {
    BOOST_TEST(text_of_group(leaders{4}, 8, 11) == "0* 4 8'");
    BOOST_TEST(text_of_group(leaders{4}, 8, 11, 4) == "0 4* 8'");
    BOOST_TEST(text_of_group(leaders{4}, 5, 11) == "5'*");
}

BOOST_AUTO_TEST_CASE(columns_of_a_ragged_mesh_differ_by_one) {
    BOOST_TEST(text_of_group(columns{4}, 6, 11) == "2* 6' 10");
    BOOST_TEST(text_of_group(columns{4}, 7, 11) == "3* 7'");
    BOOST_TEST(text_of_group(columns{4}, 7, 11, 7) == "3 7'*");
}

BOOST_AUTO_TEST_CASE(a_width_of_zero_is_refused) {
    problem const at{0, 4, 0, cut};
    BOOST_CHECK_THROW(static_cast<void>(nodes{0}.group_of(0, at)), std::invalid_argument);
    BOOST_CHECK_THROW(static_cast<void>(leaders{0}.group_of(0, at)), std::invalid_argument);
    BOOST_CHECK_THROW(static_cast<void>(rows{0}.group_of(0, at)), std::invalid_argument);
    BOOST_CHECK_THROW(static_cast<void>(columns{0}.representatives(at)), std::invalid_argument);
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
                    for (auto const rank : along.representatives(at)) { named.insert(along.group_of(rank, at).root); }
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
                          support::says("tutti: 10 ranks are not a mesh with an axis of 3 ranks and stride 2; choose "
                                        "factors of the number of ranks"));
    BOOST_CHECK_THROW(static_cast<void>(axis({0, 3}).group_of(0, at)), std::invalid_argument);
    BOOST_CHECK_THROW(static_cast<void>(axis({1, 0}).group_of(0, at)), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
