// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// For tests on the ranks of MPI_COMM_WORLD, in place of Boost.Test's header: their program initialises MPI.

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
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

/// A communicator of all ranks on which no call has been made yet.
struct own_world {
    own_world() { MPI_Comm_dup(MPI_COMM_WORLD, &world); }
    own_world(own_world const&) = delete;
    own_world& operator=(own_world const&) = delete;
    ~own_world() { MPI_Comm_free(&world); }

    MPI_Comm world = MPI_COMM_NULL;
    int rank = world_rank();
    int size = world_size();
};

/// TUTTI_SINGLE_COPY while an object lives: how long messages go through memory that is made meanwhile.
class single_copies {
public:
    explicit single_copies(char const* wanted) {
        if (auto const* const before = std::getenv(name)) { before_ = before; }
        setenv(name, wanted, 1);
    }
    /// Not what is faster on this machine: one way for even numbers of ranks and the other for odd ones, unless the
    /// environment says which.
    static void of_ranks(int size) {
        static bool const is_chosen = std::getenv(name) != nullptr;
        if (!is_chosen) { setenv(name, size % 2 == 0 ? "always" : "never", 1); }
    }
    single_copies(single_copies const&) = delete;
    single_copies& operator=(single_copies const&) = delete;
    ~single_copies() {
        if (before_) {
            setenv(name, before_->c_str(), 1);
        } else {
            unsetenv(name);
        }
    }

private:
    static constexpr char const* name = "TUTTI_SINGLE_COPY";

    std::optional<std::string> before_;
};

/// What MPI is asked for. A test that needs more says so where it initialises a variable of its own.
inline int thread_level = MPI_THREAD_SINGLE;

}  // namespace support
