// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstdlib>

#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/environment.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_environment)

using tutti::memory_sharing;
using tutti::mpi::environment;

BOOST_AUTO_TEST_CASE(the_usual_words_for_yes_and_no_in_any_case) {
    for (auto const* const yes : {"1", "yes", "on", "true", "TRUE", "On"}) {
        setenv("TUTTI_CHECK", yes, 1);
        BOOST_TEST(environment::checks_calls());
    }
    for (auto const* const no : {"0", "no", "off", "False", "", "2", "maybe", "o"}) {
        setenv("TUTTI_CHECK", no, 1);
        BOOST_TEST(!environment::checks_calls());
    }
    unsetenv("TUTTI_CHECK");
    BOOST_TEST(!environment::checks_calls());
}

BOOST_AUTO_TEST_CASE(what_is_not_known_ends_nothing) {
    setenv("TUTTI_SHARED_MEMORY", "ALWAYS", 1);
    BOOST_TEST((environment::sharing() == memory_sharing::always));
    setenv("TUTTI_SHARED_MEMORY", "sometimes", 1);
    BOOST_TEST((environment::sharing() == memory_sharing::automatic));
    tutti::mpi::communicator fresh{MPI_COMM_SELF};
    BOOST_CHECK_NO_THROW(static_cast<void>(fresh.begin()));
    unsetenv("TUTTI_SHARED_MEMORY");
    {
        support::single_copies const word{"x"};
        BOOST_TEST((environment::single_copies() == memory_sharing::automatic));
    }
    setenv("TUTTI_TIMEOUT", "1.5", 1);
    BOOST_TEST(environment::time_limit() == 1500);
    for (auto const* const none : {"soon", "-1", "3 s", "", "1e9"}) {
        setenv("TUTTI_TIMEOUT", none, 1);
        BOOST_TEST(environment::time_limit() == 0);
    }
    unsetenv("TUTTI_TIMEOUT");
}

BOOST_AUTO_TEST_SUITE_END()
