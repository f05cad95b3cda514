// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>

#include <tutti/dynamic_array.hpp>
#include <tutti/generator/pattern/running_prefix.hpp>

BOOST_AUTO_TEST_SUITE(generator_pattern_running_prefix)

using namespace tutti;
using namespace tutti::container;
using namespace tutti::generators;
using namespace tutti::schedules;

namespace {

block_list const whole{block_range{0, 3}};
auto const prefix = buffer::prefix();
auto const result = buffer::result();
auto const incoming = buffer::scratch(0);

}  // namespace

BOOST_AUTO_TEST_CASE(the_first_message_is_the_prefix) {
    running_prefix growing{whole};
    BOOST_TEST(!growing.holds_anything());
    dynamic_array<step> steps;
    growing.receive(steps, 4, 9, false);
    BOOST_TEST(growing.holds_anything());
    BOOST_TEST((steps == dynamic_array<step>{step::receive(4, 9, prefix, whole)}));
}

BOOST_AUTO_TEST_CASE(later_messages_come_in_front) {
    running_prefix growing{whole};
    dynamic_array<step> steps;
    growing.receive(steps, 0, 9, false);
    growing.receive(steps, 1, 7, false);
    BOOST_TEST((steps.back() == step::receive_combine(1, 7, prefix, whole, side::left)));
}

BOOST_AUTO_TEST_CASE(a_message_for_two_places_is_received_once) {
    running_prefix growing{whole};
    dynamic_array<step> steps;
    growing.receive(steps, 0, 9, true);
    growing.receive(steps, 1, 7, true);
    BOOST_TEST((steps == dynamic_array<step>{step::receive(0, 9, prefix, whole),
                                           step::combine(0, prefix, result, whole, side::left),
                                           step::receive(1, 7, incoming, whole),
                                           step::combine(1, incoming, prefix, whole, side::left),
                                           step::combine(1, incoming, result, whole, side::left)}));
}

BOOST_AUTO_TEST_CASE(messages_that_only_go_up_need_no_place_beside_the_prefix) {
    running_prefix growing{whole};
    dynamic_array<step> steps;
    growing.receive(steps, 0, dynamic_array<std::size_t>{7, 9}, false);
    BOOST_TEST((steps == dynamic_array<step>{step::receive(0, 7, prefix, whole),
                                           step::receive_combine(0, 9, prefix, whole, side::right)}));
}

BOOST_AUTO_TEST_CASE(messages_of_neighbours_are_combined_before_they_come_in_front) {
    running_prefix growing{whole};
    dynamic_array<step> steps;
    growing.receive(steps, 0, dynamic_array<std::size_t>{}, true);
    BOOST_TEST(steps.empty());
    BOOST_TEST(!growing.holds_anything());
    growing.receive(steps, 0, dynamic_array<std::size_t>{7, 9}, true);
    growing.receive(steps, 1, dynamic_array<std::size_t>{1, 5}, false);
    BOOST_TEST((steps == dynamic_array<step>{step::receive(0, 7, incoming, whole),
                                           step::receive_combine(0, 9, incoming, whole, side::right),
                                           step::copy(0, incoming, prefix, whole),
                                           step::combine(0, incoming, result, whole, side::left),
                                           step::receive(1, 1, incoming, whole),
                                           step::receive_combine(1, 5, incoming, whole, side::right),
                                           step::combine(1, incoming, prefix, whole, side::left)}));
}

namespace {

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
