// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include <pmpi/datatype.hpp>
#include <pmpi/integers.hpp>
#include <pmpi/roles.hpp>
#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::pmpi {

/// The arguments of a call of MPI that are reported and compared.
struct call_signature {
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

/// What a call reports and compares, by the roles of its arguments; `ranks_of(comm)` is asked where the vector has a
/// part for each rank.
template <class Function, class Ranks, class... P>
[[nodiscard, gnu::always_inline]] inline call_signature signature_of(Ranks ranks_of, P... arguments) {
    auto const all = std::tuple{arguments...};
    auto const comm = value_of<Function, role::comm>(all, MPI_COMM_NULL);
    MPI_Count count = value_of<Function, role::count>(all, -1);
    auto type = value_of<Function, role::type>(all, MPI_DATATYPE_NULL);
    if constexpr (has<Function>(role::own) && has<Function>(role::count)) {
        if (value_of<Function, role::own>(all) == MPI_IN_PLACE) {
            count = value_of<Function, role::whole_count>(all, -1);
            type = value_of<Function, role::whole_type>(all, type);
        }
    } else if constexpr (has<Function>(role::counts) && has<Function>(role::type)) {
        integers const counts = value_of<Function, role::counts>(all);
        auto const ranks = counts ? static_cast<std::size_t>(ranks_of(comm)) : 0;
        count = ranks != 0 ? 0 : -1;
        for (std::size_t r = 0; r != ranks; ++r) { count += counts[r]; }
    }
    int tag = call_signature::none;
    if constexpr (Function::does == category::message) { tag = value_of<Function, role::tag>(all); }
    constexpr bool parts_differ = has<Function>(role::own) && has<Function>(role::counts);
    return {Function::name,
            comm,
            count,
            type,
            value_of<Function, role::op>(all, MPI_OP_NULL),
            value_of<Function, role::peer>(all, call_signature::none),
            tag,
            !parts_differ};
}

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

}  // namespace tutti::pmpi
