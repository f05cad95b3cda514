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

    friend bool operator==(request const&, request const&) = default;
};

}  // namespace tutti::mpi
