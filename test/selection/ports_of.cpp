// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <tutti/generator/binomial.hpp>
#include <tutti/generator/any_generator.hpp>
#include <tutti/generator/ported_circulant.hpp>
#include <tutti/generator/recursive_multiplying.hpp>

BOOST_AUTO_TEST_SUITE(selection_ports_of)

using namespace tutti;
using namespace tutti::generators;

BOOST_AUTO_TEST_CASE(what_has_several_messages_under_way_says_how_many) {
    BOOST_TEST(ports_of(recursive_multiplying{.radix = 5}) == 4);
    BOOST_TEST(ports_of(ported_circulant{.ports = 3}) == 3);
    BOOST_TEST(ports_of(reverse(ported_circulant{.ports = 3})) == 3);
    BOOST_TEST(ports_of(then(ported_circulant{.ports = 7}, reverse(ported_circulant{.ports = 7}))) == 7);
}

BOOST_AUTO_TEST_CASE(others_say_nothing) {
    BOOST_TEST(ports_of(binomial{}) == 0);
    BOOST_TEST(ports_of(then(binomial{}, reverse(binomial{}))) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
