// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <stdexcept>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/error.hpp>

namespace tutti::mpi {

/// Whether MPI is SMPI's: ranks are simulated in one process, and a rank that looks again takes no time. A rank ends
/// with MPI_Finalize, which waits for no other rank and destroys the attributes of MPI_COMM_SELF too late.
#ifdef SMPI_SHARED_MALLOC
inline constexpr bool is_smpi = true;
#else
inline constexpr bool is_smpi = false;
#endif

/// Whether MPI_Finalize has ended MPI; the attributes of MPI_COMM_SELF still end before.
[[nodiscard]] inline bool is_finalised() {
    int finalised = 0;
    ensure("MPI_Finalized", MPI_Finalized(&finalised));
    if constexpr (is_smpi) {  // it has no name for "while MPI_Finalize runs"
        int initialised = 0;
        ensure("MPI_Initialized", MPI_Initialized(&initialised));
        return finalised != 0 || initialised == 0;
    }
    return finalised != 0;
}

/// Throws unless MPI_Init has been called and MPI_Finalize has not.
inline void require_running() {
    int initialised = 0;
    ensure("MPI_Initialized", MPI_Initialized(&initialised));
    if (initialised == 0) {
        throw std::logic_error{"tutti: MPI is not initialised; call MPI_Init, beside sessions too, or make a "
                               "boost::mpi::environment, first"};
    }
    if (is_finalised()) {
        throw std::logic_error{"tutti: MPI is already finalised; no collective can run after MPI_Finalize"};
    }
}

}  // namespace tutti::mpi
