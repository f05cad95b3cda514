// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <pmpi/roles.hpp>

#ifdef OPEN_MPI
extern "C" {

// Where Fortran has MPI_IN_PLACE and MPI_BOTTOM.
extern int mpi_fortran_in_place_ __attribute__((weak));
extern int mpi_fortran_bottom_ __attribute__((weak));

}  // extern "C"
#endif

/// MPI's functions for Fortran, which get addresses only, behind them the error code's and then the lengths of texts.
namespace tutti::pmpi {

static_assert(std::is_same_v<MPI_Fint, int>);

/// A function of the process's MPI, as the program would find it.
inline void* (*next)(char const* name) = nullptr;

template <class>
using address = void*;
template <std::size_t>
using text_length = void*;
template <class Function>
inline constexpr std::size_t texts_of = number_of<Function>(role::text) + number_of<Function>(role::tag_text);

/// The parameters of a function of C that Fortran has, too: there MPI begins without the words of the command line.
template <class Signature>
struct signature_in_fortran {
    using type = Signature;
};
template <class... P>
struct signature_in_fortran<int(int*, char***, P...)> {
    using type = int(P...);
};
template <class Signature>
using fortran_signature = typename signature_in_fortran<Signature>::type;

/// As a function of C gets an argument, if its value is what it is called with. What nothing looks at may be anything.
template <class T>
[[nodiscard]] T from_fortran(void* argument) {
    if constexpr (std::is_same_v<T, MPI_Datatype>) {
        return PMPI_Type_f2c(*static_cast<MPI_Fint*>(argument));
    } else if constexpr (std::is_same_v<T, MPI_Op>) {
        return PMPI_Op_f2c(*static_cast<MPI_Fint*>(argument));
    } else if constexpr (std::is_same_v<T, MPI_Comm>) {
        return PMPI_Comm_f2c(*static_cast<MPI_Fint*>(argument));
    } else if constexpr (std::is_same_v<T, int>) {
        return *static_cast<MPI_Fint*>(argument);
    } else if constexpr (std::is_same_v<T, MPI_Datatype const*> && !std::is_same_v<MPI_Datatype, MPI_Fint>) {
        return nullptr;  // handles of another size
    } else {
#ifdef OPEN_MPI
        if (argument == &mpi_fortran_in_place_) { return static_cast<T>(MPI_IN_PLACE); }
        if (argument == &mpi_fortran_bottom_) { return static_cast<T>(MPI_BOTTOM); }
#endif
        return static_cast<T>(argument);
    }
}

/// A text of Fortran, which ends with blanks.
[[nodiscard]] inline std::string text_from_fortran(void* first, void* length) {
    // of 32 bits in some compilers
    auto const n = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(length));
    std::string_view const all{static_cast<char const*>(first), n};
    return std::string{all.substr(0, all.find_last_not_of(' ') + 1)};
}

/// Calls MPI's own function, with the addresses of all arguments, among them the error code's, which it returns.
template <class Function, class... Addresses>
[[nodiscard]] int call_in_fortran(void* code, Addresses... all) {
    static auto const function = reinterpret_cast<void (*)(Addresses...)>(next(Function::fortran));
    function(all...);
    return *static_cast<MPI_Fint*>(code);
}

}  // namespace tutti::pmpi
