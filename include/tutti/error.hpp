// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace tutti {

/// Mark of an exception that leaves the communicator failed: no rank makes another call on it before all have called
/// `recover`. One handler takes all of them, whatever has happened.
struct needs_recovery {
    virtual ~needs_recovery() = default;
};

/// Thrown where the calls of ranks differ: by ranks that compare them before any data leaves, or that have waited in
/// vain. All that wait for each other throw it, or `peer_failed`.
class mismatched_calls : public std::runtime_error, public needs_recovery {
public:
    explicit mismatched_calls(std::string_view what) : std::runtime_error{"tutti: " + std::string{what}} {}
};

/// Thrown by a rank that has waited in a call for longer than `execution::timeout`.
class timed_out : public std::runtime_error, public needs_recovery {
public:
    explicit timed_out(std::string_view who_waits) : std::runtime_error{"tutti: " + std::string{who_waits}} {}
};

/// Thrown by a rank that waits in a call while another one, on the same machine, is dead.
class rank_is_dead : public std::runtime_error, public needs_recovery {
public:
    explicit rank_is_dead(int rank)
        : std::runtime_error{"tutti: rank " + std::to_string(rank) +
                             " was killed, or its process has ended; its messages will never come"} {}
};

/// A part of a message for users: words, or a whole number.
class part_of_text {
public:
    part_of_text(char const* words) : words_{words} {}
    part_of_text(std::string_view words) : words_{words} {}
    part_of_text(std::string const& words) : words_{words} {}
    template <std::integral Number>
    part_of_text(Number number)
        : number_{static_cast<std::uint64_t>(number)}, kind_{std::cmp_less(number, 0) ? negative : positive} {}

    void append_to(std::string& text) const {
        switch (kind_) {
        case verbal: text += words_; break;
        case positive: text += std::to_string(number_); break;
        case negative: text += std::to_string(static_cast<std::int64_t>(number_)); break;
        }
    }

private:
    std::string_view words_{};
    std::uint64_t number_ = 0;
    enum : std::uint8_t { verbal, positive, negative } kind_ = verbal;
};

/// All parts, one after the other. One function for all messages: the compiler takes long for strings that are put
/// together where an error is thrown.
[[nodiscard, gnu::cold, gnu::noinline]] inline std::string joined(std::initializer_list<part_of_text> parts) {
    std::string text;
    for (auto const& each : parts) { each.append_to(text); }
    return text;
}

/// Mark of an exception that only follows from another rank's: a handler that has both reports the other one.
struct secondary_error {
    virtual ~secondary_error() = default;
};

/// `sentence` without the word with which all of the library's begin, to be quoted in another one.
[[nodiscard]] constexpr std::string_view quoted(std::string_view sentence) {
    constexpr std::string_view first = "tutti: ";
    return sentence.starts_with(first) ? sentence.substr(first.size()) : sentence;
}

/// Thrown on a rank whose result is missing because an operator threw on another rank, which throws the exception
/// itself. All messages are exchanged all the same, so that no rank waits in vain, and the communicator stays sound.
class operand_missing : public std::runtime_error, public secondary_error {
public:
    [[gnu::cold]] explicit operand_missing(int peer)
        : operand_missing{joined({"the operator threw on another rank (the news came from rank ", peer, ")"})} {}

protected:
    [[gnu::cold]] explicit operand_missing(std::string_view why)
        : std::runtime_error{joined({"tutti: there is no result on this rank because an operand is missing: ", why})} {}
};

/// The same where an exception has destroyed a plan on another rank while it ran: the communicator has failed.
class plan_dropped final : public operand_missing, public needs_recovery {
public:
    /// `peer` says what has happened there.
    [[gnu::cold]] plan_dropped(int peer, std::string_view what)
        : operand_missing{joined({"rank ", peer, " says: ", quoted(what)})} {}
};

/// Thrown on a rank that waits in a collective which has failed on another rank. That rank throws what was wrong.
class peer_failed : public std::runtime_error, public needs_recovery, public secondary_error {
public:
    /// `what` has happened on rank `peer`.
    [[gnu::cold]] peer_failed(int peer, std::string_view what)
        : std::runtime_error{joined({"tutti: a collective has failed on rank ", peer, ": ", quoted(what)})} {}
};

/// Thrown by calls on a communicator on which one has failed in communication: its messages may still be under way, and
/// are not to be taken for those of another call.
class communicator_failed : public std::runtime_error, public needs_recovery {
public:
    /// `what` has happened in the call that failed.
    [[gnu::cold]] explicit communicator_failed(std::string_view what)
        : std::runtime_error{joined({"tutti: a collective on this communicator has failed earlier: ", quoted(what),
                                     "; call tutti::recover(world) on all ranks before the next one"})} {}
};

/// What a rank tells those with which it shares a communicator when they would wait for it in vain.
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
    [[gnu::cold]] count_mismatch(int peer, std::size_t came, std::size_t expected)
        : std::runtime_error{
              joined({"tutti: rank ", peer, " sent ", came, " elements where ", expected,
                      " were expected; give every rank the same number of elements and the same algorithm"})} {}
};

/// Thrown on a rank that received something else than the packed elements that its own arguments call for; otherwise as
/// count_mismatch.
class packet_mismatch : public std::runtime_error, public needs_recovery {
public:
    [[gnu::cold]] packet_mismatch(int peer, std::string_view came, std::size_t elements, std::string_view type)
        : std::runtime_error{joined(
              {"tutti: rank ", peer, " sent ", came, " where ", elements, " ", type,
               " were expected; give every rank the same type and number of elements and the same algorithm"})} {}
};

}  // namespace tutti
