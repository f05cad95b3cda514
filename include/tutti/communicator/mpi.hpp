// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <stdexcept>

#include <mpi.h>

#include <tutti/communicator.hpp>
#include <tutti/communicator/mpi/communicator.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>
#include <tutti/communicator/mpi/error.hpp>

namespace tutti {

namespace mpi {

/// Throws unless MPI_Init has been called and MPI_Finalize has not.
inline void require_running() {
    int initialised = 0;
    check("MPI_Initialized", MPI_Initialized(&initialised));
    if (initialised == 0) {
        throw std::logic_error{
            "tutti: MPI is not initialised; call MPI_Init, or make a boost::mpi::environment, first"};
    }
    if (is_finalised()) {
        throw std::logic_error{"tutti: MPI is already finalised; no collective can run after MPI_Finalize"};
    }
}

}  // namespace mpi

/// Any intracommunicator of MPI is a world: tutti talks over a duplicate of it that is made at the first
/// collective (which all ranks enter, as they do MPI_Comm_dup) and freed with it, or by MPI_Finalize.
template <>
struct communicator_of<MPI_Comm> {
    static mpi::communicator& get(MPI_Comm world) {
        mpi::require_running();
        if (world == MPI_COMM_NULL) { throw std::invalid_argument{"tutti: the communicator is MPI_COMM_NULL"}; }
        return mpi::duplicates::find_or_make(world);
    }
};

}  // namespace tutti
