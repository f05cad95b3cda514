// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/operation/run_time_operator.hpp>

namespace tutti::accelerator {

[[nodiscard]] inline bool commutes(MPI_Op op) {
    int result = 0;
    mpi::check("MPI_Op_commutative", PMPI_Op_commutative(op, &result));
    return result != 0;
}

/// Applies an operator of MPI to elements of a type of MPI: by MPI itself, so that it covers every operator and type.
struct mpi_operator {
    MPI_Op op;
    MPI_Datatype type;
    std::size_t extent;

    [[nodiscard]] run_time_operator get() { return {combine, this, commutes(op)}; }

private:
    static void combine(void* state, void const* in, void* inout, std::size_t n) {
        auto const& self = *static_cast<mpi_operator*>(state);
        constexpr std::size_t most = std::numeric_limits<int>::max();
        for (std::size_t first = 0; first != n;) {
            auto const count = std::min(most, n - first);
            mpi::check("MPI_Reduce_local", PMPI_Reduce_local(static_cast<std::byte const*>(in) + first * self.extent,
                                                             static_cast<std::byte*>(inout) + first * self.extent,
                                                             static_cast<int>(count), self.type, self.op));
            first += count;
        }
    }
};

/// Whether an operator is a function of the user's.
[[nodiscard]] inline bool is_users(MPI_Op op) {
    for (MPI_Op const each : {MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD, MPI_LAND, MPI_BAND, MPI_LOR, MPI_BOR, MPI_LXOR,
                              MPI_BXOR, MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE, MPI_NO_OP}) {
        if (op == each) { return false; }
    }
    return true;
}

/// Whether MPI applies the operator to elements of the type. Asked once of each predefined operator and type: an error
/// must reach the user's error handler, not stop a collective on its way.
[[nodiscard]] inline bool applies_to(MPI_Op op, MPI_Datatype type, std::size_t extent) {
    if (op == MPI_OP_NULL || op == MPI_REPLACE || op == MPI_NO_OP) { return false; }
    if (is_users(op)) { return true; }
    static std::mutex guard;
    static std::map<std::pair<MPI_Op, MPI_Datatype>, bool> known;
    auto const lock = std::lock_guard{guard};
    auto const found = known.find({op, type});
    if (found != known.end()) { return found->second; }
    std::vector<std::byte> left(extent + sizeof(std::max_align_t));
    auto right = left;
    MPI_Errhandler before = MPI_ERRHANDLER_NULL;
    PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    bool const works = PMPI_Reduce_local(left.data(), right.data(), 1, type, op) == MPI_SUCCESS;
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
    PMPI_Errhandler_free(&before);
    known[{op, type}] = works;
    return works;
}

}  // namespace tutti::accelerator
