// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

#include <range/v3/range/conversion.hpp>

#include <support/sentences.hpp>
#include <tutti/generator/pattern/tree/greedy.hpp>
#include <tutti/generator/pattern/tree/schedule.hpp>

BOOST_AUTO_TEST_SUITE(generator_pattern_tree_schedule)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::container;
using namespace tutti::schedules;

namespace {

std::vector<step> steps(std::size_t rank, partition const& cut) {
    return ranges::to<std::vector>(tree_schedule(grow_greedy_tree({1, 1}, 13), problem{rank, 13, 4, cut}));
}

using numbers = dynamic_array<std::size_t>;

/// Whether machine 0 is rank `root`, and every machine at any time holds an interval of ranks.
bool keeps_order(numbers const& receiver, numbers const& rank, std::size_t root) {
    auto first = rank;
    auto last = rank;
    if (rank[0] != root) { return false; }
    for (auto machine = receiver.size(); machine-- > 1;) {
        auto const to = receiver[machine];
        if (last[to] + 1 == first[machine]) {
            last[to] = last[machine];
        } else if (last[machine] + 1 == first[to]) {
            first[to] = first[machine];
        } else {
            return false;
        }
    }
    return first[0] == 0 && last[0] + 1 == receiver.size();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_rank_receives_outwards_then_sends) {
    auto const cut = partition::equal(6, 3);
    auto const result = buffer::result();
    block_list const whole{block_range{0, 3}};
    auto const take = [&](std::size_t round, std::size_t peer, side operand) {
        return step::receive_combine(round, peer, result, whole, operand);
    };
    BOOST_TEST(tree_schedule(grow_greedy_tree({1, 1}, 13), problem{0, 13, 4, cut}).rounds() == 5U);
    // machine 0 takes 8, 5, 3, 2 and 1
    BOOST_TEST((steps(4, cut) == std::vector{take(0, 5, side::right), take(1, 3, side::left), take(2, 6, side::right),
                                             take(3, 0, side::left), take(4, 8, side::right)}));
    // machine 1 takes 9, 6 and 4
    BOOST_TEST((steps(8, cut) == std::vector{take(1, 9, side::right), take(2, 10, side::right),
                                             take(3, 11, side::right), step::send(4, 4, result, whole)}));
    BOOST_TEST((steps(12, cut) == std::vector{step::send(2, 11, result, whole)}));
}

BOOST_AUTO_TEST_CASE(nobody_sends_nothing) {
    for (std::size_t rank = 0; rank < 13; ++rank) { BOOST_TEST(steps(rank, partition::equal(0, 2)).empty()); }
}

BOOST_AUTO_TEST_CASE(numbers_are_those_published) {
    auto const tree = grow_greedy_tree({1, 1}, 13).receiver;
    BOOST_TEST(tree_numbering(tree, 0) == (numbers{0, 8, 5, 3, 11, 2, 10, 7, 1, 9, 6, 4, 12}));
    BOOST_TEST(tree_numbering(tree, 4) == (numbers{4, 8, 0, 6, 11, 3, 10, 2, 5, 9, 1, 7, 12}));
}

BOOST_AUTO_TEST_CASE(every_rank_can_be_the_root_of_a_greedy_tree) {
    auto const none = std::numeric_limits<std::size_t>::max();
    std::vector<overlapped_costs> const all_costs{{0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 1}, {3, 4}, {2, 9}};
    for (auto const& costs : all_costs) {
        for (std::size_t size = 1; size <= 60; ++size) {
            for (auto const limit : {none, std::size_t{1}, std::size_t{2}, std::size_t{5}, std::size_t{11}}) {
                for (auto const& limits : {tree_limits{.transfers = limit}, tree_limits{.receivers = limit}}) {
                    auto const tree = grow_greedy_tree(costs, size, limits).receiver;
                    std::size_t wrong = 0;
                    for (std::size_t root = 0; root < size; ++root) {
                        wrong += !keeps_order(tree, tree_numbering(tree, root), root);
                    }
                    BOOST_TEST(wrong == 0U);
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(every_rank_can_be_the_root_of_a_large_tree) {
    for (auto const& limits : {tree_limits{}, {.transfers = 37}, {.receivers = 100}}) {
        auto const tree = grow_greedy_tree({3, 2}, 1000, limits).receiver;
        for (std::size_t root = 0; root < tree.size(); ++root) {
            BOOST_TEST(keeps_order(tree, tree_numbering(tree, root), root));
        }
    }
}

BOOST_AUTO_TEST_CASE(refuses_a_root_that_no_subtrees_lead_to) {
    numbers const chain{0, 0, 1};
    BOOST_TEST(tree_numbering(chain, 0) == (numbers{0, 1, 2}));
    BOOST_TEST(tree_numbering(chain, 2) == (numbers{2, 0, 1}));
    BOOST_CHECK_EXCEPTION(static_cast<void>(tree_numbering(chain, 1)), std::invalid_argument,
                          support::says("tutti: this tree cannot keep operands in order for root 1; "
                                        "its subtrees do not add up to as many ranks"));
}

BOOST_AUTO_TEST_SUITE_END()
