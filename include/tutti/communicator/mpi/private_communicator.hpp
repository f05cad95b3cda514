// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <exception>
#include <stdexcept>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/agreement.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/running.hpp>

namespace tutti::mpi {

inline constexpr char const* null_communicator =
    "tutti: the communicator is MPI_COMM_NULL; only ranks of a communicator make calls on it";

/// A communicator of the ranks of `original` in their order, whose messages never meet those of `original`; all its
/// ranks have to call. Not by MPI_Comm_dup: that runs the copy callbacks of the user's attributes, and those of another
/// library may communicate, allocate or refuse. Hints and topologies are not inherited either.
/// `why_not` is there where this rank cannot use it for want of something else: then no rank has it, and here that is
/// thrown.
/// Result: to be freed by the caller. Errors: std::invalid_argument for MPI_COMM_NULL and an intercommunicator,
/// std::logic_error while MPI does not run; those of MPI, by the error handler of `original`.
[[nodiscard]] inline MPI_Comm private_communicator(MPI_Comm original, std::exception_ptr const& why_not = nullptr) {
    require_running();
    if (original == MPI_COMM_NULL) { throw std::invalid_argument{null_communicator}; }
    int is_intercommunicator = 0;
    ensure("MPI_Comm_test_inter", MPI_Comm_test_inter(original, &is_intercommunicator));
    if (is_intercommunicator != 0) {
        throw std::invalid_argument{"tutti: the communicator is an intercommunicator; its ranks do not share one "
                                    "numbering, merge its two groups with MPI_Intercomm_merge first"};
    }
    MPI_Group ranks = MPI_GROUP_NULL;
    ensure("MPI_Comm_group", MPI_Comm_group(original, &ranks));
    MPI_Comm result = MPI_COMM_NULL;
    auto const status = MPI_Comm_create(original, ranks, &result);
    MPI_Group_free(&ranks);
    require_on_all(original, [&] {
        if (why_not != nullptr) { std::rethrow_exception(why_not); }
        ensure("MPI_Comm_create", status);
    });
    return result;
}

}  // namespace tutti::mpi
