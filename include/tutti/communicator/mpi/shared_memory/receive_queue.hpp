// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <utility>

#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/communicator/zero_count_calls.hpp>

#include <tutti/communicator/mpi/shared_memory/peer_memory.hpp>
#include <tutti/communicator/mpi/shared_memory/posted_operation.hpp>
#include <tutti/communicator/mpi/shared_memory/segment_layout.hpp>
#include <tutti/dynamic_array.hpp>

namespace tutti::mpi::node {

/// Memory of this rank for messages that must leave their slots, or the sender's memory. Blocks of up to `bytes` bytes
/// are used again and again.
class overflow_pool {
public:
    explicit overflow_pool(std::size_t bytes) : bytes_{bytes} {}
    overflow_pool(overflow_pool const&) = delete;
    overflow_pool& operator=(overflow_pool const&) = delete;
    ~overflow_pool() {
        for (auto* const each : all_) { ::operator delete(each, alignment); }
    }

    [[nodiscard]] std::byte* take(std::size_t bytes) {
        if (bytes > bytes_) { return static_cast<std::byte*>(::operator new(bytes, alignment)); }
        if (free_.empty()) {
            all_.reserve(all_.size() + 1);
            free_.reserve(all_.size() + 1);
            all_.push_back(static_cast<std::byte*>(::operator new(bytes_, alignment)));
            free_.push_back(all_.back());
        }
        auto* const result = free_.back();
        free_.pop_back();
        return result;
    }

    [[nodiscard]] std::byte* copy_of(std::byte const* data, std::size_t bytes) {
        auto* const result = take(bytes);
        std::memcpy(result, data, bytes);
        return result;
    }

    /// `bytes` as it was taken for.
    void put_back(std::byte* block, std::size_t bytes) noexcept {
        if (bytes > bytes_) {
            ::operator delete(block, alignment);
        } else {
            free_.push_back(block);
        }
    }

private:
    static constexpr std::align_val_t alignment{segment_layout::page};  // as slots

    std::size_t bytes_;
    dynamic_array<std::byte*> all_;
    dynamic_array<std::byte*> free_;
};

/// The receiver's end of a pair of ranks: matches messages with receives.
///
/// Messages are looked for only while a receive waits. Then no message holds up the others forever: those without
/// a receive leave the ring, and never are all slots kept, be it for such messages or by leases. A message that would
/// keep the last one is copied to memory of this rank. So a sender finds room again, and the awaited message arrives.
///
/// A message that is longer than a slot arrives in pieces, all but the last one as long as a slot, and a receive goes
/// on until the last one. Or it is sent by reference, where single copies pay and from memory that this rank has
/// mapped, and read when it is received, or by the caller to whom it is lent; it is copied out of the sender's memory
/// if too many of the pair wait for that.
class receive_queue {
public:
    receive_queue(segment_layout const& where, std::byte* sender, std::size_t receiver, operations& pool,
                  overflow_pool& spare, peer_memory from, doorbell& of_sender, std::exception_ptr& failure) noexcept
        : ring_{where, sender, receiver},
          ack_{reinterpret_cast<ack*>(sender + where.ack_at(receiver))},
          slots_{sender + where.slots_at(receiver)},
          slot_bytes_{where.slot_bytes()},
          most_kept_{where.slots() - 1},
          pool_{&pool},
          spare_{&spare},
          sender_{from},
          bell_{&of_sender},
          failure_{&failure} {}

    [[nodiscard]] bool awaits() const noexcept { return !receives_.empty(); }

    /// A receive begins; true if its message is here already.
    [[nodiscard]] bool post(posted_operation& receive) {
        while (!receive.ended) {
            auto* const found = unexpected_.take([&](auto const& each) { return each.tag == receive.tag; });
            if (found == nullptr) {
                receives_.push(receive);
                return false;
            }
            accept(receive, found->message);
            pool_->put_back(*found);
        }
        return true;
    }

    /// The receive is cancelled.
    void withdraw(posted_operation const& receive) noexcept { receives_.withdraw(receive); }

