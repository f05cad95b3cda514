// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <vector>

#include <tutti/generator/pattern/two_trees.hpp>

BOOST_AUTO_TEST_SUITE(generator_pattern_two_trees)

using namespace tutti;
using namespace tutti::generators;

namespace {

/// Whether the subtree below `member` holds exactly first .. last; its size goes to `members`.
bool covers(two_trees const& trees, std::size_t tree, std::size_t member, std::size_t first, std::size_t last) {
    if (member < first || member > last) { return false; }
    if (trees.below(tree, member) != two_trees::span{first, last}) { return false; }
    auto const at = trees.place_of(tree, member);
    auto const side = [&](two_trees::edge const& child, std::size_t from, std::size_t to) {
        if (child.member == 0) { return from > to; }
        auto const below = trees.place_of(tree, child.member);
        return below.parent == two_trees::edge{member, child.round} && covers(trees, tree, child.member, from, to);
    };
    return side(at.left, first, member - 1) && side(at.right, member + 1, last);
}

bool is_inner(two_trees::position const& at) { return at.left.member != 0 || at.right.member != 0; }

std::vector<std::size_t> rounds_to_children(two_trees const& trees, std::size_t member) {
    std::vector<std::size_t> result;
    for (std::size_t tree = 0; tree < 2; ++tree) {
        auto const at = trees.place_of(tree, member);
        for (auto const& child : {at.left, at.right}) {
            if (child.member != 0) { result.push_back(child.round); }
        }
    }
    return result;
}

constexpr std::array roots{two_trees::root::none, two_trees::root::outside, two_trees::root::first};

std::vector<std::size_t> const sizes = [] {
    std::vector<std::size_t> all;
    for (std::size_t size = 1; size <= 300; ++size) { all.push_back(size); }
    for (std::size_t size = 1022; size <= 1028; ++size) { all.push_back(size); }
    return all;
}();

}  // namespace

BOOST_AUTO_TEST_CASE(both_are_in_order_trees_of_all_members) {
    for (auto const size : sizes) {
        for (auto const root : roots) {
            two_trees const trees{size, root};
            BOOST_TEST(trees.top(0) == (root == two_trees::root::first ? 1 : std::bit_floor(size)));
            BOOST_TEST(trees.top(1) == 1U);
            for (std::size_t tree = 0; tree < 2; ++tree) {
                BOOST_TEST(trees.place_of(tree, trees.top(tree)).parent.member == 0U);
                BOOST_TEST(covers(trees, tree, trees.top(tree), 1, size));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(nobody_is_an_inner_node_of_both) {
    for (auto const size : sizes) {
        two_trees const trees{size, two_trees::root::outside};
        for (std::size_t member = 1; member <= size; ++member) {
            bool const odd = member % 2 == 1;
            BOOST_TEST(!(is_inner(trees.place_of(odd ? 0 : 1, member))));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_member_is_never_needed_twice_at_once) {
    for (auto const size : sizes) {
        for (std::size_t period : {2U, 3U}) {
            for (auto const root : roots) {
                two_trees const trees{size, root, period};
                if (root == two_trees::root::outside) {
                    BOOST_TEST(trees.place_of(0, trees.top(0)).parent.round == 0U);
                    BOOST_TEST(trees.place_of(1, 1).parent.round == 1U);
                }
                for (std::size_t member = 1; member <= size; ++member) {
                    auto const parents = std::array{trees.place_of(0, member).parent, trees.place_of(1, member).parent};
                    if (root == two_trees::root::outside || (parents[0].member != 0 && parents[1].member != 0)) {
                        BOOST_TEST(parents[0].round % period + parents[1].round % period == 1U);
                    }
                    auto const children = rounds_to_children(trees, member);
                    BOOST_REQUIRE(children.size() <= 2U);
                    if (children.size() == 2) { BOOST_TEST(children[0] % period + children[1] % period == 1U); }
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(edges_follow_the_edge_above_as_soon_as_their_colour_allows) {
    for (auto const size : sizes) {
        for (std::size_t period : {2U, 3U}) {
            for (auto const root : roots) {
                two_trees const trees{size, root, period};
                for (std::size_t tree = 0; tree < 2; ++tree) {
                    std::size_t last = 0;
                    for (std::size_t member = 1; member <= size; ++member) {
                        auto const at = trees.place_of(tree, member);
                        bool const first = at.parent.member == 0 && root != two_trees::root::outside;
                        last = std::max(last, at.parent.round);
                        for (auto const& child : {at.left, at.right}) {
                            if (child.member == 0) { continue; }
                            auto const earliest = first ? 0 : at.parent.round + 1;
                            BOOST_TEST(child.round >= earliest);
                            BOOST_TEST(child.round < earliest + period);
                        }
                    }
                    BOOST_TEST(trees.last_round(tree) == last);
                    auto const log = [](std::size_t n) { return static_cast<std::size_t>(std::bit_width(n)) - 1; };
                    auto const bound = tree == 0   ? period * log(size)
                                       : size == 1 ? 1
                                                   : period * (1 + log(size - 1)) + 1;
                    BOOST_TEST(last <= bound);
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_member_finds_its_place_among_very_many) {
    std::size_t const size = (std::size_t{1} << 50) + 12'345;
    two_trees const trees{size, two_trees::root::outside};
    for (auto const member : {std::size_t{1}, size / 3, size / 2 + 1, size - 1, size}) {
        auto const first = trees.place_of(0, member).parent;
        auto const second = trees.place_of(1, member).parent;
        BOOST_TEST((first.round + second.round) % 2 == 1U);
    }
    BOOST_TEST(trees.last_round(0) <= 100U);
    BOOST_TEST(trees.last_round(1) <= 103U);
}

BOOST_AUTO_TEST_SUITE_END()
