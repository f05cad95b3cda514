// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include <tutti/text.hpp>

namespace tutti {

namespace control {

/// Mark of an exception that only follows from one of another rank: a handler with both reports the other one.
struct secondary_error {
    virtual ~secondary_error() = default;
};

}  // namespace control

/// Mark of an exception that leaves the communicator failed: all ranks must call `recover` before the next call on it.
/// One handler catches all such exceptions.
struct needs_recovery {
    virtual ~needs_recovery() = default;
};

/// Thrown if the calls of ranks differ: by ranks that compare them before any data leaves, or that have waited without
/// success. All ranks that wait for each other throw it, or `peer_failed`.
class mismatched_calls : public std::runtime_error, public needs_recovery {
public:
    [[gnu::cold]] explicit mismatched_calls(std::string_view what)
        : std::runtime_error{"tutti: " + std::string{what}} {}
};

/// Thrown by a rank that has waited in a call for longer than `execution::timeout`.
class timed_out : public std::runtime_error, public needs_recovery {
public:
    [[gnu::cold]] explicit timed_out(std::string_view who_waits)
        : std::runtime_error{"tutti: " + std::string{who_waits}} {}
};

/// Thrown by a rank that waits in a call while another one, on the same machine, is dead.
class rank_is_dead : public std::runtime_error, public needs_recovery {
public:
    [[gnu::cold]] explicit rank_is_dead(int rank)
        : std::runtime_error{
              "tutti: rank " + std::to_string(rank) +
              " was killed, or its process has ended; its messages will never come; end the program, and "
              "start it again"} {}
};

/// Thrown on a rank whose result is missing because an operator threw on another rank, which throws the exception
/// itself. All messages are exchanged nevertheless: no rank waits for one, and the communicator stays usable.
class operand_missing : public std::runtime_error, public control::secondary_error {
public:
    [[gnu::cold]] explicit operand_missing(int peer)
        : operand_missing{text::joined({"the operator threw on another rank (the news came from rank ", peer, ")"})} {}

protected:
    [[gnu::cold]] explicit operand_missing(std::string_view why)
        : std::runtime_error{
              text::joined({"tutti: there is no result on this rank because an operand is missing: ", why})} {}
};

/// Thrown on a rank that waits in a collective which has failed on another rank. That rank throws the original error.
class peer_failed : public std::runtime_error, public needs_recovery, public control::secondary_error {
public:
    /// `what` has happened on rank `peer`.
    [[gnu::cold]] peer_failed(int peer, std::string_view what)
        : std::runtime_error{
              text::joined({"tutti: a collective has failed on rank ", peer, ": ", text::quoted(what)})} {}
};

/// Thrown by calls on a communicator after one has failed in communication: its messages may still be in flight, and
/// must not be received by another call.
class communicator_failed : public std::runtime_error, public needs_recovery {
public:
    /// `what` has happened in the call that failed.
    [[gnu::cold]] explicit communicator_failed(std::string_view what)
        : std::runtime_error{
              text::joined({"tutti: a collective on this communicator has failed earlier: ", text::quoted(what),
                            "; call recover(world) on all ranks before the next one"})} {}
};

namespace control {

/// The same where an exception has destroyed a plan on another rank while it ran: the communicator has failed.
class plan_dropped final : public operand_missing, public needs_recovery {
public:
    /// Rank `peer` has sent what has happened there.
    [[gnu::cold]] plan_dropped(int peer, std::string_view what)
        : operand_missing{text::joined({"rank ", peer, " says: ", text::quoted(what)})} {}
};

/// What a rank tells those with which it shares a communicator when they would wait for it without success.
enum class failure_kind {
    call_failed,     ///< a call, or the run of a plan, has failed in communication
    plan_dropped,    ///< an exception has destroyed a plan while it ran
    call_refused,    ///< the arguments of a call were refused; only those who are in the same call are concerned
    sends_abandoned  ///< no rank may receive what this rank has sent before: the memory may be gone
};

/// Thrown on a rank that received another number of elements than its own arguments call for. It tells the others, so
/// that those that wait throw `peer_failed`, and the communicator has failed, see `recover`.
class count_mismatch : public std::runtime_error, public needs_recovery {
public:
    /// In `call`, see `supervisor::text_of_call`, to `rank`.
    [[gnu::cold]] count_mismatch(std::string_view call, int peer, std::size_t came, int rank, std::size_t expected)
        : std::runtime_error{
              text::joined({"tutti: ", call, ": rank ", peer, " sent ", text::word(came, "element"), " to rank ", rank,
                            ", which expects ", expected,
                            "; give every rank the same number and type of elements and the same algorithm; "
                            "TUTTI_CHECK=1 names both calls"})} {}
};

/// Thrown on a rank that received something else than the packed elements that its own arguments call for; otherwise as
/// count_mismatch.
class packet_mismatch : public std::runtime_error, public needs_recovery {
public:
    [[gnu::cold]] packet_mismatch(std::string_view call, int peer, std::string_view came, int rank,
                                  std::size_t elements, std::string_view type)
        : std::runtime_error{
              text::joined({"tutti: ", call, ": rank ", peer, " sent ", came, " to rank ", rank, ", which expects ",
                            elements, " ", text::public_name(type),
                            "; give every rank the same type and number of elements and the same algorithm"})} {}
};

}  // namespace control

}  // namespace tutti
