// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <tutti/communicator.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/execution/progress_engine.hpp>
#include <tutti/program.hpp>

namespace tutti::engine {

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

    void hold(received_fragment<T> const& received) {
        auto& first = first_[received.what.instruction];
        if (unused_ == none) {
            held_.push_back({received, first, false});
            first = static_cast<std::uint32_t>(held_.size() - 1);
        } else {
            auto& unused = held_[unused_];
            auto const next = std::exchange(unused.next, first);
            unused.received = received;
            unused.visited = false;
            first = std::exchange(unused_, next);
        }
    }

    /// Removes the messages of an instruction one by one, and calls `take` with each.
    template <class Take>
    void dispatch(std::uint32_t instruction, Take take) {
        while (first_[instruction] != none) {
            auto const here = first_[instruction];
            auto const received = held_[here].received;
            first_[instruction] = std::exchange(held_[here].next, unused_);
            unused_ = here;
            take(received);
        }
    }

    /// Calls `visit`, once with each, with messages of an instruction, which stay.
    template <class Visit>
    void visit_new(std::uint32_t instruction, Visit visit) {
        // the newest are first
        for (auto i = first_[instruction]; i != none && !held_[i].visited; i = held_[i].next) {
            held_[i].visited = true;
            visit(held_[i].received);
        }
    }

private:
    static constexpr std::uint32_t none = instruction::none;
    static constexpr std::size_t initial_capacity = 64;

    struct entry {
        received_fragment<T> received;
        std::uint32_t next;  // of the same instruction, or unused as well
        bool visited;
    };

    dynamic_array<std::uint32_t> first_;  // of each instruction
    dynamic_array<entry> held_;
    std::uint32_t unused_ = none;
};

}  // namespace tutti::engine
