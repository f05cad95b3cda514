// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <utility>
#include <vector>

#include <tutti/generator/pipeline.hpp>
#include <tutti/program/compile.hpp>

BOOST_AUTO_TEST_SUITE(program_compile)

using namespace tutti;
using namespace tutti::engine;
using namespace tutti::schedules;

namespace {

auto const result = buffer::result();
constexpr location nowhere{};

data_layout result_at(std::uint32_t memory, std::size_t wanted_blocks) {
    data_layout where;
    where.result = memory;
    where.required = {0, wanted_blocks};
    return where;
}

tutti::engine::program compiled(partition const& cut, data_layout where, std::vector<step> steps) {
    if (where.provided == block_range{}) { where.provided = {0, cut.blocks()}; }
    return compiler{cut, where}(stored_schedule(1, std::move(steps)));
}

location in_workspace(std::size_t offset) { return {location::first_workspace, offset}; }

bool is_range(element_range const& seen, std::size_t count, location left, location right, location target) {
    return seen.count == count && seen.left == left && seen.right == right && seen.target == target;
}

/// Whether instruction `later` waits for `earlier`.
bool follows(tutti::engine::program const& run, std::uint32_t earlier, std::uint32_t later) {
    auto const& from = run.instructions[earlier];
    for (auto f = from.first_follower; f != from.last_follower; ++f) {
        if (run.followers[f] == later) { return true; }
    }
    return false;
}

auto const two_blocks = partition::equal(10, 2);

}  // namespace

BOOST_AUTO_TEST_CASE(a_leaf_sends_its_input_and_copies_nothing) {
    auto const run = compiled(two_blocks, {}, {step::send(0, 1, result, block_range{0, 2})});
    BOOST_TEST(run.workspaces.empty());
    BOOST_TEST(run.instructions.size() == 1U);
    BOOST_TEST(run.instructions[0].elements == 10U);
    BOOST_TEST(run.instructions[0].peer == 1);
    BOOST_TEST(run.ranges.size() == 1U);
    BOOST_TEST((run.ranges[0].count == 10 && run.ranges[0].left == location{location::input, 0}));
}

BOOST_AUTO_TEST_CASE(first_touch_has_three_operands) {
    auto const run = compiled(partition::equal(10, 1), {},
                              {step::receive_combine(0, 1, result, 0, side::right),
                               step::receive_combine(1, 2, result, 0, side::left), step::send(2, 0, result, 0)});
    BOOST_TEST(run.instructions.size() == 3U);
    location const incoming{location::incoming, 0};
    BOOST_TEST(is_range(run.ranges[0], 10, {location::input, 0}, incoming, in_workspace(0)));
    BOOST_TEST(is_range(run.ranges[1], 10, incoming, in_workspace(0), in_workspace(0)));
    BOOST_TEST((run.ranges[2].left == in_workspace(0)));
    BOOST_TEST((run.workspaces == tutti::dynamic_array<std::size_t>{10}));
}

BOOST_AUTO_TEST_CASE(the_root_combines_into_the_output_or_in_place) {
    std::vector<step> const steps{step::receive_combine(0, 1, result, 0, side::right)};
    location const incoming{location::incoming, 0};
    auto const cut = partition::equal(10, 1);
    auto const apart = compiled(cut, result_at(location::output, 1), steps);
    BOOST_TEST(apart.instructions.size() == 1U);
    BOOST_TEST(is_range(apart.ranges[0], 10, {location::input, 0}, incoming, {location::output, 0}));
    auto const in_place = compiled(cut, result_at(location::input, 1), steps);
    BOOST_TEST(is_range(in_place.ranges[0], 10, {location::input, 0}, incoming, {location::input, 0}));
    BOOST_TEST(apart.workspaces.empty());
    BOOST_TEST(in_place.workspaces.empty());
}

BOOST_AUTO_TEST_CASE(wanted_blocks_that_nobody_wrote_are_copied_at_the_end) {
    auto const cut = partition::equal(10, 5);
    std::vector<step> const steps{step::receive_combine(0, 1, result, 2, side::right)};
    auto const run = compiled(cut, result_at(location::output, 5), steps);
    BOOST_TEST(run.instructions.size() == 3U);
    BOOST_TEST((run.instructions[1].what == action::copy && run.instructions[2].what == action::copy));
    BOOST_TEST(is_range(run.ranges[1], 4, {location::input, 0}, nowhere, {location::output, 0}));
    BOOST_TEST(is_range(run.ranges[2], 4, {location::input, 6}, nowhere, {location::output, 6}));
    BOOST_TEST(compiled(cut, result_at(location::input, 5), steps).instructions.size() == 1U);
}

