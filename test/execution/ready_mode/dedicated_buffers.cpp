// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>

#include <tutti/execution/ready_mode.hpp>

BOOST_AUTO_TEST_SUITE(execution_ready_mode_dedicated_buffers)

using namespace tutti;

namespace {

/// A message of ten elements in so many ranges, after so many instructions that touch the same blocks.
void add(program& run, action what, std::uint32_t ranges, std::uint32_t predecessors) {
    instruction next;
    next.what = what;
    next.elements = 10;
    next.first_range = static_cast<std::uint32_t>(run.ranges.size());
    next.last_range = next.first_range + ranges;
    next.predecessors = predecessors;
    run.ranges.resize(next.last_range);
    run.instructions.push_back(next);
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_cannot_go_to_its_place_yet_has_memory_of_its_own) {
    program run;
    add(run, action::receive, 1, 0);
    add(run, action::receive, 1, 1);  // others use the place first
    add(run, action::send, 1, 1);
    add(run, action::receive, 2, 0);  // there is more than one place
    add(run, action::receive_combine, 1, 0);
    add(run, action::combine, 1, 1);
    add(run, action::receive_combine, 2, 3);
    dedicated_buffers<int> memory{run};
    for (std::size_t const i : {0U, 2U, 5U}) { BOOST_TEST(memory.scratch_for(i, 0) == nullptr); }
    auto* const begin = memory.scratch_for(1, 0);
    BOOST_TEST(begin != nullptr);
    BOOST_TEST(memory.scratch_for(1, 7) - begin == 7);
    BOOST_TEST(memory.scratch_for(3, 0) - begin == 10);
    BOOST_TEST(memory.scratch_for(4, 0) - begin == 20);
    BOOST_TEST(memory.scratch_for(6, 9) - begin == 39);
    BOOST_TEST(memory.size() == 40U);
}

BOOST_AUTO_TEST_CASE(a_program_without_receives_needs_none) {
    program run;
    add(run, action::send, 1, 0);
    BOOST_TEST(dedicated_buffers<double>{run}.size() == 0U);
    BOOST_TEST(dedicated_buffers<double>{program{}}.size() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
