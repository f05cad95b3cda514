// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::mpi {

/// An MPI call that failed, with MPI's own text. Thrown by everything that talks through MPI.
class error : public std::runtime_error {
public:
    error(std::string_view call, int code) : std::runtime_error{sentence(call, code)}, code_{code} {}

    /// What the call returned; `MPI_Error_class` says which class of errors it belongs to.
    [[nodiscard]] int code() const noexcept { return code_; }

private:
    static std::string sentence(std::string_view call, int code) {
        auto text = std::string{"tutti: "}.append(call).append(" failed");
        int error_class = MPI_SUCCESS;
        if (MPI_Error_class(code, &error_class) == MPI_SUCCESS && error_class == MPI_ERR_TRUNCATE) {
            text += " because a message was longer than its receiver expected (do the counts, or the collectives "
                    "called, differ between the ranks?)";
        }
        return text.append("; MPI says: ").append(words_of_mpi(code));
    }

    static std::string words_of_mpi(int code) {
        std::array<char, MPI_MAX_ERROR_STRING + 1> words{};
        int length = 0;
        if (MPI_Error_string(code, words.data(), &length) != MPI_SUCCESS) {
            return "error code " + std::to_string(code);
        }
        return {words.data(), static_cast<std::size_t>(length)};
    }

    int code_;
};

/// Throws `error` unless `code`, which `call` returned, is MPI_SUCCESS.
inline void check(std::string_view call, int code) {
    if (code != MPI_SUCCESS) { throw error{call, code}; }
}

}  // namespace tutti::mpi
