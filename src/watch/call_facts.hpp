// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

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

/// What a handle of MPI's own is called; null if it is the program's. Asks nothing of MPI, so that any thread may.
[[nodiscard]] inline char const* name_of_operator(MPI_Op op) {
    struct named {
        MPI_Op op;
        char const* name;
    };
    static std::array const all{
        named{MPI_SUM, "MPI_SUM"},   named{MPI_MAX, "MPI_MAX"},       named{MPI_MIN, "MPI_MIN"},
        named{MPI_PROD, "MPI_PROD"}, named{MPI_LAND, "MPI_LAND"},     named{MPI_BAND, "MPI_BAND"},
        named{MPI_LOR, "MPI_LOR"},   named{MPI_BOR, "MPI_BOR"},       named{MPI_LXOR, "MPI_LXOR"},
        named{MPI_BXOR, "MPI_BXOR"}, named{MPI_MINLOC, "MPI_MINLOC"}, named{MPI_MAXLOC, "MPI_MAXLOC"}};
    for (auto const& each : all) {
        if (each.op == op) { return each.name; }
    }
    return nullptr;
}
[[nodiscard]] inline char const* name_of_type(MPI_Datatype type) {
    struct named {
        MPI_Datatype type;
        char const* name;
    };
    static std::array const all{named{MPI_DOUBLE, "MPI_DOUBLE"},
                                named{MPI_FLOAT, "MPI_FLOAT"},
                                named{MPI_INT, "MPI_INT"},
                                named{MPI_UNSIGNED, "MPI_UNSIGNED"},
                                named{MPI_LONG, "MPI_LONG"},
                                named{MPI_UNSIGNED_LONG, "MPI_UNSIGNED_LONG"},
                                named{MPI_LONG_LONG, "MPI_LONG_LONG"},
                                named{MPI_UNSIGNED_LONG_LONG, "MPI_UNSIGNED_LONG_LONG"},
                                named{MPI_SHORT, "MPI_SHORT"},
                                named{MPI_UNSIGNED_SHORT, "MPI_UNSIGNED_SHORT"},
                                named{MPI_CHAR, "MPI_CHAR"},
                                named{MPI_SIGNED_CHAR, "MPI_SIGNED_CHAR"},
                                named{MPI_UNSIGNED_CHAR, "MPI_UNSIGNED_CHAR"},
                                named{MPI_BYTE, "MPI_BYTE"},
                                named{MPI_INT8_T, "MPI_INT8_T"},
                                named{MPI_INT16_T, "MPI_INT16_T"},
                                named{MPI_INT32_T, "MPI_INT32_T"},
                                named{MPI_INT64_T, "MPI_INT64_T"},
                                named{MPI_UINT8_T, "MPI_UINT8_T"},
                                named{MPI_UINT16_T, "MPI_UINT16_T"},
                                named{MPI_UINT32_T, "MPI_UINT32_T"},
                                named{MPI_UINT64_T, "MPI_UINT64_T"},
                                named{MPI_C_BOOL, "MPI_C_BOOL"},
                                named{MPI_LONG_DOUBLE, "MPI_LONG_DOUBLE"},
                                named{MPI_C_DOUBLE_COMPLEX, "MPI_C_DOUBLE_COMPLEX"},
                                named{MPI_C_FLOAT_COMPLEX, "MPI_C_FLOAT_COMPLEX"},
                                named{MPI_DOUBLE_INT, "MPI_DOUBLE_INT"},
                                named{MPI_FLOAT_INT, "MPI_FLOAT_INT"},
                                named{MPI_2INT, "MPI_2INT"},
                                named{MPI_INTEGER, "MPI_INTEGER"},
                                named{MPI_REAL, "MPI_REAL"},
                                named{MPI_DOUBLE_PRECISION, "MPI_DOUBLE_PRECISION"},
                                named{MPI_LOGICAL, "MPI_LOGICAL"},
                                named{MPI_COMPLEX, "MPI_COMPLEX"},
                                named{MPI_DOUBLE_COMPLEX, "MPI_DOUBLE_COMPLEX"},
                                named{MPI_CHARACTER, "MPI_CHARACTER"}};
    if (type == MPI_DATATYPE_NULL) { return nullptr; }
    for (auto const& each : all) {
        if (each.type == type) { return each.name; }
    }
    return nullptr;
}

}  // namespace tutti::watch
