// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <algorithm>
#include <vector>

#include <mpi.h>

#include <tutti/communicator/mpi/cancellation.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_cancellation)

BOOST_AUTO_TEST_CASE(messages_that_nobody_receives_are_taken_in) {
    int const size = support::world_size();
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int const count : {1, 100'000}) {  // the longer ones stay with their senders until somebody asks for them
        std::vector<int> const data(static_cast<std::size_t>(count), 1);
        std::vector<MPI_Request> sends;
        for (int peer = 0; peer != size; ++peer) {
            sends.emplace_back();
            MPI_Issend(data.data(), count, MPI_INT, peer, 3, comm, &sends.back());
        }
        tutti::mpi::drain(comm, sends);
        BOOST_TEST(std::all_of(sends.begin(), sends.end(), [](auto each) { return each == MPI_REQUEST_NULL; }));
        int found = -1;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, MPI_STATUS_IGNORE);
        BOOST_TEST(found == 0);
        BOOST_TEST(!tutti::mpi::discard_message(comm));
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Comm_free(&comm);
}

BOOST_AUTO_TEST_SUITE_END()
