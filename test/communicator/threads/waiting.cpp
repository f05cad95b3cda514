// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <tutti/communicator/backoff.hpp>
#include <tutti/communicator/threads/waiting.hpp>

BOOST_AUTO_TEST_SUITE(communicator_threads_waiting)

using step = tutti::control::backoff::step;

BOOST_AUTO_TEST_CASE(on_a_crowded_machine_others_run_once_and_then_it_sleeps) {
    tutti::control::backoff how{tutti::threads::limits_of_polls(true)};
    for (int wait = 0; wait != 40; ++wait) {
        how.begin();
        BOOST_TEST((how.next() == step::yield));
        BOOST_TEST((how.next() == step::sleep));
        how.slept();
    }
}

BOOST_AUTO_TEST_CASE(with_a_processor_of_its_own_it_never_yields) {
    tutti::control::backoff how{tutti::threads::limits_of_polls(false)};
    for (int wait = 0; wait != 40; ++wait) {
        how.begin();
        auto last = step::poll;
        while (last == step::poll) { last = how.next(); }
        BOOST_TEST((last == step::sleep));
        how.slept();
    }
}

BOOST_AUTO_TEST_SUITE_END()
