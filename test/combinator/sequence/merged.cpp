// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <range/v3/range/concepts.hpp>

#include <tutti/combinator/sequence.hpp>

BOOST_AUTO_TEST_SUITE(combinator_sequence_merged)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::schedules;

namespace {

/// One step in each of `rounds`, to `peer`.
auto steps_in(std::vector<std::size_t> rounds, std::size_t peer) {
    std::vector<step> steps;
    for (auto const round : rounds) { steps.push_back(step::send(round, peer, buffer::result(), 0)); }
    return stored_schedule(9, steps);
}

/// "round:peer " of every step.
std::string text(auto const& steps) {
    std::string result;
    for (auto const& each : steps) { result += std::to_string(each.round) + ':' + std::to_string(each.peer) + ' '; }
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(sorts_by_round_then_by_schedule) {
    merged_steps const all{{steps_in({0, 0, 3, 5}, 1), steps_in({0, 1, 2}, 2)}, {0, 3}};
    BOOST_TEST(text(all) == "0:1 0:1 3:1 3:2 4:2 5:1 5:2 ");
    BOOST_TEST(text(all) == text(all));
    static_assert(range_of_steps<decltype(all)>);
}

BOOST_AUTO_TEST_CASE(puts_schedules_behind_one_another_that_do_not_overlap) {
    merged_steps const all{{steps_in({0, 1}, 1), steps_in({}, 2), steps_in({0, 2}, 3)}, {0, 2, 2}};
    BOOST_TEST(text(all) == "0:1 1:1 2:3 4:3 ");
}

BOOST_AUTO_TEST_CASE(of_nothing_is_nothing) {
    merged_steps const all{{steps_in({}, 1), steps_in({}, 2)}, {0, 0}};
    BOOST_TEST(text(all) == "");
}

BOOST_AUTO_TEST_SUITE_END()
