// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/error.hpp>

namespace tutti::mpi {

/// An MPI call that failed, with MPI's own text. Thrown by everything that calls MPI.
class error : public std::runtime_error, public needs_recovery {
public:
    [[gnu::cold]] error(std::string_view call, int code) : std::runtime_error{sentence(call, code)}, code_{code} {}

    /// What the call returned; `MPI_Error_class` says which class of errors it belongs to.
    [[nodiscard]] int code() const noexcept { return code_; }

private:
    [[gnu::cold]] static std::string sentence(std::string_view call, int code) {
        std::string_view reason;
        int error_class = MPI_SUCCESS;
        if (MPI_Error_class(code, &error_class) == MPI_SUCCESS && error_class == MPI_ERR_TRUNCATE) {
            reason = " because a message was longer than its receiver expected (do the counts, or the collectives "
                     "called, differ between the ranks?)";
        }
        return joined({"tutti: ", call, " failed", reason, "; MPI says: ", words_of_mpi(code)});
    }

    static std::string words_of_mpi(int code) {
        std::array<char, MPI_MAX_ERROR_STRING + 1> words{};
        int size = 0;
        if (MPI_Error_string(code, words.data(), &size) != MPI_SUCCESS) { return joined({"error code ", code}); }
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

}  // namespace tutti::mpi
