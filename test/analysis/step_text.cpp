// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <tutti/analysis/step_text.hpp>
#include <tutti/schedule.hpp>

BOOST_AUTO_TEST_SUITE(analysis_step_text)

using tutti::block_list;
using tutti::block_range;
using tutti::buffer;
using tutti::side;
using tutti::step;

BOOST_AUTO_TEST_CASE(blocks_are_half_open_ranges_in_the_order_of_the_message) {
    BOOST_TEST(tutti::step_text::blocks(7) == "blocks [7,8)");
    BOOST_TEST(tutti::step_text::blocks(block_range{2, 5}) == "blocks [2,5)");
    BOOST_TEST(tutti::step_text::blocks(block_list::cyclic(6, 4, 8)) == "blocks [6,8)[0,2)");
    block_list three{0};
    three.append({9, 11});
    three.append({4, 5});
    BOOST_TEST(tutti::step_text::blocks(three) == "blocks [0,1)[9,11)[4,5)");
    BOOST_TEST(tutti::step_text::blocks({}) == "blocks ");
}

BOOST_AUTO_TEST_CASE(messages_name_the_peer) {
    BOOST_TEST(tutti::step_text::step(step::send(4, 2, buffer::scratch(1), 0)) == "send to rank 2, blocks [0,1)");
    BOOST_TEST(tutti::step_text::step(step::receive(4, 3, buffer::result(), 0)) == "receive from rank 3, blocks [0,1)");
    BOOST_TEST(tutti::step_text::step(step::receive_combine(4, 12, buffer::result(), 5, side::left)) ==
               "receive_combine from rank 12, blocks [5,6)");
}

BOOST_AUTO_TEST_CASE(local_steps_name_both_buffers_source_first) {
    BOOST_TEST(tutti::step_text::step(step::combine(0, buffer::scratch(0), buffer::result(), 1, side::left)) ==
               "combine scratch0 into result, blocks [1,2)");
    BOOST_TEST(tutti::step_text::step(step::copy(0, buffer::input(), buffer::prefix(), block_range{0, 4})) ==
               "copy input into prefix, blocks [0,4)");
}

BOOST_AUTO_TEST_CASE(a_place_is_a_rank_a_step_and_what_it_is) {
    BOOST_TEST(tutti::step_text::place(3, 20, step::send(9, 0, buffer::result(), 0)) ==
               "rank 3, step 20 (send to rank 0, blocks [0,1))");
}

BOOST_AUTO_TEST_SUITE_END()
