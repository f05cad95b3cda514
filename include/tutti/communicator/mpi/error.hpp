// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/error.hpp>
#include <tutti/text.hpp>

namespace tutti::mpi {

/// An MPI call that failed, with MPI's own text. Thrown by everything that calls MPI.
class error : public std::runtime_error, public needs_recovery {
public:
    [[gnu::cold]] error(std::string_view call, int code) : std::runtime_error{sentence(call, code)}, code_{code} {}

    /// What the call returned; `MPI_Error_class` gives the class of errors it belongs to.
    [[nodiscard]] int code() const noexcept { return code_; }

private:
    [[gnu::cold]] static std::string sentence(std::string_view call, int code) {
        std::string_view reason;
        int error_class = MPI_SUCCESS;
        if (MPI_Error_class(code, &error_class) == MPI_SUCCESS && error_class == MPI_ERR_TRUNCATE) {
            reason = " because a message was longer than its receiver expected (give every rank the same number and "
                     "type of elements in the same calls; TUTTI_CHECK=1 names both)";
        }
        return text::joined({"tutti: ", call, " failed", reason, "; MPI says: ", words_of_mpi(code)});
    }

    static std::string words_of_mpi(int code) {
        std::array<char, MPI_MAX_ERROR_STRING + 1> words{};
        int size = 0;
        if (MPI_Error_string(code, words.data(), &size) != MPI_SUCCESS) { return text::joined({"error code ", code}); }
        return {words.data(), static_cast<std::size_t>(size)};
    }

    int code_;
};

/// Apart, so that what calls MPI stays short.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail(char const* call, int code) { throw error{call, code}; }

/// Throws `error` unless `code`, which `call` returned, is MPI_SUCCESS.
inline void ensure(char const* call, int code) {
    if (code != MPI_SUCCESS) { fail(call, code); }
}

/// While an object lives, calls of MPI that test requests, or wait for them, return errors.
///
/// MPICH raises the errors of messages by the handler of MPI_COMM_WORLD, or MPI_COMM_SELF, whatever communicator the
/// request has; left alone that ends the program. To replace it takes some hundred nanoseconds. Others ask the
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
