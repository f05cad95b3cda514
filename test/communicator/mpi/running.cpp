// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <stdexcept>

#include <support/sentences.hpp>
#include <tutti/communicator/mpi/running.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_running)

BOOST_AUTO_TEST_CASE(before_it_is_initialised_mpi_does_not_run) {
    BOOST_TEST(!tutti::mpi::is_finalised());
    BOOST_CHECK_EXCEPTION(tutti::mpi::require_running(), std::logic_error,
                          support::begins("tutti: MPI is not initialised; call MPI_Init"));
}

BOOST_AUTO_TEST_SUITE_END()
