// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <support/point_to_point.hpp>

#include <tutti/communicator/mpi/duplicates.hpp>

/// Short words for tests that send messages by hand over MPI.
namespace point_to_point {

using tutti::completion;
using request = tutti::mpi::communicator::request;

inline tutti::mpi::communicator& tutti_of(MPI_Comm comm) { return tutti::communicator_of<MPI_Comm>::get(comm); }

/// All ranks in a ring.
struct neighbours {
    tutti::mpi::communicator& comm = tutti_of(MPI_COMM_WORLD);
    int next = (comm.rank() + 1) % comm.size();
    int previous = (comm.rank() + comm.size() - 1) % comm.size();
};

}  // namespace point_to_point
