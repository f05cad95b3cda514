// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include <tutti/communicator.hpp>
#include <tutti/execution/mailroom.hpp>
#include <tutti/execution/own_buffers.hpp>
#include <tutti/execution/program.hpp>
#include <tutti/execution/tokens.hpp>

namespace tutti {

/// What those may assume who never run in ready mode.
struct standard_mode {
    [[nodiscard]] static constexpr bool is_on() { return false; }
    [[nodiscard]] static constexpr bool may_send_to(int /*peer*/) { return true; }
    [[nodiscard]] static constexpr bool took(posting const& /*what*/) { return false; }
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
    [[nodiscard]] static constexpr T* scratch_for(posting const& /*piece*/) { return nullptr; }
    static constexpr void announce(mailroom<C>& /*room*/, correspondent& /*owner*/, int /*tag*/) {}
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
    [[nodiscard]] T* scratch_for(posting const& piece) {
        return on_->buffers.scratch_for(piece.instruction, piece.first);
    }

    /// Tells the senders. All receives are posted, of messages with `tag`.
    void announce(mailroom<C>& room, correspondent& owner, int tag) { on_->permissions.exchange(room, owner, tag); }

    /// Whether this is no data, but a token; takes it.
    bool took(posting const& what) { return is_on() && on_->permissions.took(what); }

    [[nodiscard]] bool may_send_to(int peer) const { return !is_on() || on_->permissions.has_come_from(peer); }

    /// No token is under way.
    [[nodiscard]] bool is_over() const { return !is_on() || on_->permissions.are_over(); }

    [[nodiscard]] auto send(C& world, int peer, int tag, std::span<std::byte const> data) const {
        return is_on() ? world.send_ready(peer, tag, data) : world.send(peer, tag, data);
    }

private:
    struct needs {
        needs(C& world, program const& run) : buffers{run}, permissions{world, run} {}

        own_buffers<T> buffers;
        tokens<C> permissions;
    };

    std::optional<needs> on_;
};

}  // namespace tutti
