// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <span>
#include <utility>

#include <unistd.h>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator.hpp>
#include <tutti/communicator/mpi/shared_memory/idle.hpp>
#include <tutti/communicator/mpi/shared_memory/posted_operation.hpp>
#include <tutti/communicator/mpi/shared_memory/peer_memory.hpp>
#include <tutti/communicator/mpi/shared_memory/receive_queue.hpp>
#include <tutti/communicator/mpi/shared_memory/segment_layout.hpp>
#include <tutti/communicator/mpi/shared_memory/send_queue.hpp>
#include <tutti/communicator/mpi/shared_memory/shared_segment.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/error.hpp>

namespace tutti::mpi::node {

/// This rank among those with which it shares memory: what it sends and receives there. All ranks make one and end it
/// together. Nothing moves but in `send_more` and `look`. Errors call rank r `global_ranks[r]`, if there are such.
class endpoint {
public:
    /// Polls without success before a rank copies messages out of the way.
    static constexpr std::size_t spin_limit = 16;

    /// Messages are lent from up to `most_slots` of a pair of ranks, or pass through them.
    [[gnu::cold]] endpoint(MPI_Comm ranks, std::size_t most_slots, dynamic_array<int> global_ranks = {})
        : shared_segment_{ranks, most_slots, std::move(global_ranks)},
          spare_{slot_bytes()},
          idle_{shared_segment_.size()} {
        for (int peer = 0; peer != shared_segment_.size(); ++peer) {
            auto& bell = shared_segment_.bell_of(peer);
            out_.push_back({shared_segment_.layout(), shared_segment_.of(shared_segment_.rank()),
                            static_cast<std::size_t>(peer), bell});
            in_.push_back({shared_segment_.layout(), shared_segment_.of(peer),
                           static_cast<std::size_t>(shared_segment_.rank()), operations_, spare_,
                           shared_segment_.copies().of(peer), bell, failure_});
        }
        awaited_.reserve(out_.size());
        stalled_.reserve(out_.size());
        referring_.reserve(out_.size());
    }
    endpoint(endpoint const&) = delete;
    endpoint& operator=(endpoint const&) = delete;
    ~endpoint() = default;

    [[nodiscard]] shared_segment const& memory() const noexcept { return shared_segment_; }
    [[nodiscard]] node::idle& idle() noexcept { return idle_; }
    [[nodiscard]] doorbell& bell() const noexcept { return shared_segment_.bell_of(shared_segment_.rank()); }

    /// Bytes of the longest message that is copied to a slot.
    [[nodiscard]] std::size_t slot_bytes() const noexcept { return shared_segment_.layout().slot_bytes(); }

    /// Bytes of the longest message that can be lent: one that prefers a single copy, or any.
    [[nodiscard]] std::size_t longest_lent(bool by_single_copy) const noexcept {
        bool const by_reference = shared_segment_.copies().shortest(by_single_copy) != single_copies::never;
        return by_reference ? std::numeric_limits<std::size_t>::max() : slot_bytes();
    }

    /// The numbers of sends and of receives that have ended and have not been reported.
    [[nodiscard]] std::size_t ended_sends() const noexcept { return ended_sends_; }
    [[nodiscard]] std::size_t ended_receives() const noexcept { return ended_receives_; }

    /// Sends the message if it is copied to a slot, there is one, and no other has to be sent first; false otherwise.
    [[nodiscard]] bool send_at_once(int peer, int tag, std::span<std::byte const> data, bool by_single_copy) noexcept {
        auto& out = out_at(peer);
        return data.size() <= slot_bytes() && !refers_to(data, by_single_copy) && out.waiting.empty() &&
               out.try_send(tag, data);
    }

    [[nodiscard]] request send(int peer, int tag, std::span<std::byte const> data, bool by_single_copy) {
        auto& posted = operations_.take().begin(posted_operation::kind::send, peer, tag);
        auto& out = out_at(peer);
        posted.by_reference = refers_to(data, by_single_copy);
        posted.source = data.data();
        posted.size = data.size();
        if (posted.by_reference && out.waiting.empty() && out.try_refer(posted)) {
            await_reading(posted);
        } else if (!posted.by_reference && data.size() <= slot_bytes() && out.waiting.empty() &&
                   out.try_send(tag, data)) {
            posted.ended = true;
            ++ended_sends_;
        } else {
            if (out.waiting.empty()) { stalled_.push_back(peer); }
            out.waiting.push(posted);
        }
        return {&posted};
    }

