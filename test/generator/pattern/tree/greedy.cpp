// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include <support/rooted_trees.hpp>
#include <support/sentences.hpp>
#include <tutti/generator/pattern/tree/greedy.hpp>

BOOST_AUTO_TEST_SUITE(generator_pattern_tree_greedy)

using namespace tutti;
using namespace tutti::generators;

namespace {

using numbers = std::vector<std::size_t>;

std::vector<overlapped_costs> const all_costs{{0, 1},  {1, 0}, {1, 1}, {1, 2}, {2, 1}, {3, 4}, {4, 1},
                                              {1, 10}, {2, 9}, {7, 7}, {0, 3}, {5, 0}};

std::vector<tree_limits> limits_for(std::size_t size) {
    std::vector<tree_limits> all{{}};
    for (std::size_t limit : {1U, 2U, 3U, 5U, 16U}) {
        all.push_back({.transfers = limit});
        all.push_back({.receivers = limit});
    }
    all.push_back({.transfers = size / 2 + 1});
    return all;
}

template <class Check>
void for_each_greedy_tree(std::size_t largest, Check check) {
    for (auto const& costs : all_costs) {
        for (std::size_t size = 1; size <= largest; ++size) {
            for (auto const& limits : limits_for(size)) { check(grow_greedy_tree(costs, size, limits), costs, limits); }
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(trees_are_those_published) {
    auto const receivers = [](std::size_t size, overlapped_costs costs) {
        auto all = grow_greedy_tree(costs, size).receiver;
        return numbers(all.begin() + 1, all.end());
    };
    BOOST_TEST(receivers(4, {1, 1}) == (numbers{0, 0, 0}));
    BOOST_TEST(receivers(13, {1, 1}) == (numbers{0, 0, 0, 1, 0, 1, 2, 0, 1, 2, 3, 4}));
    BOOST_TEST(receivers(20, {1, 3}) == (numbers{0, 0, 1, 0, 1, 2, 3, 0, 1, 2, 4, 3, 5, 6, 0, 7, 1, 2, 4}));
}

BOOST_AUTO_TEST_CASE(machines_come_in_the_order_of_time_then_number) {
    for (auto const& [d, c] : all_costs) {
        for (auto const& limits : limits_for(600)) {
            auto const tree = grow_greedy_tree({d, c}, 600, limits);
            std::set<std::pair<std::size_t, std::size_t>> free{{0, 0}};
            std::size_t wrong = 0;
            for (std::size_t i = 1; i < tree.size(); ++i) {
                auto const [time, receiver] = *free.begin();
                free.erase(free.begin());
                auto const limit = i > limits.transfers ? tree.time_left[i - limits.transfers] : 0;
                auto const arrived = std::max(time + c, limit);
                wrong += tree.receiver[i] != receiver || tree.time_left[i] != arrived + d;
                free.insert({std::max(time + c, arrived + d - c), receiver});
                if (i < limits.receivers) { free.insert({arrived + d, i}); }
            }
            BOOST_TEST(wrong == 0U);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_tree_begins_like_any_larger_one) {
    for (auto const& costs : all_costs) {
        for (auto const& limits : limits_for(60)) {
            auto const large = grow_greedy_tree(costs, 60, limits);
            for (std::size_t size = 1; size < 60; ++size) {
                auto const small = grow_greedy_tree(costs, size, limits);
                BOOST_TEST(std::equal(small.receiver.begin(), small.receiver.end(), large.receiver.begin()));
                BOOST_TEST(small.makespan() == large.time_left[size - 1]);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_child_is_larger_than_all_later_children_by_one_machine_at_most) {
    for_each_greedy_tree(130, [](greedy_tree const& tree, auto&, auto&) {
        auto const members = test::members(tree.receiver);
        numbers later(tree.size(), 0);
        std::size_t wrong = 0;
        for (auto machine = tree.size(); machine-- > 1;) {
            auto& sum = later[tree.receiver[machine]];
            wrong += members[machine] > 1 + sum;
            sum += members[machine];
        }
        BOOST_TEST(wrong == 0U);
    });
}

BOOST_AUTO_TEST_CASE(a_machine_has_one_transfer_a_round) {
    for_each_greedy_tree(70, [](greedy_tree const& tree, auto&, tree_limits const& limits) {
        std::set<std::pair<std::size_t, std::size_t>> busy;  // machine, round
        std::map<std::size_t, std::size_t> in_round;
        std::size_t wrong = 0;
        for (std::size_t i = 1; i < tree.size(); ++i) {
            auto const round = tree.rounds_left[i];
            wrong += !busy.insert({i, round}).second + !busy.insert({tree.receiver[i], round}).second;
            wrong += round <= tree.rounds_left[tree.receiver[i]];
            wrong += ++in_round[round] > limits.transfers;
        }
        wrong += in_round.size() != tree.rounds();
        BOOST_TEST(wrong == 0U);
    });
}

BOOST_AUTO_TEST_CASE(times_leave_room_for_every_transfer_and_combination) {
    for_each_greedy_tree(70, [](greedy_tree const& tree, overlapped_costs const& costs, tree_limits const& limits) {
        auto const end = tree.makespan();
        auto const start = [&](std::size_t machine) { return end - tree.time_left[machine]; };
        numbers port(tree.size(), 0);
        numbers combined(tree.size(), 0);
        numbers starts;
        std::size_t wrong = 0;
        for (auto machine = tree.size(); machine-- > 0;) {
            // all of its children have larger numbers
            if (machine == 0) {
                wrong += combined[0] > end;
                break;
            }
            auto const to = tree.receiver[machine];
            wrong += start(machine) < combined[machine] || start(machine) < port[to];
            port[to] = start(machine) + costs.transfer;
            combined[to] = std::max(combined[to], port[to]) + costs.combine;
            starts.push_back(start(machine));
        }
        wrong += !std::is_sorted(starts.begin(), starts.end());
        for (auto i = limits.transfers; i < starts.size(); ++i) {
            wrong += starts[i] < starts[i - limits.transfers] + costs.transfer;
        }
        wrong += test::receivers(tree.receiver) > limits.receivers;
        BOOST_TEST(wrong == 0U);
    });
}

BOOST_AUTO_TEST_CASE(refuses_costs_that_do_not_add_up) {
    auto const huge = std::numeric_limits<std::size_t>::max() / 8;
    BOOST_TEST(grow_greedy_tree({huge, 1}, 2).makespan() == huge + 1);
    BOOST_CHECK_THROW(static_cast<void>(grow_greedy_tree({huge, 1}, 3)), std::invalid_argument);
    BOOST_CHECK_THROW(static_cast<void>(grow_greedy_tree({1, huge}, 3)), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(refuses_a_reduction_that_costs_nothing) {
    BOOST_CHECK_EXCEPTION(static_cast<void>(grow_greedy_tree({0, 0}, 8)), std::invalid_argument,
                          support::says("tutti: transfer and combine are both 0, which says nothing about the "
                                        "best tree; give one of them a cost"));
}

BOOST_AUTO_TEST_SUITE_END()
