// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/shared_memory/endpoint.hpp>

namespace tutti::mpi {

/// A message under way: one of MPI's, or one through shared memory.
struct request {
    MPI_Request mpi = MPI_REQUEST_NULL;
    node::request shm{};
    node::endpoint* channel = nullptr;
    // of a receive of MPI's whose tag has the length in it
    MPI_Comm comm = MPI_COMM_NULL;
    int from = MPI_PROC_NULL;
    int tag = 0;  // MPI_ANY_TAG once it has been withdrawn, see `other_lengths`

    [[nodiscard]] bool is_withdrawn() const { return tag == MPI_ANY_TAG; }
    /// The error of its completion.
    static constexpr int withdrawn = MPI_ERR_LASTCODE - 1;

    friend bool operator==(request const&, request const&) = default;
};

}  // namespace tutti::mpi
