// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::mpi {

/// While an object lives, calls of MPI that test requests, or wait for them, return errors.
///
/// MPICH raises the errors of messages by the handler of MPI_COMM_WORLD, or MPI_COMM_SELF, whatever the communicator of
/// the request says; left alone that ends the program. To replace it takes some hundred nanoseconds. Others ask the
/// request's communicator. Where several threads may call MPI at once (MPI_THREAD_MULTIPLE), they would see that, and
/// under the accelerator so would operators of programs that know nothing of it: there the program's handlers stay, and
/// get such errors, as they get those of MPI's own collectives.
#if defined(MPICH_VERSION) && !defined(TUTTI_KEEPS_ERROR_HANDLERS)
class returned_errors {
public:
    returned_errors() {
        static bool const is_seen = [] {
            int level = MPI_THREAD_MULTIPLE;
            return MPI_Query_thread(&level) != MPI_SUCCESS || level == MPI_THREAD_MULTIPLE;
        }();
        if (is_seen || depth_++ != 0) { return; }
        replace(MPI_COMM_WORLD, handler_of_world_);
        replace(MPI_COMM_SELF, handler_of_self_);
    }
    returned_errors(returned_errors const&) = delete;
    returned_errors& operator=(returned_errors const&) = delete;
    ~returned_errors() {
        if (depth_ == 0 || --depth_ != 0) { return; }
        restore(MPI_COMM_WORLD, handler_of_world_);
        restore(MPI_COMM_SELF, handler_of_self_);
    }

private:
    static void replace(MPI_Comm comm, MPI_Errhandler& saved) {
        MPI_Comm_get_errhandler(comm, &saved);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    }
    static void restore(MPI_Comm comm, MPI_Errhandler& saved) {
        MPI_Comm_set_errhandler(comm, saved);
        MPI_Errhandler_free(&saved);
    }

    inline static unsigned depth_ = 0;  // objects: all but the first find it done
    inline static MPI_Errhandler handler_of_world_{};
    inline static MPI_Errhandler handler_of_self_{};
};
#else
class returned_errors {
public:
    returned_errors() noexcept {}  // not defaulted: an object for its scope alone is not an unused variable
};
#endif

}  // namespace tutti::mpi
