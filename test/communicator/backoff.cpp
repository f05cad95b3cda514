// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>

#include <tutti/communicator/backoff.hpp>

BOOST_AUTO_TEST_SUITE(communicator_backoff)

namespace {

using tutti::control::backoff;
using step = tutti::control::backoff::step;

/// How often a rank polls before it does something else.
std::size_t polls_of_a_wait(backoff& how) {
    how.begin();
    std::size_t result = 1;
    while (how.next() == step::poll) { ++result; }
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(first_it_polls_then_it_yields_then_it_sleeps) {
    backoff how{{.few = 10, .most = 10, .yields = 3, .always_sleeps = true}};
    for (int wait = 0; wait != 3; ++wait) {
        how.begin();
        for (int poll = 1; poll != 10; ++poll) { BOOST_TEST((how.next() == step::poll)); }
        for (int yield = 0; yield != 3; ++yield) { BOOST_TEST((how.next() == step::yield)); }
        BOOST_TEST((how.next() == step::sleep));
        BOOST_TEST((how.next() == step::sleep));
        BOOST_TEST((how.next(false) == step::yield));
    }
}

BOOST_AUTO_TEST_CASE(it_never_sleeps_unless_it_may) {
    backoff how{{.few = 1, .most = 1}};
    for (int i = 0; i != 10'000; ++i) { BOOST_TEST_REQUIRE((how.next() == step::yield)); }
}

BOOST_AUTO_TEST_CASE(who_has_slept_polls_less_and_then_more_again) {
    backoff how{{.few = 20, .most = 1000, .yields = 0, .always_sleeps = true}};
    BOOST_TEST(polls_of_a_wait(how) == 1000U);
    how.slept();
    BOOST_TEST(polls_of_a_wait(how) == 22U);
    how.slept();
    how.begin();  // what it waits for is there at once
    BOOST_TEST(polls_of_a_wait(how) == 22U);
    BOOST_TEST(polls_of_a_wait(how) == 1000U);  // it has come before the rank slept
}

BOOST_AUTO_TEST_CASE(now_and_then_it_polls_as_long_as_at_first) {
    backoff how{{.few = 20, .most = 1000, .yields = 0, .always_sleeps = true}};
    int long_waits = 0;
    for (int wait = 0; wait != 160; ++wait) {
        if (polls_of_a_wait(how) == 1000) { ++long_waits; }
        how.slept();
    }
    BOOST_TEST(long_waits == 10);
}

BOOST_AUTO_TEST_SUITE_END()
