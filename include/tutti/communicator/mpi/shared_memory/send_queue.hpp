// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <tutti/communicator/mpi/shared_memory/mapped_memory.hpp>
#include <tutti/communicator/mpi/shared_memory/segment_layout.hpp>
#include <tutti/communicator/mpi/shared_memory/posted_operation.hpp>

namespace tutti::mpi::node {

/// The sender's end of a pair of ranks.
class send_queue {
public:
    send_queue(segment_layout const& where, std::byte* sender, std::size_t receiver, doorbell& of_receiver) noexcept
        : ring_{where, sender, receiver},
          ack_{reinterpret_cast<ack*>(sender + where.ack_at(receiver))},
          receiver_{&of_receiver},
          slots_{sender + where.slots_at(receiver)},
          slot_bytes_{where.slot_bytes()},
          all_slots_{~std::uint64_t{0} >> (64 - where.slots())} {}

    /// Sends a message of at most a slot, or a piece of one, by copying it. False, and nothing is sent, if there is no
    /// room now.
    [[nodiscard]] bool try_send(int tag, std::span<std::byte const> data, bool is_continued = false) noexcept {
        if (!find_place()) { return false; }
        auto& next = ring_[sent_];
        next.slot = queue_entry::no_slot;
        if (data.size() > ring_.room()) {
            // slots in turn: one that the receiver has just read is in its caches, which makes writing it slow
            auto const free = all_slots_ & ~(handed_over_ ^ ack_->returned.load(std::memory_order_acquire));
            if (free == 0) { return false; }
            last_slot_ += 1 + std::countr_zero(std::rotr(free, last_slot_ + 1));
            next.slot = static_cast<std::uint32_t>(last_slot_ %= 64);
            handed_over_ ^= std::uint64_t{1} << next.slot;
            std::memcpy(slots_ + next.slot * slot_bytes_, data.data(), data.size());
        } else if (!data.empty()) {
            std::memcpy(next.data(), data.data(), data.size());
        }
        next.bytes = static_cast<std::uint32_t>(data.size()) & 0x7fff'ffffU;
        next.is_continued = is_continued ? 1 : 0;
        publish(next, tag);
        return true;
    }

    /// Sends the address of the message of `whole`, which belongs to `referred` then. False, and nothing is sent, if
    /// there is no room now.
    [[nodiscard]] bool try_refer(posted_operation& whole) noexcept {
        auto const free = ~numbered_;
        if (free == 0 || !find_place()) { return false; }
        whole.message.number = static_cast<std::uint32_t>(std::countr_zero(free));
        referred_ ^= bit_of(whole);
        numbered_ |= bit_of(whole);
        reference const here{reinterpret_cast<std::uint64_t>(whole.source), whole.size, whole.message.number,
                             mapped_memory::get().block_of(whole.source, whole.size)};
        auto& next = ring_[sent_];
        next.slot = queue_entry::by_reference;
        next.is_continued = 0;
        std::memcpy(next.data(), &here, sizeof here);
        publish(next, whole.tag);
        return true;
    }

    /// Takes a message out of `referred` that its receiver has read; null if there is none.
    [[nodiscard]] posted_operation* take_read() noexcept {
        if (referred.empty()) { return nullptr; }
        auto const under_way = referred_ ^ ack_->read.load(std::memory_order_acquire);
        auto* const read = referred.take([&](posted_operation const& each) { return (under_way & bit_of(each)) == 0; });
        if (read != nullptr) { numbered_ &= ~bit_of(*read); }
        return read;
    }

    /// The memory of a referred message may change from now on. A receiver that is reading it detects that.
    /// Its number is not given again: the receiver would take the next message for this one.
    void withdraw(posted_operation const& given_up) noexcept {
        referred.withdraw(given_up);
        ack_->withdrawn.fetch_or(bit_of(given_up), std::memory_order_seq_cst);
        std::atomic_thread_fence(std::memory_order_seq_cst);  // before what the program writes there now
    }

    queue waiting;   ///< sends for which there was no room
    queue referred;  ///< sends whose memory has still to be read

private:
    [[nodiscard]] static std::uint64_t bit_of(posted_operation const& sent) noexcept {
        return std::uint64_t{1} << sent.message.number;
    }

    [[nodiscard]] bool find_place() noexcept {
        if (sent_ - taken_ == ring_.entries()) { taken_ = ack_->taken.load(std::memory_order_acquire); }
        return sent_ - taken_ != ring_.entries();
    }

    void publish(queue_entry& next, int tag) noexcept {
        next.tag = tag;
        next.number.store(++sent_, std::memory_order_release);
        receiver_->ring();
    }

    message_ring ring_;
    ack* ack_;
    doorbell* receiver_;
    std::byte* slots_;
    std::size_t slot_bytes_;
    std::uint64_t all_slots_;
    std::uint64_t handed_over_ = 0;  // bit k changes whenever slot k is filled
    std::uint64_t referred_ = 0;     // bit k changes whenever reference k is sent
    std::uint64_t numbered_ = 0;     // bit k: an operation in `referred`, or one withdrawn, has number k
    int last_slot_ = 63;
    std::uint32_t sent_ = 0;
    std::uint32_t taken_ = 0;
};

}  // namespace tutti::mpi::node
