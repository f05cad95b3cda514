// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <mpi.h>

#include <tutti/communicator/mpi/progress.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_progress_wait_any)

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

BOOST_AUTO_TEST_CASE(whoever_waits_is_told_what_has_ended) {
    int const size = support::world_size();
    int const rank = support::world_rank();
    for (bool const taken : {false, true}) {
        tutti::control::backoff how{tutti::mpi::limits_of_looks(taken)};
        auto const nothing_else = [] {};
        int index = -1;
        MPI_Status status;
        std::vector<MPI_Request> requests(3, MPI_REQUEST_NULL);
        BOOST_TEST(tutti::mpi::wait_any(how, requests, index, status, nothing_else) == MPI_SUCCESS);
        BOOST_TEST(index == MPI_UNDEFINED);

        int const sent = 100 + rank;
        int came = -1;
        MPI_Irecv(&came, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &requests[1]);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(&sent, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD);
        BOOST_TEST(tutti::mpi::wait_any(how, requests, index, status, nothing_else) == MPI_SUCCESS);
        BOOST_TEST(index == 1);
        BOOST_TEST(status.MPI_SOURCE == (rank + size - 1) % size);
        BOOST_TEST(came == 100 + (rank + size - 1) % size);
        BOOST_TEST((requests[1] == MPI_REQUEST_NULL));
    }
}

// Who waits in vain looks for other things now and then, and may leave by an exception.
BOOST_AUTO_TEST_CASE(whoever_waits_in_vain_attends_to_other_things) {
    for (bool const taken : {false, true}) {
        tutti::control::backoff how{tutti::mpi::limits_of_looks(taken)};
        int never = 0;
        int calls = 0;
        int index = -1;
        MPI_Status status;
        std::vector<MPI_Request> requests(1, MPI_REQUEST_NULL);
        MPI_Irecv(&never, 1, MPI_INT, 0, 7, MPI_COMM_SELF, requests.data());
        auto const leave_at_third = [&] {
            if (++calls == 3) { throw std::domain_error{"something else"}; }
        };
        BOOST_CHECK_THROW(static_cast<void>(tutti::mpi::wait_any(how, requests, index, status, leave_at_third)),
                          std::domain_error);
        BOOST_TEST(calls == 3);
        MPI_Cancel(requests.data());
        MPI_Wait(requests.data(), MPI_STATUS_IGNORE);
    }
}

BOOST_AUTO_TEST_SUITE_END()
