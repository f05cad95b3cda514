// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::watch {

struct known_communicator;
class thread_place;

/// What the calls of a thread need at once.
struct thread_memory {
    MPI_Comm comm{};     ///< of the last call, if `known` is set
    unsigned freed = 0;  ///< communicators of this process, then
    known_communicator* known = nullptr;
    thread_place* place = nullptr;
};
inline constinit thread_local thread_memory this_thread{};

}  // namespace tutti::watch
