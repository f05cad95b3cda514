// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <functional>

#include <tutti/text.hpp>

BOOST_AUTO_TEST_SUITE(text)

BOOST_AUTO_TEST_CASE(types_have_their_names) {
    BOOST_TEST(tutti::text::type_name<int>() == "int");
    BOOST_TEST(tutti::text::type_name<std::plus<double>>() == "std::plus<double>");
    BOOST_TEST(tutti::text::type_name<double[3]>().starts_with("double"));
}

BOOST_AUTO_TEST_SUITE_END()
