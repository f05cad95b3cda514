// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <tutti/communicator/threads/waiting.hpp>

BOOST_AUTO_TEST_SUITE(communicator_threads_waiting)

namespace threads = tutti::threads;

namespace {

/// How often a rank looks that never finds anything.
unsigned looks_in_vain(threads::disappointments& lately) {
    threads::backoff awake{false, lately};
    unsigned looks = 1;
    while (awake.lasts()) { ++looks; }
    return looks;
}

}  // namespace

BOOST_AUTO_TEST_CASE(on_a_crowded_machine_one_more_look_is_enough) {
    threads::disappointments lately;
    threads::backoff awake{true, lately};
    BOOST_TEST(awake.lasts());
    BOOST_TEST(!awake.lasts());
    BOOST_TEST(!awake.lasts());
}

BOOST_AUTO_TEST_CASE(it_ends_and_is_a_disappointment_once) {
    threads::disappointments lately;
    threads::backoff awake{false, lately};
    BOOST_TEST(awake.lasts());
    while (awake.lasts()) {}
    BOOST_TEST(lately.in_a_row == 1U);
    while (awake.lasts()) {}
    awake.rewarded();
    BOOST_TEST(lately.in_a_row == 1U);
}

BOOST_AUTO_TEST_CASE(only_what_comes_while_it_looks_is_a_reward) {
    threads::disappointments lately{3};
    threads::backoff at_once{false, lately};
    at_once.rewarded();
    BOOST_TEST(lately.in_a_row == 3U);
    threads::backoff soon{false, lately};
    BOOST_TEST(soon.lasts());
    soon.rewarded();
    BOOST_TEST(lately.in_a_row == 0U);
}

BOOST_AUTO_TEST_CASE(it_ends_however_often_it_was_disappointed) {
    threads::disappointments lately;
    for (unsigned times = 1; times != 40; ++times) {
        BOOST_TEST(looks_in_vain(lately) > 1U);
        BOOST_TEST(lately.in_a_row == times);
    }
}

BOOST_AUTO_TEST_SUITE_END()
