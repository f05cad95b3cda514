// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <stdexcept>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator.hpp>
#include <tutti/communicator/mpi/communicator.hpp>

namespace tutti::mpi {

/// A communicator whose messages go through memory from the first one on, where users cannot wait until that has shown
/// to pay, or have no communicator of MPI that stays: a world for collectives.
///
/// Requires: all ranks of the communicator are on one node. All construct it, and each ends its own, after MPI_Init and
/// before MPI_Finalize. One thread at a time uses it.
/// Errors, when it is constructed on all ranks the same: std::invalid_argument where not all share memory, or for an
/// unknown TUTTI_SHARED_MEMORY (`never` is overruled), std::runtime_error where they cannot, as when /dev/shm has no
/// room, `mpi::error` where MPI fails before. Later those of any communicator of MPI;
/// and `rank_has_left` if an exception has ended it elsewhere, or a rank is dead, within a second.
/// Cost: the memory of `share_memory`. A waiting rank keeps its processor busy.
class shared_memory : public communicator {
public:
    [[gnu::cold]] explicit shared_memory(MPI_Comm ranks) : communicator{ranks} {
        if (nodes().count(static_cast<std::size_t>(size())) != 1) {
            throw std::invalid_argument{
                "tutti: the ranks of this communicator do not all share memory; make communicators of those that do, "
                "with MPI_Comm_split_type and MPI_COMM_TYPE_SHARED, and give shared_memory one of them"};
        }
        begin();
        sharing(memory_sharing::always);  // not of a single rank
        if (!shares_memory() && (size() != 1 || !share_memory(true))) { throw std::runtime_error{why_not_shared()}; }
    }
};

}  // namespace tutti::mpi

namespace tutti {

template <>
struct communicator_of<mpi::shared_memory> {
    /// It is never const itself; users may well hand it on as such.
    [[nodiscard]] static mpi::communicator& get(mpi::shared_memory const& world) noexcept {
        return const_cast<mpi::shared_memory&>(world);
    }
};

}  // namespace tutti