    [[nodiscard]] request receive(posted_operation::kind what, int peer, int tag, std::byte* memory,
                                  std::size_t bytes) {
        auto& posted = operations_.take().begin(what, peer, tag);
        posted.target = memory;
        posted.size = bytes;
        auto& in = in_at(peer);
        bool const is_new = !in.awaits();
        if (in.post(posted)) {
            ++ended_receives_;
        } else if (is_new) {
            awaited_.push_back(peer);
        }
        return {&posted};
    }

    /// Receives a message to be lent if it comes within this many polls, and no other receive has to end before; false
    /// otherwise.
    [[nodiscard]] bool receive_at_once(int peer, int tag, std::size_t bytes, std::size_t most_polls, completion& done) {
        auto& in = in_at(peer);
        std::size_t polls = 0;
        while (!in.has_next(tag)) {
            if (++polls == most_polls) { return false; }
        }
        if (polls != 0) { idle_.polled(shared_segment_, polls); }
        auto& posted = operations_.take().begin(posted_operation::kind::receive_lent, peer, tag);
        posted.size = bytes;
        in.take_next(posted);
        ++ended_receives_;
        done = completion_of(posted, 0);
        return true;
    }

    /// Sends messages for which there was no room, and completes sends whose memory has been read.
    void send_more() {
        referring_.erase_if([&](int peer) {
            auto& out = out_at(peer);
            while (auto* const read = out.take_read()) {
                read->ended = true;
                ++ended_sends_;
            }
            return out.referred.empty();
        });
        stalled_.erase_if([&](int peer) {
            auto& out = out_at(peer);
            while (!out.waiting.empty()) {
                auto& next = out.waiting.front();
                if (next.by_reference) {
                    if (!out.try_refer(next)) { return false; }
                    out.waiting.pop();
                    await_reading(next);
                    continue;
                }
                while (next.size > slot_bytes()) {
                    if (!out.try_send(next.tag, {next.source, slot_bytes()}, true)) { return false; }
                    next.source += slot_bytes();
                    next.size -= slot_bytes();
                }
                if (!out.try_send(next.tag, {next.source, next.size})) { return false; }
                out.waiting.pop();
                next.ended = true;
                ++ended_sends_;
            }
            return true;
        });
    }

    /// Takes in the messages that have arrived, for receives that wait; see `receive_queue`.
    void look(bool may_copy) {
        awaited_.erase_if([&](int peer) {
            ended_receives_ += in_at(peer).look(may_copy);
            return !in_at(peer).awaits();
        });
    }

    /// The first message that no receive waits for, with one of these tags, or any.
    [[nodiscard]] control::unmatched_message find(std::span<int const> tags) const noexcept {
        int tag = 0;
        auto const* const found =
            std::find_if(in_.begin(), in_.end(), [&](receive_queue const& each) { return each.find(tags, tag); });
        return found != in_.end() ? control::unmatched_message{static_cast<int>(found - in_.begin()), tag}
                                  : control::unmatched_message{};
    }

    /// The error of a completion whose message could not be read, and the reason.
    static constexpr int unreadable = MPI_ERR_LASTCODE;
    [[noreturn]] void raise_unreadable() const { std::rethrow_exception(failure_); }

    /// The completion of an operation that has ended; it is over then, unless its memory is lent.
    [[nodiscard]] completion completion_of(posted_operation& over, std::size_t index) {
        completion result{.index = index};
        if (over.what == posted_operation::kind::send) {
            --ended_sends_;
        } else {
            --ended_receives_;
            result.bytes = over.message.bytes;
            result.error = over.message.unreadable ? unreadable : over.too_long ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
            if (over.message.unreadable) { in_at(over.peer).release(over.message); }
            if (result.error == MPI_SUCCESS && (over.message.data != nullptr || over.message.is_reference()) &&
                result.bytes != 0) {
                result.lent = over.message.data;
                result.may_change = over.message.is_reference() && over.message.data != nullptr;
                result.lease = &over;
                return result;
            }
        }
        operations_.put_back(over);
        return result;
    }

