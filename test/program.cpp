// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <utility>

#include <tutti/program.hpp>

BOOST_AUTO_TEST_SUITE(program)

using namespace tutti;
using namespace tutti::engine;
using namespace tutti::schedules;

BOOST_AUTO_TEST_CASE(an_operand_continues_where_it_ends) {
    location const here{location::output, 4};
    BOOST_TEST(here.continues(3, {location::output, 7}));
    BOOST_TEST(!here.continues(3, {location::output, 8}));
    BOOST_TEST(!here.continues(3, {location::input, 7}));
    BOOST_TEST(!here.continues(3, {}));
    BOOST_TEST(location{}.continues(3, {}));
}

BOOST_AUTO_TEST_CASE(an_instruction_depends_on_nothing_unless_it_says_so) {
    instruction const fresh;
    BOOST_TEST(fresh.predecessors == 0U);
    BOOST_TEST(fresh.same_peer == instruction::none);
    BOOST_TEST(!fresh.receives());
    instruction combining;
    combining.what = action::receive_combine;
    BOOST_TEST(combining.receives());
}

BOOST_AUTO_TEST_CASE(a_program_in_bytes_keeps_elements_together) {
    tutti::engine::program run;
    run.instructions.resize(1);
    run.instructions[0].elements = 5;
    run.ranges.push_back({5, {location::input, 2}, {location::incoming, 0}, {location::first_workspace, 7}});
    run.workspaces = {12};
    run.longest_message = 3;
    auto const bytes = std::move(run).in_bytes(24);
    BOOST_TEST(bytes.unit == 24U);
    BOOST_TEST(bytes.instructions[0].elements == 120U);
    BOOST_TEST(bytes.ranges[0].count == 120U);
    BOOST_TEST((bytes.ranges[0].left == location{location::input, 48}));
    BOOST_TEST((bytes.ranges[0].right == location{location::incoming, 0}));
    BOOST_TEST((bytes.ranges[0].target == location{location::first_workspace, 168}));
    BOOST_TEST(bytes.workspaces[0] == 288U);
    BOOST_TEST(bytes.longest_message == 72U);
    auto const unlimited = tutti::engine::program{}.in_bytes(24).longest_message;
    BOOST_TEST((unlimited > std::size_t{1} << 60 && unlimited % 24 == 0));
}

BOOST_AUTO_TEST_SUITE_END()
