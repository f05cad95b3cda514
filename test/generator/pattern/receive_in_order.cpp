// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>

#include <tutti/dynamic_array.hpp>
#include <tutti/generator/pattern/receive_in_order.hpp>

BOOST_AUTO_TEST_SUITE(generator_pattern_receive_in_order)

using namespace tutti;

namespace {

block_list const whole{block_range{0, 2}};
auto const into = buffer::scratch(3);
tutti::dynamic_array<std::size_t> const peers{4, 5, 9};

}  // namespace

BOOST_AUTO_TEST_CASE(the_first_message_overwrites_and_the_others_stand_right) {
    tutti::dynamic_array<step> steps;
    receive_in_order(steps, 1, peers, into, whole);
    BOOST_TEST((steps == tutti::dynamic_array<step>{step::receive(1, 4, into, whole),
                                           step::receive_combine(1, 5, into, whole, side::right),
                                           step::receive_combine(1, 9, into, whole, side::right)}));
}

BOOST_AUTO_TEST_CASE(appended_messages_all_stand_right) {
    tutti::dynamic_array<step> steps;
    append_in_order(steps, 2, peers, into, whole);
    BOOST_TEST((steps == tutti::dynamic_array<step>{step::receive_combine(2, 4, into, whole, side::right),
                                           step::receive_combine(2, 5, into, whole, side::right),
                                           step::receive_combine(2, 9, into, whole, side::right)}));
}

BOOST_AUTO_TEST_CASE(nobody_sends_nothing) {
    tutti::dynamic_array<step> steps;
    receive_in_order(steps, 1, {}, into, whole);
    append_in_order(steps, 1, {}, into, whole);
    BOOST_TEST(steps.empty());
}

BOOST_AUTO_TEST_SUITE_END()
