// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/error.hpp>

namespace tutti::mpi {

/// A communicator of the ranks of `original` in their order, whose messages never meet those of `original`; all its
/// ranks have to call. Not by MPI_Comm_dup: that runs the copy callbacks of the user's attributes, and those of another
/// library may communicate, allocate or refuse. Hints and topologies are not inherited either.
/// Result: to be freed by the caller. Errors: those of MPI, by the error handler of `original`.
[[nodiscard]] inline MPI_Comm private_communicator(MPI_Comm original) {
    MPI_Group ranks = MPI_GROUP_NULL;
    check("MPI_Comm_group", MPI_Comm_group(original, &ranks));
    MPI_Comm result = MPI_COMM_NULL;
    auto const status = MPI_Comm_create(original, ranks, &result);
    MPI_Group_free(&ranks);
    check("MPI_Comm_create", status);
    return result;
}

}  // namespace tutti::mpi
