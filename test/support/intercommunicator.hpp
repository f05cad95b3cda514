// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <support/mpi_world.hpp>

namespace support {

/// Calls `body` with an intercommunicator between rank 0 and all others, of which there must be some.
template <class Body>
void on_intercommunicator(Body body) {
    bool const low = world_rank() == 0;
    MPI_Comm group = MPI_COMM_NULL;
    MPI_Comm both = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, low ? 0 : 1, 0, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, low ? 1 : 0, 0, &both);
    body(both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&group);
}

}  // namespace support
