// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <pmpi/datatype.hpp>
#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::watch {

using namespace pmpi;

/// The arguments of a call of MPI that are reported and compared.
struct call_facts {
    char const* name;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Count count = -1;  ///< elements of the vector, or of this rank's part of it; negative: not known
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Op op = MPI_OP_NULL;
    int peer = none;    ///< root, source or destination
    int tag = none;     ///< of a message
    bool equal = true;  ///< all ranks give the same number of bytes

    static constexpr int none = -1000;

    [[nodiscard]] std::int64_t bytes() const {
        return count < 0 ? -1 : static_cast<std::int64_t>(count) * static_cast<std::int64_t>(size_of(type));
    }
};

/// What handles of MPI's own are called. Asks nothing of MPI, so that any thread may.
template <class Handle>
struct named_handle {
    Handle handle;
    char const* name;
};
#define TUTTI_NAMED(handle)                                                                                            \
    { handle, #handle }

/// Null if it is the program's.
template <class Handle, std::size_t n>
[[nodiscard]] char const* name_in(std::array<named_handle<Handle>, n> const& all, Handle handle) {
    auto const same = [=](auto const& each) { return each.handle == handle; };
    auto const found = std::find_if(all.begin(), all.end(), same);
    return found == all.end() ? nullptr : found->name;
}
// clang-format off
[[nodiscard]] inline char const* name_of_operator(MPI_Op op) {
    static std::array<named_handle<MPI_Op>, 12> const all{{
        TUTTI_NAMED(MPI_SUM), TUTTI_NAMED(MPI_MAX), TUTTI_NAMED(MPI_MIN), TUTTI_NAMED(MPI_PROD), TUTTI_NAMED(MPI_LAND),
        TUTTI_NAMED(MPI_BAND), TUTTI_NAMED(MPI_LOR), TUTTI_NAMED(MPI_BOR), TUTTI_NAMED(MPI_LXOR), TUTTI_NAMED(MPI_BXOR),
        TUTTI_NAMED(MPI_MINLOC), TUTTI_NAMED(MPI_MAXLOC)}};
    return name_in(all, op);
}
[[nodiscard]] inline char const* name_of_type(MPI_Datatype type) {
    static std::array<named_handle<MPI_Datatype>, 36> const all{{
        TUTTI_NAMED(MPI_DOUBLE), TUTTI_NAMED(MPI_FLOAT), TUTTI_NAMED(MPI_INT), TUTTI_NAMED(MPI_UNSIGNED),
        TUTTI_NAMED(MPI_LONG), TUTTI_NAMED(MPI_UNSIGNED_LONG), TUTTI_NAMED(MPI_LONG_LONG),
        TUTTI_NAMED(MPI_UNSIGNED_LONG_LONG), TUTTI_NAMED(MPI_SHORT), TUTTI_NAMED(MPI_UNSIGNED_SHORT),
        TUTTI_NAMED(MPI_CHAR), TUTTI_NAMED(MPI_SIGNED_CHAR), TUTTI_NAMED(MPI_UNSIGNED_CHAR), TUTTI_NAMED(MPI_BYTE),
        TUTTI_NAMED(MPI_INT8_T), TUTTI_NAMED(MPI_INT16_T), TUTTI_NAMED(MPI_INT32_T), TUTTI_NAMED(MPI_INT64_T),
        TUTTI_NAMED(MPI_UINT8_T), TUTTI_NAMED(MPI_UINT16_T), TUTTI_NAMED(MPI_UINT32_T), TUTTI_NAMED(MPI_UINT64_T),
        TUTTI_NAMED(MPI_C_BOOL), TUTTI_NAMED(MPI_LONG_DOUBLE), TUTTI_NAMED(MPI_C_DOUBLE_COMPLEX),
        TUTTI_NAMED(MPI_C_FLOAT_COMPLEX), TUTTI_NAMED(MPI_DOUBLE_INT), TUTTI_NAMED(MPI_FLOAT_INT),
        TUTTI_NAMED(MPI_2INT), TUTTI_NAMED(MPI_INTEGER), TUTTI_NAMED(MPI_REAL), TUTTI_NAMED(MPI_DOUBLE_PRECISION),
        TUTTI_NAMED(MPI_LOGICAL), TUTTI_NAMED(MPI_COMPLEX), TUTTI_NAMED(MPI_DOUBLE_COMPLEX),
        TUTTI_NAMED(MPI_CHARACTER)}};
    return type == MPI_DATATYPE_NULL ? nullptr : name_in(all, type);
}
// clang-format on
#undef TUTTI_NAMED

}  // namespace tutti::watch
