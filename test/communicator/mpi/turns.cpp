// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#define BOOST_TEST_MODULE communicator_mpi_turns
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <string>
#include <thread>

#include <tutti/communicator/mpi/turns.hpp>

namespace {

/// What launchers tell: nothing, or one of them a number.
bool told(char const* by = nullptr, std::string const& ranks = {}) {
    ::unsetenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    ::unsetenv("MPI_LOCALNRANKS");
    if (by) { ::setenv(by, ranks.c_str(), 1); }
    return tutti::mpi::ranks_take_turns();
}

}  // namespace

BOOST_AUTO_TEST_CASE(more_ranks_than_processors_take_turns) {
    auto const processors = std::thread::hardware_concurrency();
    for (auto const* const launcher : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}) {
        BOOST_TEST(!told(launcher, "1"));
        BOOST_TEST(!told(launcher, std::to_string(processors)));
        BOOST_TEST(told(launcher, std::to_string(processors + 1)));
    }
}

BOOST_AUTO_TEST_CASE(without_a_launcher_no_rank_lets_others_run) {
    BOOST_TEST(!told());
    BOOST_TEST(!told("MPI_LOCALNRANKS", "many"));
}
