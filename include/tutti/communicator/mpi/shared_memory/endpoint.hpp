// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator.hpp>
#include <tutti/communicator/mpi/shared_memory/blocks.hpp>
#include <tutti/communicator/mpi/shared_memory/inbox.hpp>
#include <tutti/communicator/mpi/shared_memory/layout.hpp>
#include <tutti/communicator/mpi/shared_memory/operation.hpp>
#include <tutti/communicator/mpi/shared_memory/outbox.hpp>
#include <tutti/communicator/mpi/shared_memory/patience.hpp>
#include <tutti/communicator/mpi/shared_memory/window.hpp>
#include <tutti/dynamic_array.hpp>

namespace tutti::mpi::node {

/// This rank among those with which it shares memory: what it sends and receives there. All ranks make one and end it
/// together. Nothing moves but in `send_more` and `look`.
class endpoint {
public:
    /// So often a rank should look for messages before it copies any out of the way.
    static constexpr std::size_t patient_looks = 16;

    /// Messages are lent from up to `most_slots` of a pair of ranks, or pass through them.
    [[gnu::cold]] endpoint(MPI_Comm ranks, std::size_t most_slots)
        : window_{ranks, most_slots},
          layout_{static_cast<std::size_t>(window_.size()), most_slots},
          spare_{layout_.slot_bytes()},
          patience_{window_.size()} {
        for (int peer = 0; peer != window_.size(); ++peer) {
            out_.push_back({layout_, window_.of(window_.rank()), static_cast<std::size_t>(peer)});
            in_.push_back({layout_, window_.of(peer), static_cast<std::size_t>(window_.rank()), operations_, spare_});
        }
        awaited_.reserve(out_.size());
        stalled_.reserve(out_.size());
    }
    endpoint(endpoint const&) = delete;
    endpoint& operator=(endpoint const&) = delete;
    ~endpoint() = default;

    [[nodiscard]] window const& memory() const noexcept { return window_; }
    [[nodiscard]] node::patience& waiting() noexcept { return patience_; }

    /// Bytes of the longest message that travels in one piece. Longer ones are not received in place.
    [[nodiscard]] std::size_t slot_bytes() const noexcept { return layout_.slot_bytes(); }

    /// Of operations that have ended and have not been told.
    [[nodiscard]] std::size_t ended_sends() const noexcept { return ended_sends_; }
    [[nodiscard]] std::size_t ended_receives() const noexcept { return ended_receives_; }

    /// True if there is room for it, and nothing that has to go first. Requires that it fits into a slot.
    [[nodiscard]] bool send_at_once(int peer, int tag, std::span<std::byte const> data) noexcept {
        auto& out = out_at(peer);
        return out.waiting.empty() && out.put(tag, data);
    }

    [[nodiscard]] request send(int peer, int tag, std::span<std::byte const> data) {
        auto& posted = operations_.take(operation::kind::send, peer, tag);
        auto& out = out_at(peer);
        posted.in_pieces = data.size() > slot_bytes();
        if (!posted.in_pieces && send_at_once(peer, tag, data)) {
            posted.ended = true;
            ++ended_sends_;
        } else {
            posted.source = data.data();
            posted.size = data.size();
            if (out.waiting.empty()) { stalled_.push_back(peer); }
            out.waiting.push(posted);
        }
        return {&posted};
    }

    [[nodiscard]] request receive(operation::kind what, int peer, int tag, std::byte* memory, std::size_t bytes) {
        auto& posted = operations_.take(what, peer, tag);
        posted.target = memory;
        posted.size = bytes;
        posted.in_pieces = bytes > slot_bytes();
        auto& in = in_at(peer);
        bool const is_new = !in.awaits();
        if (in.post(posted)) {
            ++ended_receives_;
        } else if (is_new) {
            awaited_.push_back(peer);
        }
        return {&posted};
    }

    /// Sends for which there was no room.
    void send_more() {
        stalled_.erase_if([&](int peer) {
            auto& out = out_at(peer);
            while (!out.waiting.empty()) {
                auto& next = out.waiting.front();
                while (next.in_pieces && next.size >= slot_bytes()) {
                    if (!out.put(next.tag, {next.source, slot_bytes()})) { return false; }
                    next.source += slot_bytes();
                    next.size -= slot_bytes();
                }
                if (!out.put(next.tag, {next.source, next.size})) { return false; }
                out.waiting.pop();
                next.ended = true;
                ++ended_sends_;
            }
            return true;
        });
    }

    /// Takes in what has come for those who wait; see `inbox`.
    void look(bool at_any_price) {
        awaited_.erase_if([&](int peer) {
            ended_receives_ += in_at(peer).look(at_any_price);
            return !in_at(peer).awaits();
        });
    }

    /// What there is to say of an operation that has ended, and is over then unless its memory is lent.
    [[nodiscard]] completion told(operation& over, std::size_t index) {
        completion said{.index = index};
        if (over.what == operation::kind::send) {
            --ended_sends_;
        } else {
            --ended_receives_;
            said.bytes = over.came.bytes;
            said.error = over.failed ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
            if (over.came.data != nullptr && said.bytes != 0) {
                said.lent = over.came.data;
                said.loan = &over;
                return said;
            }
        }
        operations_.put_back(over);
        return said;
    }

    void give_back(completion const& done) noexcept {
        auto& read = *static_cast<operation*>(done.loan);
        in_at(read.peer).release(read.came);
        operations_.put_back(read);
    }

    /// Gives up an operation. What has been sent may still be received.
    [[gnu::cold]] void cancel(operation& over) noexcept {
        bool const sent = over.what == operation::kind::send;
        if (over.ended) {
            --(sent ? ended_sends_ : ended_receives_);
            if (!sent) { in_at(over.peer).release(over.came); }
        } else if (sent) {
            auto& waiting = out_at(over.peer).waiting;
            static_cast<void>(waiting.take([&](auto const& each) { return &each == &over; }));
            if (waiting.empty()) { stalled_.erase_if([&](int peer) { return peer == over.peer; }); }
        } else {
            in_at(over.peer).withdraw(over);
            if (!in_at(over.peer).awaits()) { awaited_.erase_if([&](int peer) { return peer == over.peer; }); }
        }
        operations_.put_back(over);
    }

private:
    [[nodiscard]] outbox& out_at(int peer) noexcept { return out_[static_cast<std::size_t>(peer)]; }
    [[nodiscard]] inbox& in_at(int peer) noexcept { return in_[static_cast<std::size_t>(peer)]; }

    window window_;
    layout layout_;
    operations operations_;
    blocks spare_;
    node::patience patience_;
    dynamic_array<outbox> out_;
    dynamic_array<inbox> in_;
    dynamic_array<int> awaited_;  // ranks from which something is to come
    dynamic_array<int> stalled_;  // ranks for whose messages there was no room
    std::size_t ended_sends_ = 0;
    std::size_t ended_receives_ = 0;
};

}  // namespace tutti::mpi::node
