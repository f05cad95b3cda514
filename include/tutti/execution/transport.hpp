// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <tutti/communicator.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/execution/progress_engine.hpp>
#include <tutti/program.hpp>

namespace tutti {

/// Elements of a message that have come in. `elements` is null where they were received right into place.
template <class T>
struct received_fragment {
    fragment what;
    completion how;
    T const* elements = nullptr;
    bool missing = false;  ///< the sender had nothing to send because an operand had failed

    /// Whether the elements are still in the sender's memory, out of reach until they are fetched.
    [[nodiscard]] bool is_remote() const { return !missing && elements == nullptr && how.lease != nullptr; }
};

/// How far a send has come.
enum class sending {
    begun,   ///< a part of it has still to be posted
    posted,  ///< all of it has been
    ended    ///< nothing of it is under way any more
};

/// What the executor asks of a class that moves the messages of a program for elements of type T: `messages`, of
/// elements that travel as bytes, and `packed_messages`, of serialised ones. Instructions are given by their numbers.
///
/// - reset(engine, tag): begins another run, whose messages belong to `engine` and have `tag`; false if the
/// communicator
///   has other limits than this was made for, and another one has to be made.
/// - lends(what): whether what a receive brings stays in the sender's memory until it is released.
/// - prepare(i): runs what of the user's code a send needs, serialisation, which may throw; once, before `send`.
/// - send(i, missing): posts what can be posted of a send, without data if they are missing.
/// - receive(i): posts what can be posted of a receive; true if all of it has been.
/// - sent(piece): a message of a send has completed; true if it was the last one.
/// - arrived(piece, how): a message of a receive has completed: the elements that are there now, if any.
/// - release(came): these elements are no longer needed.
///
/// One that lends may also `keep` elements that cannot be combined yet, so that their send completes, and
/// `require_unchanged` ones that their sender may have changed meanwhile. How the combiner reads elements that have
/// arrived, `incoming`, is between it and the transport.
template <class X, class C, class T>
concept transport = requires(X& moves, progress_engine<C>& engine, instruction const& what, std::uint32_t i, int tag,
                             fragment const& piece, completion const& how, received_fragment<T> const& came) {
    { moves.reset(engine, tag) } -> std::same_as<bool>;
    { moves.lends(what) } -> std::same_as<bool>;
    moves.prepare(i);
    { moves.send(i, true) } -> std::same_as<sending>;
    { moves.receive(i) } -> std::same_as<bool>;
    { moves.sent(piece) } -> std::same_as<bool>;
    { moves.arrived(piece, how) } -> std::same_as<std::optional<received_fragment<T>>>;
    moves.release(came);
};

/// Messages that came before the predecessors of their instruction had ended.
template <class T>
class unexpected_messages {
public:
    explicit unexpected_messages(std::size_t instructions) : first_(instructions, none) {
        held_.reserve(initial_capacity);
    }

    void clear() {
        std::fill(first_.begin(), first_.end(), none);
        held_.clear();
        unused_ = none;
    }

    void hold(received_fragment<T> const& came) {
        auto& first = first_[came.what.instruction];
        if (unused_ == none) {
            held_.push_back({came, first});
            first = static_cast<std::uint32_t>(held_.size() - 1);
        } else {
            auto& unused = held_[unused_];
            auto const next = std::exchange(unused.next, first);
            unused.came = came;
            first = std::exchange(unused_, next);
        }
    }

    /// Removes the messages of an instruction one by one, and calls `take` with each.
    template <class Take>
    void dispatch(std::uint32_t instruction, Take take) {
        while (first_[instruction] != none) {
            auto const here = first_[instruction];
            auto const came = held_[here].came;
            first_[instruction] = std::exchange(held_[here].next, unused_);
            unused_ = here;
            take(came);
        }
    }

    /// Calls `visit` with the messages of an instruction, which stay.
    template <class Visit>
    void for_each_of(std::uint32_t instruction, Visit visit) {
        for (auto i = first_[instruction]; i != none; i = held_[i].next) { visit(held_[i].came); }
    }

private:
    static constexpr std::uint32_t none = instruction::none;
    static constexpr std::size_t initial_capacity = 64;

    struct entry {
        received_fragment<T> came;
        std::uint32_t next;  // of the same instruction, or unused as well
    };

    dynamic_array<std::uint32_t> first_;  // of each instruction
    dynamic_array<entry> held_;
    std::uint32_t unused_ = none;
};

}  // namespace tutti
