// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <chrono>
#include <concepts>
#include <optional>

#include <tutti/communicator/world.hpp>
#include <tutti/language.hpp>

namespace tutti {

class node_map;

namespace selection {

class held_algorithm;
struct planned_call;

/// The algorithm `reproducible` for a call. Linked or included, as `plan_program`.
template <class = void>
held_algorithm* hold_reproducible(planned_call const& call, void const* names);
template <class>
struct canonical_is_included;

}  // namespace selection

namespace engine {

/// true or false.
struct reproducible_option {
    constexpr reproducible_option() = default;
    template <std::same_as<bool> Flag>  // so that only those who want it compile it
    constexpr reproducible_option(Flag required) : hold{required ? &selection::hold_reproducible<> : nullptr} {
        static_assert(
            is_linked || requires { sizeof(selection::canonical_is_included<Flag>); },
            "tutti: reproducible needs #include <tutti/selection/canonical.hpp>, which <tutti/mpi.hpp> and "
            "<tutti/threads.hpp> bring, too");
    }

    [[nodiscard]] constexpr explicit operator bool() const { return hold != nullptr; }
    friend bool operator==(reproducible_option const&, reproducible_option const&) = default;

    selection::held_algorithm* (*hold)(selection::planned_call const& call, void const* names) = nullptr;
};

/// Options of the collectives of a world. Only `reproducible` changes the bits of results.
struct execution {
    /// Every receive is posted before its sender may begin, so that all data is sent in ready mode: see `ready_mode`.
    bool ready_mode = false;

    /// Ranks compare their calls before any data leaves: collective, element type, elements and counts, root,
    /// algorithm, operator and number of the call. On a mismatch, all ranks in the call throw `mismatched_calls` or
    /// `peer_failed` with one sentence that names both sides. Ranks that are threads always compare their calls.
    bool check_calls = false;

    /// Whether messages over MPI go through memory that the ranks of a node share: `memory_sharing::always`, `never`,
    /// or `automatic`: after enough blocking calls to repay its setup, or if the machine in use shows that it is
    /// faster. Without such memory, messages use MPI. The default is the value of TUTTI_SHARED_MEMORY in the
    /// environment of rank 0.
    std::optional<memory_sharing> shared_memory = std::nullopt;

    /// Calls without a named algorithm behave as with `reproducible{}`: their bits depend on the operands and the
    /// number of ranks alone.
    reproducible_option reproducible = {};

    /// If nothing arrives for this time in a call, or in `wait` of a plan, the rank throws `timed_out` with a report of
    /// all waits, and the others throw `peer_failed`; then the world needs `recover`. Results of late ranks in that
    /// call are undefined. 0: no limit. Ranks that are threads have the limit of `threads::run`, which detects every
    /// deadlock itself.
    std::chrono::milliseconds timeout{0};

    friend bool operator==(execution const&, execution const&) = default;
};

/// Behind the planner boundary, as `perform_prepared`.
template <class C>
void set_execution(C& ranks, execution const& chosen);
template <class C>
void set_nodes(C& ranks, node_map const& nodes);

}  // namespace engine

using engine::execution;

}  // namespace tutti
