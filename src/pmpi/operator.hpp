// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include <pmpi/datatype.hpp>
#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::pmpi {

[[nodiscard]] inline bool commutes(MPI_Op op) {
    int result = 0;
    return PMPI_Op_commutative(op, &result) == MPI_SUCCESS && result != 0;
}

/// Whether an operator is a function of the user's.
[[nodiscard]] inline bool is_users(MPI_Op op) {
    for (MPI_Op const each : {MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD, MPI_LAND, MPI_BAND, MPI_LOR, MPI_BOR, MPI_LXOR,
                              MPI_BXOR, MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE, MPI_NO_OP}) {
        if (op == each) { return false; }
    }
    return true;
}

/// A communicator of this rank alone, which returns errors. Made in MPI_Init: later a rank may have none left.
[[nodiscard]] inline MPI_Comm alone() {
    static MPI_Comm const own = [] {
        MPI_Comm made = MPI_COMM_NULL;
        if (PMPI_Comm_dup(MPI_COMM_SELF, &made) == MPI_SUCCESS) { PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN); }
        return made;
    }();
    return own;
}

/// Whether MPI applies a predefined operator to elements of a predefined type. Asked once of each: an error
/// must reach the user's error handler, not stop a collective on its way.
[[nodiscard]] inline bool applies_to(MPI_Op op, MPI_Datatype type, layout const& how) {
    if (op == MPI_OP_NULL || op == MPI_REPLACE || op == MPI_NO_OP) { return false; }
    static std::mutex guard;
    static auto& known = *new std::map<std::pair<MPI_Op, MPI_Datatype>, bool>;  // global objects call MPI after main
    auto const lock = std::lock_guard{guard};
    auto const found = known.find({op, type});
    if (found != known.end()) { return found->second; }
    std::vector<std::byte> left(static_cast<std::size_t>(how.extent) + sizeof(std::max_align_t));
    auto right = left;
    bool const works = alone() != MPI_COMM_NULL &&
                       PMPI_Allreduce(left.data(), right.data(), 1, type, op, alone()) == MPI_SUCCESS;
    known[{op, type}] = works;
    return works;
}

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

}  // namespace tutti::pmpi
