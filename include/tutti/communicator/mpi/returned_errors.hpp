// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <mutex>

#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::mpi {

/// While an object lives, MPI returns errors that it raises by the handlers of MPI_COMM_WORLD and MPI_COMM_SELF.
class errors_of_world_returned {
public:
    errors_of_world_returned() {
        if (depth_++ != 0) { return; }
        auto const lock = std::lock_guard{guard_};
        if (users_++ == 0) {
            replace(MPI_COMM_WORLD, handler_of_world_);
            replace(MPI_COMM_SELF, handler_of_self_);
        }
    }
    errors_of_world_returned(errors_of_world_returned const&) = delete;
    errors_of_world_returned& operator=(errors_of_world_returned const&) = delete;
    ~errors_of_world_returned() {
        if (--depth_ != 0) { return; }
        auto const lock = std::lock_guard{guard_};
        if (--users_ == 0) {
            restore(MPI_COMM_WORLD, handler_of_world_);
            restore(MPI_COMM_SELF, handler_of_self_);
        }
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

    inline static thread_local unsigned depth_ = 0;  // objects of this thread: all but the first find it done
    // threads wait on different communicators at once: the first replaces the handlers, the last restores them
    inline static std::mutex guard_;
    inline static int users_ = 0;
    inline static MPI_Errhandler handler_of_world_{};
    inline static MPI_Errhandler handler_of_self_{};
};

/// While an object lives, calls of MPI that test requests, or wait for them, return errors.
///
/// MPICH raises the errors of messages by the handler of MPI_COMM_WORLD, or MPI_COMM_SELF, whatever the communicator of
/// the request says; left alone that ends the program. To replace it takes some hundred nanoseconds. Others ask the
/// request's communicator.
#ifdef MPICH_VERSION
using returned_errors = errors_of_world_returned;
#else
class returned_errors {
public:
    returned_errors() noexcept {}  // not defaulted: an object for its scope alone is not an unused variable
};
#endif

}  // namespace tutti::mpi
