// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <pmpi/operator.hpp>
#include <preload/cached_call.hpp>
#include <preload/call_trials.hpp>
#include <preload/environment.hpp>

namespace tutti::preload {

using namespace pmpi;

class communicator_state;

/// Who performs a call: tutti; not yet known, and what all ranks have to do first; or MPI, and why.
enum class decision : std::uint8_t {
    tutti,
    // not known yet
    too_few_calls,
    needs_private_one,
    needs_look_for_devices,
    needs_memory,
    // MPI
    none,
    its_communicator,
    its_arguments,
    its_datatype,
    its_operator,
    not_named,
    named_in_tuning_file,
    gains_nothing,
    gains_nothing_between_nodes,
    too_short,
    too_short_between_nodes,
    too_long,
    no_private_one,
    device,
    no_memory,
    faster_in_trials
};

/// Why MPI performs a call, for the report; null where there is nothing to write.
[[nodiscard]] constexpr char const* fallback_reason(decision why) {
    switch (why) {
    case decision::tutti:
    case decision::needs_private_one:
    case decision::needs_look_for_devices:
    case decision::needs_memory:
    case decision::none: break;
    case decision::too_few_calls: return "too few calls so far";
    case decision::its_communicator: return "its communicator";
    case decision::its_arguments: return "its arguments";
    case decision::its_datatype: return "its datatype";
    case decision::its_operator: return "its operator";
    case decision::not_named: return "not named in TUTTI";
    case decision::named_in_tuning_file: return "named in the tuning file";
    case decision::gains_nothing: return "such calls gain nothing";
    case decision::gains_nothing_between_nodes: return "such calls gain nothing between nodes";
    case decision::too_short: return "too short";
    case decision::too_short_between_nodes: return "too short between nodes";
    case decision::too_long: return "too long";
    case decision::no_private_one: return "no private communicator was to be had";
    case decision::device: return "a device is in use";
    case decision::no_memory: return "memory cannot be shared";
    case decision::faster_in_trials: return "faster in trials";
    }
    return nullptr;
}

/// What is the same on all ranks of a call. It has no handles: MPI_INT64_T of one rank may be MPI_INTEGER8 of another.
struct call_kind {
    function which;
    operator_kind op;
    std::size_t bytes;  ///< of the whole vector without gaps; 0 where only the root knows them

    friend bool operator==(call_kind const&, call_kind const&) = default;
};

/// The calls of one kind on one communicator, and who performs the next of them. All ranks create and change their
/// entries at the same calls of that communicator.
struct call_entry {
    call_kind kind;
    communicator_state* of = nullptr;
    decision who = decision::none;
    char const* why = nullptr;  ///< of MPI, for the report
    bool is_settled = false;    ///< `who` holds until the state of the communicator changes
    std::unique_ptr<call_trials> trial{};
    cached_calls cached{};
};

}  // namespace tutti::preload
