// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/world.hpp>

namespace tutti {

namespace mpi {

class communicator;

}  // namespace mpi

/// Any intracommunicator of MPI is a world: tutti's messages go over a duplicate of it that is made at the first
/// collective (which all ranks enter, as they do MPI_Comm_dup) and freed with it, or by MPI_Finalize. No callback of
/// the user's attributes is run for it.
/// Errors: std::invalid_argument for MPI_COMM_NULL and for intercommunicators.
template <>
struct communicator_of<MPI_Comm> {
    static mpi::communicator& get(MPI_Comm world);
};

}  // namespace tutti
