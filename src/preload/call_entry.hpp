// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <pmpi/operator.hpp>
#include <preload/environment.hpp>
#include <preload/kept_call.hpp>
#include <preload/learned_call.hpp>

namespace tutti::preload {

using namespace pmpi;

class communicator_state;

/// Who performs a call, or what has to be done before that is known; else why MPI performs it.
enum class reason : std::uint8_t {
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

/// For the report; null if there is nothing to say.
[[nodiscard]] constexpr char const* reason_text(reason why) {
    switch (why) {
    case reason::tutti:
    case reason::needs_private_one:
    case reason::needs_look_for_devices:
    case reason::needs_memory:
    case reason::none: break;
    case reason::too_few_calls: return "too few calls so far";
    case reason::its_communicator: return "its communicator";
    case reason::its_arguments: return "its arguments";
    case reason::its_datatype: return "its datatype";
    case reason::its_operator: return "its operator";
    case reason::not_named: return "not named in TUTTI";
    case reason::named_in_tuning_file: return "named in the tuning file";
    case reason::gains_nothing: return "such calls gain nothing";
    case reason::gains_nothing_between_nodes: return "such calls gain nothing between nodes";
    case reason::too_short: return "too short";
    case reason::too_short_between_nodes: return "too short between nodes";
    case reason::too_long: return "too long";
    case reason::no_private_one: return "no private communicator was to be had";
    case reason::device: return "a device is in use";
    case reason::no_memory: return "memory cannot be shared";
    case reason::faster_in_trials: return "faster in trials";
    }
    return nullptr;
}

/// What all ranks know alike of a call on one communicator: no handle, since ranks may have several of one meaning, and
/// nothing that one rank chooses alone.
struct call_kind {
    function which;
    operator_kind op;
    std::size_t bytes;  ///< of the whole vector without gaps; 0 where only the root knows them

    friend bool operator==(call_kind const&, call_kind const&) = default;
};

/// Calls of one kind on one communicator, and who performs the next one. All ranks have the same entries, which come
/// and change at the same calls of that communicator.
struct call_entry {
    call_kind kind;
    communicator_state* of = nullptr;
    reason who = reason::none;
    char const* why = nullptr;  ///< for the report
    bool is_settled = false;    ///< `who` holds until the state of the communicator changes
    std::unique_ptr<learned_call> trial{};
    kept_calls kept{};
};

}  // namespace tutti::preload
