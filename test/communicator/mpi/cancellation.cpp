// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <vector>

#include <mpi.h>

#include <tutti/communicator/mpi/cancellation.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_cancellation)

BOOST_FIXTURE_TEST_CASE(messages_that_nobody_receives_are_thrown_away, support::own_world) {
    for (int const count : {1, 100'000}) {  // the longer ones stay with their senders until somebody asks for them
        std::vector<int> const data(static_cast<std::size_t>(count), 1);
        std::vector<MPI_Request> sends;
        for (int peer = 0; peer != size; ++peer) {
            sends.emplace_back();
            MPI_Isend(data.data(), count, MPI_INT, peer, 3, world, &sends.back());
        }
        for (int discarded = 0; discarded != size;) { discarded += tutti::mpi::discard_message(world, 3) ? 1 : 0; }
        MPI_Waitall(size, sends.data(), MPI_STATUSES_IGNORE);
        BOOST_TEST(!tutti::mpi::discard_message(world));
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

BOOST_AUTO_TEST_SUITE_END()