    /// Takes in the messages that have arrived; returns how many receives have ended. Unless `may_copy`, stops at a
    /// message that would have to be copied out of the way.
    [[nodiscard]] std::size_t look(bool may_copy) {
        std::size_t ended = 0;
        while (awaits()) {
            auto const& next = ring_[taken_];
            if (next.number.load(std::memory_order_acquire) != taken_ + 1) { break; }
            auto* const receive = receives_.find([&](auto const& each) { return each.tag == next.tag; });
            bool const stays = next.slot < queue_entry::by_reference &&
                               (receive == nullptr || receive->what == posted_operation::kind::receive_lent);
            if (stays && kept_ >= most_kept_ && !may_copy) { break; }
            take(next, receive, stays && kept_ >= most_kept_ && !evict());
            if (receive != nullptr && receive->ended) { ++ended; }
            pass();
        }
        return ended;
    }

    /// Whether a receive with this tag would get a whole message now, the first that has come.
    [[nodiscard]] bool has_next(int tag) const noexcept {
        auto const& next = ring_[taken_];
        return next.number.load(std::memory_order_acquire) == taken_ + 1 && next.tag == tag && next.is_continued == 0 &&
               receives_.empty() && unexpected_.empty() && kept_ < most_kept_;
    }
    /// This receive gets it.
    void take_next(posted_operation& receive) {
        take(ring_[taken_], &receive, false);
        pass();
    }

    /// Whether a message has come that no receive waits for, with one of these tags, or any; and its tag.
    [[nodiscard]] bool find(std::span<int const> tags, int& tag) const noexcept {
        auto const is_it = [&](auto const& each) { return control::is_sought(tags, tag = each.tag); };
        if (unexpected_.find(is_it) != nullptr) { return true; }
        for (auto i = taken_; i != taken_ + ring_.entries(); ++i) {
            auto const& next = ring_[i];
            if (next.number.load(std::memory_order_acquire) != i + 1) { return false; }
            if (is_it(next) && receives_.find([&](auto const& each) { return each.tag == next.tag; }) == nullptr) {
                return true;
            }
        }
        return false;
    }

    /// The message has been read.
    void release(payload& read) noexcept {
        if (read.is_reference()) {
            if (read.held) { --held_; }
            if (read.mapped != nullptr) { mapped_memory::get().release(std::exchange(read.mapped, nullptr)); }
            read_ ^= std::uint64_t{1} << read.number;
            ack_->read.store(read_, std::memory_order_release);
            bell_->ring();
            read.slot = queue_entry::no_slot;
            read.held = false;
        } else if (read.slot != queue_entry::no_slot) {
            --kept_;
            returned_ ^= std::uint64_t{1} << read.slot;
            ack_->returned.store(returned_, std::memory_order_release);
            bell_->ring();
            read.slot = queue_entry::no_slot;
        } else if (read.block != nullptr) {
            spare_->put_back(read.block, read.bytes);
            read.block = nullptr;
        }
    }

    /// Copies a part of a message that is still in the sender's memory, from `offset` on.
    void fetch(payload const& from, std::size_t offset, std::span<std::byte> into) const {
        if (from.data != nullptr) {
            if (!into.empty()) { std::memcpy(into.data(), from.data + offset, into.size()); }
        } else {
            sender_.read(from.address + offset, into);
        }
        // checked after reading: only then it is certain that the message was still there
        std::atomic_thread_fence(std::memory_order_seq_cst);
        if ((ack_->withdrawn.load(std::memory_order_relaxed) >> from.number & 1) != 0) {
            throw control::message_withdrawn{};
        }
    }

private:
    // The next entry of the ring is over.
    void pass() {
        ++taken_;
        if ((taken_ - acknowledged_) * 4 < ring_.entries()) { return; }
        acknowledged_ = taken_;
        ack_->taken.store(taken_, std::memory_order_release);
        bell_->ring();
    }

    void take(queue_entry const& next, posted_operation* receive, bool to_be_moved) {
        payload message{.data = next.data(), .bytes = next.bytes, .is_continued = next.is_continued != 0};
        if (next.slot == queue_entry::by_reference) {
            reference there;
            std::memcpy(&there, next.data(), sizeof there);
            std::size_t const bytes = there.bytes;
            auto* const mapped = sender_.find(there.block, there.address, bytes);
            message = {.data = mapped != nullptr ? mapped->at(there.address) : nullptr,
                       .bytes = bytes,
                       .slot = next.slot,
                       .address = there.address,
                       .number = there.number,
                       .mapped = mapped};
        } else if (next.slot != queue_entry::no_slot) {
            message.data = slots_ + next.slot * slot_bytes_;
            message.slot = next.slot;
            ++kept_;
            if (to_be_moved) { move_out(message); }
        }
        if (receive != nullptr) {
            accept(*receive, message);
            if (receive->ended) { withdraw(*receive); }
        } else {
            auto& holder = pool_->take().begin(posted_operation::kind::unexpected, 0, next.tag);
            keep(holder, message);
            unexpected_.push(holder);
        }
    }

