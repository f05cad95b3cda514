// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <tutti/analysis/escaped.hpp>

BOOST_AUTO_TEST_SUITE(analysis_escaped)

using namespace tutti::analysis;

BOOST_AUTO_TEST_CASE(words_stand_for_characters) {
    BOOST_TEST(escaped("a|b||", {{'|', "\\|"}, {'\\', "\\\\"}}) == "a\\|b\\|\\|");
    BOOST_TEST(escaped("a\\|", {{'|', "\\|"}, {'\\', "\\\\"}}) == "a\\\\\\|");
    BOOST_TEST(escaped("", {{'|', "\\|"}}) == "");
}

BOOST_AUTO_TEST_CASE(quotes_are_written_as_each_format_has_them) {
    BOOST_TEST(quoted_for_json("a \"b\" \\c") == "\"a \\\"b\\\" \\\\c\"");
    BOOST_TEST(quoted_for_csv("a \"b\" \\c") == "\"a \"\"b\"\" \\c\"");
}

BOOST_AUTO_TEST_SUITE_END()
