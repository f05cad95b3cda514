// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <stdexcept>
#include <vector>

#include <range/v3/range/concepts.hpp>
#include <range/v3/range/conversion.hpp>

#include <tutti/combinator/sequence.hpp>

BOOST_AUTO_TEST_SUITE(combinator_sequence)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::schedules;

namespace {

auto const cut = partition::equal(4, 2);
block_list const whole{block_range{0, 2}};

std::vector<step> all(auto const& schedule) { return ranges::to<std::vector>(schedule); }

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

BOOST_AUTO_TEST_CASE(a_stage_begins_when_the_one_before_has_used_up_its_rounds) {
    stage_sequence steps{cut};
    steps.append(stored_schedule(3, {step::send(1, 4, buffer::result(), whole)}));
    steps.append(step::copy(0, buffer::result(), buffer::prefix(), whole));
    steps.append(stored_schedule(2, {step::send(0, 5, buffer::result(), whole)}), {}, false);
    steps.append(stored_schedule(2, {step::receive(1, 6, buffer::result(), whole)}));
    auto const made = std::move(steps).as_schedule();
    BOOST_TEST(made.rounds() == 7U);
    BOOST_TEST((all(made) == std::vector<step>{step::send(1, 4, buffer::result(), whole),
                                               step::copy(2, buffer::result(), buffer::prefix(), whole),
                                               step::receive(6, 6, buffer::result(), whole)}));
}

BOOST_AUTO_TEST_CASE(stages_side_by_side_are_in_the_order_of_rounds) {
    stage_sequence steps{cut};
    steps.append(stored_schedule(1, {step::send(0, 1, buffer::result(), whole)}));
    auto const stage = stored_schedule(2, {step::receive(0, 2, buffer::result(), whole),
                                           step::send(1, 3, buffer::result(), whole)});
    steps.append(stage);
    steps.append_beside(stage, {.result = buffer::prefix()});
    BOOST_TEST((all(std::move(steps).as_schedule()) ==
                std::vector<step>{
                    step::send(0, 1, buffer::result(), whole), step::receive(1, 2, buffer::result(), whole),
                    step::receive(1, 2, buffer::prefix(), whole), step::send(2, 3, buffer::result(), whole),
                    step::send(2, 3, buffer::prefix(), whole)}));
}

BOOST_AUTO_TEST_CASE(scratch_is_not_shared) {
    stage_sequence steps{cut};
    auto const own = steps.fresh_scratch();
    BOOST_TEST((own == buffer::scratch(0)));
    auto const stage = stored_schedule(1, {step::receive(0, 1, buffer::scratch(1), whole),
                                           step::combine(0, buffer::scratch(1), buffer::result(), whole, side::left)});
    steps.append(stage, {.result = own});
    steps.append(stage, {.result = own});
    BOOST_TEST((steps.fresh_scratch() == buffer::scratch(5)));
    auto const made = all(std::move(steps).as_schedule());
    BOOST_TEST((made[0].target == buffer::scratch(2)));
    BOOST_TEST((made[1].source == buffer::scratch(2) && made[1].target == own));
    BOOST_TEST((made[2].target == buffer::scratch(4)));
}

BOOST_AUTO_TEST_CASE(only_the_first_stage_may_read_the_input) {
    auto const stage = stored_schedule(1, {step::send(0, 1, buffer::input(), whole)});
    stage_sequence steps{cut};
    BOOST_CHECK_NO_THROW(steps.append(stage));
    BOOST_CHECK_THROW(steps.append(stage), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(steps_without_elements_are_left_out) {
    auto const empty = partition::equal(0, 2);
    stage_sequence steps{empty};
    steps.append(step::copy(0, buffer::result(), buffer::prefix(), whole));
    BOOST_TEST(all(std::move(steps).as_schedule()).empty());
}

BOOST_AUTO_TEST_CASE(facts_hold_where_they_hold_for_every_stage) {
    constexpr facts one{.name = "one"};
    constexpr facts two{.name = "two", .requires_commutative = true, .one_ported = false, .model = ports::overlapped};
    constexpr auto both = facts_of_sequence("both", {one, two});
    static_assert(both.name == "both" && both.requires_commutative && !both.one_ported && both.identical_on_all_ranks);
    static_assert(both.model == ports::bidirectional && !both.requires_identity);
    static_assert(facts_of_sequence("twice", {two, two}).model == ports::overlapped);
    static_assert(!facts_of_sequence("once", {one}).requires_commutative);
    BOOST_TEST(both.supports(7));
}

BOOST_AUTO_TEST_CASE(sorts_by_round_then_by_schedule) {
    auto const all = merged({steps_in({0, 0, 3, 5}, 1), steps_in({0, 1, 2}, 2)}, {0, 3});
    BOOST_TEST(text(all) == "0:1 0:1 3:1 3:2 4:2 5:1 5:2 ");
    BOOST_TEST(all.rounds() == 12U);
}

BOOST_AUTO_TEST_CASE(puts_schedules_behind_one_another_that_do_not_overlap) {
    auto const all = merged({steps_in({0, 1}, 1), steps_in({}, 2), steps_in({0, 2}, 3)}, {0, 2, 2});
    BOOST_TEST(text(all) == "0:1 1:1 2:3 4:3 ");
}

BOOST_AUTO_TEST_CASE(of_nothing_is_nothing) {
    auto const all = merged({steps_in({}, 1), steps_in({}, 2)}, {0, 0});
    BOOST_TEST(text(all) == "");
}

BOOST_AUTO_TEST_SUITE_END()
