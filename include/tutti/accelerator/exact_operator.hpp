// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include <tutti/accelerator/datatype.hpp>
#include <tutti/accelerator/handles.hpp>
#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::accelerator {

/// What an operator is on elements of a type: the same on all ranks of a call, whose types may have different handles
/// of one meaning, as MPI_INT64_T and Fortran's MPI_INTEGER8.
enum class operator_kind : std::uint8_t {
    none,              ///< the call only moves elements
    exact,             ///< MPI's own, and gives the same bits in whatever order operands are combined
    rounding,          ///< MPI's own, and does not
    users_commuting,   ///< a function of the user's
    users_in_order,
};

[[nodiscard]] constexpr bool is_users(operator_kind op) { return op >= operator_kind::users_commuting; }
[[nodiscard]] constexpr bool commutes(operator_kind op) { return op != operator_kind::users_in_order; }

/// Whether a type of MPI's own is one of whole numbers: only of these MPI has the bitwise operators, whatever they are
/// called in C and Fortran, so it is asked.
[[nodiscard]] inline bool is_of_integers(MPI_Datatype type) {
    return type != MPI_FLOAT && type != MPI_DOUBLE && applies_to(MPI_BAND, type, layout{type, MPI_COMM_SELF});
}

/// Whether the largest number of a type of MPI's own is the one that has all bits.
[[nodiscard]] inline bool is_unsigned(MPI_Datatype type, layout const& how) {
    std::array<unsigned char, 16> all{}, none{};
    all.fill(0xff);
    return how.size <= all.size() && applies_to(MPI_BAND, type, how) && applies_to(MPI_MAX, type, how) &&
           PMPI_Reduce_local(all.data(), none.data(), 1, type, MPI_MAX) == MPI_SUCCESS && none[0] != 0;
}

/// What a type of MPI's own means, whatever it is called: its size, which operators MPI has for it, and whether it has
/// a sign. 0 of others, and beside operators of the user's: ranks may make elements of them in several ways.
[[nodiscard]] inline std::uint64_t type_kind_of(MPI_Op op, MPI_Datatype type) {
    if (op == MPI_OP_NULL || is_users(op) || type == MPI_DATATYPE_NULL || !is_predefined(type)) { return 0; }
    layout const how{type, MPI_COMM_SELF};
    std::uint64_t result = how.size;
    for (MPI_Op const each : {MPI_BAND, MPI_MAX, MPI_SUM}) {  // of C and Fortran alike
        result = 2 * result + (applies_to(each, type, how) ? 1 : 0);
    }
    return 2 * result + (is_unsigned(type, how) ? 1 : 0);
}

[[nodiscard]] inline operator_kind operator_kind_of(MPI_Op op, MPI_Datatype type) {
    if (op == MPI_OP_NULL) { return operator_kind::none; }
    if (is_users(op)) { return commutes(op) ? operator_kind::users_commuting : operator_kind::users_in_order; }
    bool const depends_on_type = op == MPI_SUM || op == MPI_PROD;
    bool const is_exact = !depends_on_type || (type != MPI_DATATYPE_NULL && is_of_integers(type));
    return is_exact ? operator_kind::exact : operator_kind::rounding;
}

/// Whether a call gives the same bits by tutti and by MPI.
[[nodiscard]] constexpr bool gives_same_bits(operator_kind op, int ranks) {
    return op <= operator_kind::exact || (op == operator_kind::rounding && ranks == 2);
}

}  // namespace tutti::accelerator