BOOST_AUTO_TEST_CASE(neighbouring_blocks_are_one_part) {
    auto const cut = partition::of_sizes(std::vector<std::size_t>{3, 0, 4});
    std::vector<step> const steps{step::receive(0, 1, result, block_range{0, 3})};
    auto where = result_at(location::output, 3);
    auto const run = compiled(cut, where, steps);
    BOOST_TEST(run.ranges.size() == 1U);
    BOOST_TEST(is_range(run.ranges[0], 7, {location::incoming, 0}, nowhere, {location::output, 0}));
    where.block_by_block = true;
    auto const block_by_block = compiled(cut, where, steps);
    BOOST_TEST(block_by_block.ranges.size() == 2U);
    BOOST_TEST(is_range(block_by_block.ranges[1], 4, {location::incoming, 3}, nowhere, {location::output, 3}));
}

BOOST_AUTO_TEST_CASE(a_message_lies_in_the_order_of_its_list) {
    auto const run = compiled(partition::equal(8, 4), result_at(location::output, 4),
                              {step::receive(0, 1, result, block_list::cyclic(3, 2, 4))});
    BOOST_TEST(run.instructions[0].elements == 4U);
    BOOST_TEST(is_range(run.ranges[0], 2, {location::incoming, 0}, nowhere, {location::output, 6}));
    BOOST_TEST(is_range(run.ranges[1], 2, {location::incoming, 2}, nowhere, {location::output, 0}));
}

BOOST_AUTO_TEST_CASE(a_program_says_how_long_messages_may_be) {
    auto where = result_at(location::output, 0);
    BOOST_TEST(compiled(partition::equal(9, 1), where, {}).longest_message == data_layout::everything);
    where.longest_message = 5;
    BOOST_TEST(compiled(partition::equal(9, 1), where, {}).longest_message == 5U);
}

BOOST_AUTO_TEST_CASE(steps_on_empty_blocks_come_to_nothing) {
    auto const cut = partition::of_sizes(std::vector<std::size_t>{0, 2});
    auto const run = compiled(
        cut, {},
        {step::send(0, 1, result, 0), step::send(0, 1, result, 1), step::receive_combine(1, 1, result, 0, side::left)});
    BOOST_TEST(run.instructions.size() == 1U);
    BOOST_TEST(run.instructions[0].same_peer == instruction::none);
    BOOST_TEST(run.instructions[0].predecessors == 0U);
}

BOOST_AUTO_TEST_CASE(steps_on_the_same_block_wait_for_one_another) {
    auto const run =
        compiled(two_blocks, {},
                 {step::receive_combine(0, 1, result, 0, side::right),
                  step::receive_combine(0, 2, result, 1, side::right), step::send(1, 3, result, 0),
                  step::receive_combine(1, 4, result, 0, side::right), step::send(3, 3, result, block_range{0, 2})});
    BOOST_TEST(run.instructions[1].predecessors == 0U);
    BOOST_TEST((follows(run, 0, 2) && !follows(run, 1, 2)));
    BOOST_TEST((follows(run, 0, 3) && follows(run, 2, 3)));
    BOOST_TEST(run.instructions[3].waits_for_send);
    BOOST_TEST(!run.instructions[0].waits_for_send);
    BOOST_TEST((follows(run, 3, 4) && follows(run, 1, 4)));
}

BOOST_AUTO_TEST_CASE(messages_to_one_peer_know_their_order) {
    auto const run = compiled(partition::equal(4, 4), result_at(location::output, 4),
                              {step::send(0, 7, result, 0), step::receive(0, 7, result, 1), step::send(1, 5, result, 2),
                               step::send(2, 7, result, 3), step::receive(2, 7, result, 2)});
    BOOST_TEST(run.instructions[0].same_peer == instruction::none);
    BOOST_TEST(run.instructions[1].same_peer == instruction::none);
    BOOST_TEST(run.instructions[2].same_peer == instruction::none);
    BOOST_TEST(run.instructions[3].same_peer == 0U);
    BOOST_TEST(run.instructions[4].same_peer == 1U);
}

// The prefix is wanted where the input lies; the input is still needed for the total.
BOOST_AUTO_TEST_CASE(an_input_that_is_about_to_be_overwritten_is_saved) {
    data_layout where;
    where.prefix = location::input;
    where.result = location::output;
    where.required = {0, 1};
    auto const run = compiled(partition::equal(5, 1), where,
                              {step::receive(0, 0, buffer::prefix(), 0), step::send(1, 2, result, 0)});
    BOOST_TEST((run.instructions[0].what == action::copy));
    BOOST_TEST(is_range(run.ranges[0], 5, {location::input, 0}, nowhere, {location::output, 0}));
    BOOST_TEST(is_range(run.ranges[1], 5, {location::incoming, 0}, nowhere, {location::input, 0}));
    BOOST_TEST(follows(run, 0, 1));
    BOOST_TEST((run.ranges[2].left == location{location::output, 0}));
}

