// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <stdexcept>

#include <mpi.h>

#include <tutti/communicator.hpp>
#include <tutti/communicator/mpi/communicator.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>

namespace tutti {

/// Any intracommunicator of MPI is a world: tutti talks over a duplicate of it that is made at the first
/// collective (which all ranks enter, as they do MPI_Comm_dup) and freed with it, or by MPI_Finalize.
template <>
struct communicator_of<MPI_Comm> {
    static mpi::communicator& get(MPI_Comm world) {
        if (world == MPI_COMM_NULL) { throw std::invalid_argument{"tutti: the communicator is MPI_COMM_NULL"}; }
        return mpi::duplicates::find_or_make(world);
    }
};

}  // namespace tutti
