// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <span>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/progress.hpp>
#include <tutti/communicator/mpi/tagged_length.hpp>
#include <tutti/error.hpp>
#include <tutti/text.hpp>

namespace tutti::mpi {

/// Ends receives, after a wait in vain, whose senders have sent another length.
class length_mismatch {
public:
    /// Withdraws such receives: a message of the same call has come from there, and waits for a receive. If the lengths
    /// were the same, MPI would have matched those before it in the order in which they were sent, so that it would not
    /// withdraw one; such a receive goes on.
    void withdraw(std::span<request> requests) {
        for (auto& each : requests) {
            if (each.comm == MPI_COMM_NULL || each.is_withdrawn()) { continue; }
            int found = 0;
            MPI_Status status;
            ensure("MPI_Iprobe", MPI_Iprobe(each.from, MPI_ANY_TAG, each.comm, &found, &status));
            if (found == 0 || tagged_length::remove(status.MPI_TAG) != tagged_length::remove(each.tag)) { continue; }
            from_ = each.from;
            ensure("MPI_Get_count", MPI_Get_count(&status, MPI_BYTE, &bytes_));
            ensure("MPI_Cancel", MPI_Cancel(&each.mpi));
            each.tag = MPI_ANY_TAG;
        }
    }

    [[noreturn]] void raise() const {
        throw mismatched_calls{text::joined({"rank ", from_, " has sent ", bytes_,
                                       " bytes, which is not the length that was expected; give every rank the same "
                                       "number of elements and the same algorithm"})};
    }

private:
    int from_ = MPI_PROC_NULL;  // sender of the last such message
    int bytes_ = 0;             // that it has
};

}  // namespace tutti::mpi