    void accept(posted_operation& receive, payload& message) {
        if (receive.in_pieces || message.is_continued) { return append(receive, message); }
        receive.ended = true;
        receive.message.bytes = message.bytes;
        receive.message.unreadable = message.unreadable;
        if (message.unreadable || message.bytes > receive.size) {
            receive.too_long = !message.unreadable;
            release(message);
        } else if (receive.what == posted_operation::kind::receive_lent) {
            keep(receive, message);
        } else {
            if (message.is_reference()) {
                receive.message.unreadable = !try_fetch(message, receive.target);
            } else if (message.bytes != 0) {
                std::memcpy(receive.target, message.data, message.bytes);
            }
            release(message);
        }
    }

    // False where it is gone. The call that waits for it gets the reason.
    [[nodiscard]] bool try_fetch(payload const& message, std::byte* into) noexcept {
        try {
            fetch(message, 0, {into, message.bytes});
            return true;
        } catch (...) {
            if (!*failure_) { *failure_ = std::current_exception(); }
            return false;
        }
    }

    void append(posted_operation& receive, payload& piece) {
        auto const first = receive.message.bytes;
        receive.in_pieces = true;
        receive.message.bytes += piece.bytes;
        receive.ended = !piece.is_continued;
        receive.too_long = receive.message.bytes > receive.size;
        bool const is_lent = receive.what == posted_operation::kind::receive_lent;  // from memory that cannot be read
        if (is_lent && first == 0) { receive.message.data = receive.message.block = spare_->take(receive.size); }
        if (!receive.too_long) {
            std::memcpy((is_lent ? receive.message.block : receive.target) + first, piece.data, piece.bytes);
        }
        release(piece);
        if (is_lent && receive.ended && receive.message.bytes != receive.size) {
            auto* const block = std::exchange(receive.message.block, nullptr);
            receive.message.data = nullptr;
            if (!receive.too_long) {
                receive.message.data = receive.message.block = spare_->copy_of(block, receive.message.bytes);
            }
            spare_->put_back(block, receive.size);
        }
    }

    void keep(posted_operation& holder, payload& message) {
        if (message.is_reference() && !message.held) {
            if (held_ == most_held) {
                auto* const block = spare_->take(message.bytes);
                message.unreadable = !try_fetch(message, block);
                release(message);
                message.data = message.block = block;
            } else {
                ++held_;
                message.held = true;
            }
        }
        holder.message = message;
        if (message.slot == queue_entry::no_slot && message.block == nullptr) {
            if (message.bytes != 0) { std::memcpy(holder.inline_data, message.data, message.bytes); }
            holder.message.data = holder.inline_data;
        }
    }

    void move_out(payload& from) {
        auto* const block = spare_->copy_of(from.data, from.bytes);
        release(from);
        from.data = from.block = block;
    }

    // Frees the slot of an unexpected message; false if there is none.
    bool evict() {
        auto* const found =
            unexpected_.find([](auto const& each) { return each.message.slot < queue_entry::by_reference; });
        if (found == nullptr) { return false; }
        move_out(found->message);
        return true;
    }

    static constexpr std::size_t most_held = reference::most - 16;  // others pass through what is left

    message_ring ring_;
    ack* ack_;
    std::byte const* slots_;
    std::size_t slot_bytes_;
    std::size_t most_kept_;
    std::uint32_t taken_ = 0;
    std::uint32_t acknowledged_ = 0;
    std::uint64_t returned_ = 0;
    std::size_t kept_ = 0;
    queue receives_;
    queue unexpected_;
    operations* pool_;
    overflow_pool* spare_;
    peer_memory sender_;
    doorbell* bell_;  // of the sender
    std::uint64_t read_ = 0;
    std::size_t held_ = 0;  // references
    std::exception_ptr* failure_;
};

}  // namespace tutti::mpi::node