BOOST_AUTO_TEST_CASE(combining_into_an_empty_buffer_is_a_copy) {
    data_layout where;
    where.prefix = location::output;
    auto const run = compiled(partition::equal(5, 1), where,
                              {step::receive_combine(0, 0, buffer::prefix(), 0, side::left),
                               step::combine(1, result, buffer::prefix(), 0, side::right)});
    BOOST_TEST(is_range(run.ranges[0], 5, {location::incoming, 0}, nowhere, {location::output, 0}));
    BOOST_TEST(is_range(run.ranges[1], 5, {location::output, 0}, {location::input, 0}, {location::output, 0}));
}

BOOST_AUTO_TEST_CASE(a_long_pipeline_needs_little_workspace) {
    auto const cut = partition::equal(10'000, 1000);
    auto const run = compiler{cut, {}}(generate(collective::reduce{}, pipeline{}, problem{1, 3, 0, cut}));
    BOOST_TEST(run.instructions.size() == 2000U);
    BOOST_TEST(run.workspaces.size() == 1U);
    BOOST_TEST(run.workspaces[0] <= 10U * 80U);
}

// A rank's part lies in memory of its own, which does not begin where the vector begins.
BOOST_AUTO_TEST_CASE(parts_are_found_in_memory_of_their_size) {
    data_layout gathers;
    gathers.provided = {1, 2};
    gathers.input_offset = 3;
    auto const sends = compiled(partition::equal(9, 3), gathers, {step::send(0, 0, result, 1)});
    BOOST_TEST((sends.ranges[0].left == location{location::input, 0}));

    data_layout scatters = gathers;
    scatters.provided = {0, 3};
    scatters.input_offset = 0;
    scatters.result = location::output;
    scatters.required = {2, 3};
    scatters.result_offset = 6;
    auto const receives = compiled(partition::equal(9, 3), scatters,
                                   {step::receive_combine(0, 1, result, block_range{0, 3}, side::left)});
    location const incoming{location::incoming, 0};
    BOOST_TEST(is_range(receives.ranges[0], 6, incoming, {location::input, 0}, in_workspace(0)));
    BOOST_TEST(is_range(receives.ranges[1], 3, {location::incoming, 6}, {location::input, 6}, {location::output, 0}));
}

BOOST_AUTO_TEST_CASE(what_is_wanted_moves_to_the_front_when_nobody_reads_that_any_more) {
    auto where = result_at(location::input, 0);
    where.required = {2, 3};
    where.compact_result = true;
    auto const run = compiled(partition::equal(9, 3), where,
                              {step::receive_combine(0, 2, result, 0, side::left), step::send(1, 1, result, 0),
                               step::send(1, 1, result, 1), step::receive_combine(1, 1, result, 2, side::left)});
    BOOST_TEST(run.instructions.size() == 5U);
    // the rest of the input is only read
    BOOST_TEST(is_range(run.ranges[0], 3, {location::incoming, 0}, {location::input, 0},
                        location{location::first_workspace + 1, 0}));
    BOOST_TEST((run.ranges[2].left == location{location::input, 3}));
    BOOST_TEST(is_range(run.ranges[3], 3, {location::incoming, 0}, {location::input, 6}, in_workspace(0)));
    BOOST_TEST(is_range(run.ranges[4], 3, in_workspace(0), nowhere, {location::input, 0}));
    BOOST_TEST(follows(run, 0, 4));
    BOOST_TEST(follows(run, 3, 4));
    BOOST_TEST(run.workspaces[0] == 3U);
}

BOOST_AUTO_TEST_CASE(an_empty_prefix_becomes_the_identity_if_there_is_one) {
    data_layout where;
    where.prefix = location::output;
    auto const steps = std::vector<step>{step::receive(0, 1, buffer::prefix(), 1)};
    BOOST_TEST(compiled(partition::equal(8, 4), where, steps).ranges.size() == 1U);
    where.fills_prefix = true;
    auto const run = compiled(partition::equal(8, 4), where, steps);
    BOOST_TEST(run.instructions.size() == 2U);
    BOOST_TEST(is_range(run.ranges[1], 2, nowhere, nowhere, {location::output, 0}));
    BOOST_TEST(is_range(run.ranges[2], 4, nowhere, nowhere, {location::output, 4}));
}

BOOST_AUTO_TEST_CASE(an_input_that_is_read_by_name_is_kept_where_results_overwrite_it) {
    std::vector<step> const steps{step::receive(0, 1, result, 0), step::send(1, 1, buffer::input(), 0)};
    auto const apart = compiled(partition::equal(5, 1), result_at(location::output, 1), steps);
    BOOST_TEST((apart.ranges[1].left == location{location::input, 0}));
    auto const in_place = compiled(partition::equal(5, 1), result_at(location::input, 1), steps);
    BOOST_TEST(is_range(in_place.ranges[0], 5, {location::input, 0}, nowhere, in_workspace(0)));
    BOOST_TEST(follows(in_place, 0, 1));
    BOOST_TEST((in_place.ranges[2].left == in_workspace(0)));
}

BOOST_AUTO_TEST_SUITE_END()
