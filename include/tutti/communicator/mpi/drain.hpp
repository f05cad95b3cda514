// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <span>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/returned_errors.hpp>
#include <tutti/communicator/mpi/yield.hpp>
#include <tutti/dynamic_array.hpp>

namespace tutti::mpi {

/// Receives a message that is there already and throws it away; false if there is none.
[[nodiscard, gnu::cold]] inline bool discard_message(MPI_Comm comm, int tag = MPI_ANY_TAG, int from = MPI_ANY_SOURCE) {
    int found = 0, bytes = 0;
    MPI_Status status;
    check("MPI_Iprobe", MPI_Iprobe(from, tag, comm, &found, &status));
    if (found == 0) { return false; }
    check("MPI_Get_count", MPI_Get_count(&status, MPI_BYTE, &bytes));
    dynamic_array<std::byte> memory(static_cast<std::size_t>(bytes));
    check("MPI_Recv",
          MPI_Recv(memory.data(), bytes, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, comm, MPI_STATUS_IGNORE));
    return true;
}

/// To be called before a communicator ends on which messages without a waiting receiver may be under way: a later one
/// might get them. All ranks have to call, and have given up their receives, and their `sends` are synchronous; returns
/// when the sends of all ranks have ended.
/// Source: Hoefler, Siebert and Lumsdaine, Scalable communication protocols for dynamic sparse data exchange, 2010.
[[gnu::cold]] inline void drain(MPI_Comm comm, std::span<MPI_Request> sends, processor_yield const& waiting) {
    returned_errors const scope;
    MPI_Request met = MPI_REQUEST_NULL;
    for (int ended = 0; ended == 0;) {
        waiting.yield_processor();
        if (discard_message(comm)) { continue; }
        if (met != MPI_REQUEST_NULL) {
            check("MPI_Test", MPI_Test(&met, &ended, MPI_STATUS_IGNORE));
            continue;
        }
        int sent = 0;
        check("MPI_Testall", MPI_Testall(static_cast<int>(sends.size()), sends.data(), &sent, MPI_STATUSES_IGNORE));
        if (sent != 0) { check("MPI_Ibarrier", MPI_Ibarrier(comm, &met)); }
    }
}

}  // namespace tutti::mpi
