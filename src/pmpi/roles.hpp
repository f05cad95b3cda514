// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>

#include <tutti/communicator/mpi/declarations.hpp>

/// The functions of functions.def as types: what each does, and which of its parameters is what.
namespace tutti::pmpi {

enum class category {
    performed,                            ///< a blocking collective that tutti performs, too
    begins, ends,                         ///< MPI itself
    collective, begun,                    ///< of MPI alone: blocking, and with a request
    message,                              ///< sent, received or looked for
    waits_for_all, waits_for_any, tests,  ///< requests; MPI_Request_free, too
    makes,                                ///< a communicator, on all ranks of another one; also with a request
    makes_by_some,                        ///< on some ranks of another one, or of none
    makes_between,                        ///< on the ranks of two
    frees,                                ///< a communicator
    aborts
};

/// Whether what a request or communicator of its arguments is before the call means nothing.
[[nodiscard]] constexpr bool gives_handles(category what) {
    return what == category::begun || (what >= category::makes && what <= category::makes_between);
}

enum class role {
    _,                                   ///< not looked at
    own, count, type,                    ///< the part of this rank, or the vector
    whole_count, whole_type,             ///< in the root's memory
    counts, types,                       ///< of each rank's part
    sent_counts, sent_type, sent_types,  ///< the same of what others get from this rank
    op, comm,
    peer,                                ///< root, source, destination or leader
    tag, tag_text, text,                 ///< texts have a length in Fortran
    made,                                ///< where the communicator is that is made or freed
    number, request                      ///< one, or `number`
};

[[nodiscard]] consteval auto roles_of(std::same_as<role> auto... all) {
    return std::array<role, sizeof...(all)>{all...};
}

/// `fortran` is the function of MPI that is behind the names that compilers of Fortran make.
#ifdef OPEN_MPI
#define TUTTI_FORTRAN_NAME(name) "ompi_" #name "_f"
#else
#define TUTTI_FORTRAN_NAME(name) "mpi_" #name "_f08_"
#endif
#define TUTTI_LIST(...) __VA_ARGS__
#define TUTTI_FUNCTION(Name, name_in_fortran, NAME, what, list)                                                        \
    struct Name {                                                                                                      \
        static constexpr char const* name = "MPI_" #Name;                                                              \
        static constexpr char const* fortran = TUTTI_FORTRAN_NAME(name_in_fortran);                                    \
        static constexpr auto does = category::what;                                                                   \
        static constexpr auto roles = roles_of(TUTTI_LIST list);                                                       \
    };
#define TUTTI_LARGE(Name, ...)                                                                                         \
    TUTTI_FUNCTION(Name, __VA_ARGS__)                                                                                  \
    struct Name##_c : Name {                                                                                           \
        static constexpr char const* name = "MPI_" #Name "_c";                                                         \
    };
namespace functions {
using enum role;
#include <pmpi/functions.def>
}  // namespace functions
#undef TUTTI_LIST
#undef TUTTI_FORTRAN_NAME

/// How many parameters of a function have a role.
template <class Function>
[[nodiscard]] consteval std::size_t number_of(role wanted) {
    return static_cast<std::size_t>(std::count(Function::roles.begin(), Function::roles.end(), wanted));
}
template <class Function>
[[nodiscard]] consteval bool has(role wanted) {
    return number_of<Function>(wanted) != 0;
}

/// The argument that has a role; `otherwise`, where no parameter has it.
template <class Function, role wanted, class... P, class Otherwise>
[[nodiscard, gnu::always_inline]] constexpr auto value_of(std::tuple<P...> const& all, Otherwise otherwise) {
    if constexpr (has<Function>(wanted)) {
        constexpr auto& roles = Function::roles;
        return std::get<static_cast<std::size_t>(std::find(roles.begin(), roles.end(), wanted) - roles.begin())>(all);
    } else {
        return otherwise;
    }
}
template <class Function, role wanted, class... P>
[[nodiscard, gnu::always_inline]] constexpr auto value_of(std::tuple<P...> const& all) {
    static_assert(has<Function>(wanted));
    return value_of<Function, wanted>(all, nullptr);
}

}  // namespace tutti::pmpi
