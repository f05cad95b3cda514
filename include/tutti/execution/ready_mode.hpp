// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include <tutti/communicator.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/execution/clear_to_send.hpp>
#include <tutti/execution/program.hpp>
#include <tutti/execution/progress_engine.hpp>
#include <tutti/execution/workspace.hpp>

namespace tutti {

/// Memory for all receives of a program at the same time.
///
/// Blocks that no earlier instruction accesses are received right into place. Everything else, what is combined and
/// what overwrites, gets scratch that is used once in a run: as many elements as come in that way.
template <class T>
class dedicated_buffers {
public:
    explicit dedicated_buffers(program const& run) {
        std::size_t used = 0;
        offsets_.reserve(run.instructions.size());
        for (auto const& each : run.instructions) {
            bool const in_scratch = each.receives() && !is_free_from_the_start(each);
            offsets_.push_back(in_scratch ? used : in_place);
            if (in_scratch) { used += each.elements; }
        }
        scratch_ = workspace<T>{used};
    }

    /// Where the elements of instruction `i` go from element `first` on; null if that is their place.
    [[nodiscard]] T* scratch_for(std::size_t i, std::size_t first) {
        return offsets_[i] != in_place ? scratch_.data() + offsets_[i] + first : nullptr;
    }

    /// Elements of scratch.
    [[nodiscard]] std::size_t size() const { return scratch_.size(); }

private:
    static constexpr std::size_t in_place = std::numeric_limits<std::size_t>::max();

    [[nodiscard]] static bool is_free_from_the_start(instruction const& what) {
        return what.what == action::receive && what.predecessors == 0 && what.last_part - what.first_part == 1;
    }

    dynamic_array<std::size_t> offsets_;  // in scratch, of each instruction
    workspace<T> scratch_;
};

/// Ready mode of communicators that have none: no operation.
struct standard_mode {
    [[nodiscard]] static constexpr bool is_on() { return false; }
    [[nodiscard]] static constexpr bool may_send_to(int /*peer*/) { return true; }
    [[nodiscard]] static constexpr bool took(fragment const& /*what*/) { return false; }
    [[nodiscard]] static constexpr bool is_over() { return true; }
};

/// How the messages of a program are sent in ready mode, which is allowed where the receive is posted already, if the
/// communicator wants it. On every rank, in this order:
///
/// 1. all receives of the run are posted, in the order of their use, each into memory of its own;
/// 2. a token goes to every rank from which a message will come;
/// 3. the run begins; nothing is sent to a rank before its token is here.
///
/// One token covers all messages of a pair, since it leaves after all receives. Every rank has sent its tokens before
/// it waits for one, so that no rank waits for ever. Costs: one α per pair, while other things go on; memory for all
/// that is received, which in standard mode is a few pieces.
template <communicator C, class T>
class ready_mode : public standard_mode {
public:
    ready_mode(C& /*world*/, program const& /*run*/) {}

    [[nodiscard]] static constexpr bool suits(C& /*world*/) { return true; }
    [[nodiscard]] static constexpr T* scratch_for(fragment const& /*piece*/) { return nullptr; }
    static constexpr void announce(progress_engine<C>& /*engine*/, completion_handler& /*owner*/, int /*tag*/) {}
    [[nodiscard]] static auto send(C& world, int peer, int tag, std::span<std::byte const> data) {
        return world.send(peer, tag, data);
    }
};

template <communicator C, class T>
    requires sends_ready<C>
class ready_mode<C, T> {
public:
    ready_mode(C& world, program const& run) {
        if (world.ready_mode()) { on_.emplace(world, run); }
    }

    [[nodiscard]] bool is_on() const { return on_.has_value(); }

    /// Whether the communicator still wants what it did.
    [[nodiscard]] bool suits(C& world) const { return world.ready_mode() == is_on(); }

    /// Where a piece comes in; null if that is its place.
    [[nodiscard]] T* scratch_for(fragment const& piece) {
        return on_->buffers.scratch_for(piece.instruction, piece.first);
    }

    /// Tells the senders. All receives are posted, of messages with `tag`.
    void announce(progress_engine<C>& engine, completion_handler& owner, int tag) {
        on_->permissions.exchange(engine, owner, tag);
    }

    /// Whether this is no data, but a token; takes it.
    bool took(fragment const& what) { return is_on() && on_->permissions.took(what); }

    [[nodiscard]] bool may_send_to(int peer) const { return !is_on() || on_->permissions.has_come_from(peer); }

    /// No token is under way.
    [[nodiscard]] bool is_over() const { return !is_on() || on_->permissions.are_over(); }

    [[nodiscard]] auto send(C& world, int peer, int tag, std::span<std::byte const> data) const {
        return is_on() ? world.send_ready(peer, tag, data) : world.send(peer, tag, data);
    }

private:
    struct needs {
        needs(C& world, program const& run) : buffers{run}, permissions{world, run} {}

        dedicated_buffers<T> buffers;
        clear_to_send<C> permissions;
    };

    std::optional<needs> on_;
};

}  // namespace tutti
