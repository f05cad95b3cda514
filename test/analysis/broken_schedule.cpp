// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <type_traits>

#include <tutti/analysis/broken_schedule.hpp>

BOOST_AUTO_TEST_SUITE(analysis_broken_schedule)

BOOST_AUTO_TEST_CASE(the_message_is_the_reason_with_the_library_in_front) {
    tutti::broken_schedule const broken{"rank 3 waits for itself"};
    BOOST_TEST(broken.reason() == "rank 3 waits for itself");
    BOOST_TEST(broken.what() == std::string{"tutti: rank 3 waits for itself"});
}

BOOST_AUTO_TEST_CASE(it_is_an_error_of_whoever_wrote_the_schedule) {
    static_assert(std::is_base_of_v<std::logic_error, tutti::broken_schedule>);
    try {
        throw tutti::broken_schedule{"a"};
    } catch (std::logic_error const& caught) {
        BOOST_TEST(caught.what() == std::string{"tutti: a"});
    }
}

BOOST_AUTO_TEST_SUITE_END()
