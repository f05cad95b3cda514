// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include <tutti/communicator.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/execution/buffers.hpp>
#include <tutti/execution/progress_engine.hpp>
#include <tutti/program.hpp>

namespace tutti {

/// Messages without elements, by which a rank tells all that are going to send to it that its receives are posted.
///
/// One such token goes from receiver to sender in every run, however many messages come back. It cannot be mistaken for
/// that of the next run: messages of a pair keep their order. Tokens have a tag of their own: where two ranks send each
/// other data and tokens, a receive would match either.
template <sends_ready C>
class clear_to_send {
public:
    /// For the messages of `run`.
    [[gnu::cold]] clear_to_send(C& world, program const& run) : world_{world} {
        dynamic_array<bool> receives(static_cast<std::size_t>(world.size()));
        dynamic_array<bool> sends(receives.size());
        for (auto const& each : run.instructions) {
            if (each.what == action::send) { receives[static_cast<std::size_t>(each.peer)] = true; }
            if (each.receives()) { sends[static_cast<std::size_t>(each.peer)] = true; }
        }
        for (int rank = 0; rank != world.size(); ++rank) {
            if (receives[static_cast<std::size_t>(rank)]) { receivers_.push_back(rank); }
            if (sends[static_cast<std::size_t>(rank)]) { senders_.push_back(rank); }
        }
        has_come_.resize(receivers_.size());
    }

    /// To be called when all receives of a run are posted, whose messages travel with `tag`. This call does not wait,
    /// so that there is no cycle of waiting ranks.
    void exchange(progress_engine<C>& engine, completion_handler& owner, int tag) {
        auto const own_tag = world_.clear_to_send_tag(tag);
        std::fill(has_come_.begin(), has_come_.end(), false);
        under_way_ = receivers_.size() + senders_.size();
        for (std::size_t i = 0; i != receivers_.size(); ++i) {
            engine.post(world_.receive(receivers_[i], own_tag, {}), owner, {instruction::none, false, i, 0, 0});
        }
        for (std::size_t i = 0; i != senders_.size(); ++i) {
            engine.post(world_.send(senders_[i], own_tag, {}), owner, {instruction::none, true, i, 0, 0});
        }
    }

    /// Whether the message that has completed is a token, which is recorded.
    bool took(fragment const& what) {
        if (what.instruction != instruction::none) { return false; }
        --under_way_;
        if (!what.outgoing) { has_come_[what.first] = true; }
        return true;
    }

    /// Whether the receives of a rank that this one sends to are posted.
    [[nodiscard]] bool has_come_from(int peer) const {
        auto const found = std::lower_bound(receivers_.begin(), receivers_.end(), peer);
        return has_come_[static_cast<std::size_t>(found - receivers_.begin())];
    }

    [[nodiscard]] bool are_over() const { return under_way_ == 0; }

private:
    C& world_;
    dynamic_array<int> receivers_;  // ranks that this one sends data to
    dynamic_array<int> senders_;    // ranks that send data to this one
    dynamic_array<bool> has_come_;  // from each receiver
    std::size_t under_way_ = 0;
};

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
            offsets_.push_back(in_scratch ? used : none);
            if (in_scratch) { used += each.elements; }
        }
        scratch_ = workspace<T>{used};
    }

    /// Where the elements of instruction `i` go from element `first` on; null if that is their place.
    [[nodiscard]] T* scratch_for(std::size_t i, std::size_t first) {
        return offsets_[i] != none ? scratch_.data() + offsets_[i] + first : nullptr;
    }

    /// Elements of scratch.
    [[nodiscard]] std::size_t size() const { return scratch_.size(); }

private:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    [[nodiscard]] static bool is_free_from_the_start(instruction const& what) {
        return what.what == action::receive && what.predecessors == 0 && what.last_range - what.first_range == 1;
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

    /// Whether the communicator still wants the mode that this was made for.
    [[nodiscard]] bool suits(C& world) const { return world.ready_mode() == is_on(); }

    /// The scratch that receives a piece; null if it goes right to its place.
    [[nodiscard]] T* scratch_for(fragment const& piece) {
        return on_->buffers.scratch_for(piece.instruction, piece.first);
    }

    /// Sends the tokens. All receives are posted, of messages with `tag`.
    void announce(progress_engine<C>& engine, completion_handler& owner, int tag) {
        on_->permissions.exchange(engine, owner, tag);
    }

    /// Whether the message is a token, which is recorded, and no data.
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
