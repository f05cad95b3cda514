// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// For tests on the ranks of MPI_COMM_WORLD, in place of Boost.Test's header: their program initialises MPI.

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <thread>

#include <mpi.h>

namespace support {

inline int world_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

inline int world_size() {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

/// A barrier of MPI_COMM_WORLD that leaves the processors to ranks which are still busy.
inline void sleep_until_all_are_here() {
    MPI_Request all_are_here = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &all_are_here);
    for (int ended = 0; MPI_Test(&all_are_here, &ended, MPI_STATUS_IGNORE), ended == 0;) {
        std::this_thread::sleep_for(std::chrono::microseconds{500});
    }
}

/// What MPI is asked for. A test that needs more says so where it initialises a variable of its own.
inline int thread_level = MPI_THREAD_SINGLE;

}  // namespace support
