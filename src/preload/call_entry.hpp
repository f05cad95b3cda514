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

/// Why MPI performs a call, and the words of the report for it.
#define TUTTI_FALLBACKS(reason)                                                                                        \
    reason(too_few_calls, "too few calls so far") reason(its_communicator, "its communicator")                         \
    reason(its_arguments, "its arguments") reason(its_datatype, "its datatype") reason(its_operator, "its operator")   \
    reason(not_named, "not named in TUTTI") reason(named_in_tuning_file, "named in the tuning file")                   \
    reason(gains_nothing, "such calls gain nothing")                                                                   \
    reason(gains_nothing_between_nodes, "such calls gain nothing between nodes") reason(too_short, "too short")        \
    reason(too_short_between_nodes, "too short between nodes") reason(too_long, "too long")                            \
    reason(no_private_one, "no private communicator was to be had") reason(device, "a device is in use")               \
    reason(no_memory, "memory cannot be shared") reason(faster_in_trials, "faster in trials")

/// Who performs a call: tutti; not yet known, and what all ranks have to do first; or MPI, and why.
#define TUTTI_REASON(name, words) name,
enum class decision : std::uint8_t {
    tutti, needs_private_one, needs_look_for_devices, needs_memory, none, TUTTI_FALLBACKS(TUTTI_REASON)
};
#undef TUTTI_REASON

/// Null where there is nothing to write.
[[nodiscard]] constexpr char const* fallback_reason(decision why) {
#define TUTTI_REASON(name, words) case decision::name: return words;
    switch (why) {
        TUTTI_FALLBACKS(TUTTI_REASON)
    default: return nullptr;
    }
#undef TUTTI_REASON
#undef TUTTI_FALLBACKS
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
    char const* why = nullptr;     ///< of MPI, for the report
    bool is_settled = false;       ///< `who` holds until the state of the communicator changes
    bool is_left_to_mpi = false;   ///< is settled, and there is nothing to try or note
    std::int64_t* left = nullptr;  ///< of warm-up, if calls wait for that, see there
    std::int64_t takes = 0;        ///< what a call takes of it
    std::unique_ptr<call_trials> trial{};
    cached_calls cached{};

    /// Whether MPI performs a call, which is counted then, and nothing else has to be done. This has few instructions,
    /// and no store for calls that do not wait: a store delays MPI's own synchronisation.
    [[nodiscard, gnu::always_inline]] bool leaves_to_mpi() const {
        if (!is_left_to_mpi || left == nullptr) { return is_left_to_mpi; }
        if (*left <= takes) { return false; }
        *left -= takes;
        return true;
    }
};

}  // namespace tutti::preload