    /// Copies a part of a message that is lent where it lies in the sender's memory.
    void fetch(completion const& done, std::size_t offset, std::span<std::byte> into) {
        auto const& lent = *static_cast<posted_operation const*>(done.lease);
        in_at(lent.peer).fetch(lent.message, offset, into);
    }

    void give_back(completion const& done) noexcept {
        auto& read = *static_cast<posted_operation*>(done.lease);
        in_at(read.peer).release(read.message);
        operations_.put_back(read);
    }

    /// Gives up an operation. What has been sent may still be received.
    [[gnu::cold]] void cancel(posted_operation& over) noexcept {
        bool const sent = over.what == posted_operation::kind::send;
        if (over.ended) {
            --(sent ? ended_sends_ : ended_receives_);
            if (!sent) { in_at(over.peer).release(over.message); }
        } else if (sent) {
            auto& waiting = out_at(over.peer).waiting;
            if (!waiting.withdraw(over)) { out_at(over.peer).withdraw(over); }
            if (waiting.empty()) { stalled_.erase_if([&](int peer) { return peer == over.peer; }); }
        } else {
            in_at(over.peer).withdraw(over);
            if (!in_at(over.peer).awaits()) { awaited_.erase_if([&](int peer) { return peer == over.peer; }); }
        }
        operations_.put_back(over);
    }

private:
    // Whether a message stays where it is.
    [[nodiscard]] bool refers_to(std::span<std::byte const> data, bool by_single_copy) noexcept {
        return data.size() > longest_copied_ && refers_to_long(data, by_single_copy);
    }
    [[nodiscard]] bool refers_to_long(std::span<std::byte const> data, bool by_single_copy) noexcept {
        auto const& copies = shared_segment_.copies();
        if (!copies.are_possible()) { return false; }
        return (data.size() >= copies.shortest(by_single_copy) && prove_readable(data)) ||
               mapped_memory::get().block_of(data.data(), data.size()) != mapped_memory::no_block;
    }

    // Whether the kernel reads memory for another process: not of devices, nor secret memory. Asked once of a
    // range, at both of its ends; ranges that adjoin become one.
    [[nodiscard]] bool prove_readable(std::span<std::byte const> data) noexcept {
        auto const first = reinterpret_cast<std::uint64_t>(data.data()), end = first + data.size();
        if (first >= readable_from_ && end <= readable_to_) { return true; }
        std::byte one{};
        peer_memory const self{getpid()};
        if (!self.try_read(first, {&one, 1}) || !self.try_read(end - 1, {&one, 1})) { return false; }
        bool const adjoins = first <= readable_to_ && end >= readable_from_;
        readable_from_ = adjoins ? std::min(first, readable_from_) : first;
        readable_to_ = adjoins ? std::max(end, readable_to_) : end;
        return true;
    }

    void await_reading(posted_operation& sent) {
        auto& referred = out_at(sent.peer).referred;
        if (referred.empty()) { referring_.push_back(sent.peer); }
        referred.push(sent);
    }

    [[nodiscard]] send_queue& out_at(int peer) noexcept { return out_[static_cast<std::size_t>(peer)]; }
    [[nodiscard]] receive_queue& in_at(int peer) noexcept { return in_[static_cast<std::size_t>(peer)]; }

    shared_segment shared_segment_;
    std::size_t longest_copied_ = shared_segment_.layout().longest_copied();
    operations operations_;
    overflow_pool spare_;
    node::idle idle_;
    dynamic_array<send_queue> out_;
    dynamic_array<receive_queue> in_;
    dynamic_array<int> awaited_;  // ranks from which something is to come
    dynamic_array<int> stalled_;  // ranks for whose messages there was no room
    dynamic_array<int> referring_;  // ranks that have still to read messages
    std::exception_ptr failure_;
    std::uint64_t readable_from_ = 0;  // see `can_be_read`
    std::uint64_t readable_to_ = 0;
    std::size_t ended_sends_ = 0;
    std::size_t ended_receives_ = 0;
};

}  // namespace tutti::mpi::node
