// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <chrono>
#include <concepts>
#include <optional>
#include <string_view>

#include <tutti/communicator/world.hpp>

namespace tutti {

class node_map;

class held_algorithm;

/// The algorithm `reproducible` for calls of the collective of that name. Linked or included, as `plan_program`.
template <class = void>
held_algorithm* hold_reproducible(std::string_view of_collective);
template <class>
struct canonical_is_included;

/// true or false.
struct reproducible_option {
    constexpr reproducible_option() = default;
    template <std::same_as<bool> Flag>  // so that only those who want it compile it
    constexpr reproducible_option(Flag required) : hold{required ? &hold_reproducible<> : nullptr} {
        static_assert(
            requires { sizeof(canonical_is_included<Flag>); },
            "tutti: reproducible needs #include <tutti/selection/canonical.hpp>, which <tutti/mpi.hpp> and "
            "<tutti/threads.hpp> bring, too");
    }

    [[nodiscard]] constexpr explicit operator bool() const { return hold != nullptr; }
    friend bool operator==(reproducible_option const&, reproducible_option const&) = default;

    held_algorithm* (*hold)(std::string_view of_collective) = nullptr;
};

/// How the collectives of a world are executed. Results are the same, to the bit, whatever is chosen but
/// `reproducible`.
struct execution {
    /// Every receive is posted before its sender may begin, so that all data is sent in ready mode: see `ready_mode`.
    bool ready_mode = false;

    /// Ranks compare their calls before any data leaves: collective, element type, elements and counts, root,
    /// algorithm, operator and number of the call. Where they differ, all ranks in the call throw `mismatched_calls` or
    /// `peer_failed` with one sentence that names both sides. Ranks that are threads always compare their calls.
    bool check_calls = false;

    /// Whether messages over MPI go through memory that the ranks of a node share: `memory_sharing::always`, `never`,
    /// or `automatic`, once enough blocking calls have been made for its set-up to pay, or where the machine in use
    /// says that it is faster. Where there is no such memory, they go by MPI. By default what TUTTI_SHARED_MEMORY says
    /// in the environment of rank 0.
    std::optional<memory_sharing> shared_memory = std::nullopt;

    /// Calls that name no algorithm behave as if they named `reproducible{}`: their bits depend on the operands and the
    /// number of ranks alone.
    reproducible_option reproducible = {};

    /// A rank that has waited so long in a call, or in `wait` of a plan, in which nothing came, throws `timed_out` with
    /// a report of who waits for whom, and the others throw `peer_failed`; then the world needs `recover`. What ranks
    /// that are still to come receive in that call means nothing. 0: never. Ranks that are threads have that of
    /// `threads::run`, which finds every deadlock by itself.
    std::chrono::milliseconds timeout{0};

    friend bool operator==(execution const&, execution const&) = default;
};

/// Behind the planner boundary, as `perform_prepared`.
template <class C>
void set_execution(C& ranks, execution const& chosen);

/// Chooses how collectives on `world` are executed from now on: all calls and all runs of plans, old and new, that
/// start later; `reproducible`, of plans that are made later.
///
/// Requires: all ranks of `world` make this call, with the same options and between the same collectives; a plan that
/// is running ends as it began. Duplicates of `world` do not inherit the choice. Elements that have to be serialised
/// are always sent in standard mode: no receive can be posted for a message whose length is not known yet.
/// Errors: std::invalid_argument for ready mode of ranks that have none, such as threads.
/// Cost: ready mode, one more α for every pair of ranks with messages, and memory for all that a rank receives and
/// combines; in return MPI need not ask whether a receive is posted, and whether yours makes use of it has to be
/// measured. Checked calls, a message of 16 bytes to each of two neighbours, and a wait for theirs, for each call and
/// each plan that is made; where TUTTI_CHECK=1 is in the environment of rank 0 they are the default over MPI.
template <world World>
void configure(World const& world, execution chosen) {
    set_execution(communicator_of<World>::get(world), chosen);
}

/// Behind the planner boundary, as `perform_prepared`.
template <class C>
void set_nodes(C& ranks, node_map const& nodes);

/// Says which ranks of `world` share a node, in the place of what its communicator finds out; what is asked for from
/// now on goes by it. All ranks make this call, with the same map and between the same collectives. Duplicates of
/// `world` do not inherit it.
/// Errors: std::invalid_argument for a map of another number of ranks.
template <world World, std::same_as<node_map> Map>  // a list in braces is of the other kind
void configure(World const& world, Map const& nodes) {
    set_nodes(communicator_of<World>::get(world), nodes);
}

}  // namespace tutti

#ifndef TUTTI_COMPILED
#include <tutti/execution/set_options.hpp>
#endif
