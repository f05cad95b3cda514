// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <tutti/generator/held_algorithm.hpp>

namespace tutti {

class node_map;
namespace pricing {
struct machine_model;
}
namespace engine {
struct program;
}

namespace selection {

/// What holds for all calls of one collective with elements, an operator and an algorithm of certain types.
struct call_kind {
    std::string_view collective{};
    std::string_view algorithm{};     ///< name of its type
    std::string_view element{};       ///< name of the type
    std::string_view combine{};       ///< name of the operator's type; empty where nothing is combined
    std::size_t element_bytes = 1;
    bool rooted = false;
    bool travels_as_bytes = true;   ///< else elements are lent, or serialised
    bool commutes = true;           ///< the algorithm may reorder operands
    bool indivisible = false;       ///< the vector, or the part of a rank, must not be cut
    bool has_identity = false;
    bool exact = false;  ///< no order of combining changes bits
    /// Of the algorithm that the call names; null where tutti chooses.
    held_algorithm* (*hold)(void const* named) = nullptr;

    /// Whether all ranks count calls of both as calls of one kind. A rank may have several objects of it, since it
    /// calls from several libraries, with a const operator, or with one of two types that are alike, such as long and
    /// long long. Therefore only properties that are the same on all ranks are compared, not addresses and names.
    [[nodiscard]] constexpr bool is_like(call_kind const& other) const {
        return this == &other ||
               (collective == other.collective && element_bytes == other.element_bytes &&
                travels_as_bytes == other.travels_as_bytes && commutes == other.commutes &&
                indivisible == other.indivisible && exact == other.exact);
    }
};

/// Everything on which the program of a call depends.
struct planned_call {
    call_kind const* kind = nullptr;
    std::size_t rank = 0;
    std::size_t size = 1;
    std::size_t root = 0;
    std::size_t elements = 0;                      ///< of the whole vector
    std::span<std::size_t const> counts{};         ///< elements of each rank; empty: the same for all
    bool in_place = false;
    bool lends_objects = false;                   ///< the communicator lends the sender's own objects
    held_algorithm const* algorithm = nullptr;     ///< null: tutti chooses
    pricing::machine_model const* machine = nullptr;
    node_map const* nodes = nullptr;               ///< null: all ranks are on one node, as far as anything is known
};

/// The planner: everything that knows neither element type, operator nor communicator, behind two functions. With
/// TUTTI_COMPILED they are linked, and callers compile none of it.
/// What is done once for many runs is gnu::cold, here and elsewhere: compiled for size, and not into its callers. An
/// all_reduce over MPI has 289 kB of code with it and 322 kB without, and compiles 3 to 6 % faster (Intel Xeon, g++ 12,
/// 2026-11-28, two pairs of `mpicxx.openmpi -std=c++20 -O2 -c`, <tutti/collective/all_reduce.hpp> and MPI's header).
/// Result: what this rank executes, in elements. Errors: std::invalid_argument for a number of ranks that the algorithm
/// does not support.
template <class Collective>
[[nodiscard, gnu::cold]] engine::program plan_program(planned_call const& call);

}  // namespace selection

}  // namespace tutti
