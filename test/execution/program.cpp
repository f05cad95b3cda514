// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#define BOOST_TEST_MODULE execution.program
#include <boost/test/unit_test.hpp>

#include <tutti/execution/program.hpp>

using namespace tutti;

BOOST_AUTO_TEST_CASE(an_operand_continues_where_it_ends) {
    place const here{place::output, 4};
    BOOST_TEST(here.continues(3, {place::output, 7}));
    BOOST_TEST(!here.continues(3, {place::output, 8}));
    BOOST_TEST(!here.continues(3, {place::input, 7}));
    BOOST_TEST(!here.continues(3, {}));
    BOOST_TEST(place{}.continues(3, {}));
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
