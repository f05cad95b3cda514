// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>

#include <tutti/accelerator/datatype.hpp>
#include <tutti/accelerator/handles.hpp>
#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::accelerator {

/// Whether a type of MPI's own is one of whole numbers.
[[nodiscard]] inline bool is_of_integers(MPI_Datatype type) {
    static std::array const all{MPI_CHAR,      MPI_SIGNED_CHAR,    MPI_UNSIGNED_CHAR, MPI_SHORT,
                                MPI_INT,       MPI_UNSIGNED_SHORT, MPI_UNSIGNED,      MPI_LONG,
                                MPI_LONG_LONG, MPI_UNSIGNED_LONG,  MPI_INT8_T,        MPI_UNSIGNED_LONG_LONG,
                                MPI_INT16_T,   MPI_INT32_T,        MPI_INT64_T,       MPI_UINT8_T,
                                MPI_UINT16_T,  MPI_UINT32_T,       MPI_UINT64_T,      MPI_AINT,
                                MPI_COUNT,     MPI_OFFSET,         MPI_INTEGER,       MPI_BYTE};
    return std::find(all.begin(), all.end(), type) != all.end();
}

/// Whether an operator of MPI's own gives the same bits in whatever order operands are combined.
[[nodiscard]] inline bool is_exact_operator(MPI_Op op, MPI_Datatype type) {
    static std::array const always{MPI_MAX, MPI_MIN,  MPI_LAND, MPI_LOR,    MPI_LXOR,
                                   MPI_BOR, MPI_BAND, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC};
    return std::find(always.begin(), always.end(), op) != always.end() ||
           ((op == MPI_SUM || op == MPI_PROD) && is_of_integers(type));
}

/// Whether a call gives the same bits by tutti and by MPI: it only moves elements, or its operator and type are MPI's
/// own and the order of operands does not matter. The same on all ranks of a call.
[[nodiscard]] inline bool gives_same_bits(MPI_Op op, MPI_Datatype type, int ranks) {
    return op == MPI_OP_NULL || (is_predefined(type) && !is_users(op) && (ranks == 2 || is_exact_operator(op, type)));
}

}  // namespace tutti::accelerator
