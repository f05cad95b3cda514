// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tutti/communicator/mpi/shared_memory/mapped_memory.hpp>
#include <tutti/communicator/mpi/shared_memory/segment_layout.hpp>
#include <tutti/dynamic_array.hpp>

namespace tutti::mpi::node {

/// The bytes of a message that has arrived: in its slot, in memory of this rank, in this object if short, or still in
/// the sender's memory.
struct payload {
    std::byte const* data = nullptr;
    std::size_t bytes = 0;
    std::uint32_t slot = queue_entry::no_slot;
    std::byte* block = nullptr;
    std::uint64_t address = 0;  ///< with the slot `queue_entry::by_reference`
    std::uint32_t number = 0;   ///< of the reference
    bool held = false;          ///< the reference is counted among those that have not been read
    bool is_continued = false;  ///< a piece, of which more follow
    bool unreadable = false;    ///< it was gone when this rank came to copy it
    mapped_block* mapped = nullptr;  ///< where `data` is that of a reference

    [[nodiscard]] bool is_reference() const noexcept { return slot == queue_entry::by_reference; }
};

/// A send, a receive, or an unexpected message.
struct operation {
    enum class kind : std::uint8_t { send, receive, receive_lent, unexpected };

    kind what = kind::send;
    bool ended = false;
    bool too_long = false;
    bool in_pieces = false;     ///< a receive of which a piece has come, see `receive_queue`
    bool by_reference = false;  ///< the receiver reads it where it lies
    int peer = 0;
    int tag = 0;
    std::byte const* source = nullptr;
    std::byte* target = nullptr;
    std::size_t size = 0;  ///< of the message sent, or the most that is received
    payload came;
    operation* next = nullptr;
    alignas(64) std::byte inline_data[queue_entry::room];
};

/// The handle of an operation that its owner holds.
struct request {
    operation* pending = nullptr;

    friend bool operator==(request, request) = default;
};

/// Operations in the order in which they were posted.
class queue {
public:
    [[nodiscard]] bool empty() const noexcept { return first_ == nullptr; }
    [[nodiscard]] operation& front() const noexcept { return *first_; }

    void push(operation& last) noexcept {
        last.next = nullptr;
        (last_ != nullptr ? last_->next : first_) = &last;
        last_ = &last;
    }

    void pop() noexcept {
        first_ = first_->next;
        if (first_ == nullptr) { last_ = nullptr; }
    }

    /// Takes out the first that `fits`; null if there is none.
    template <class Predicate>
    operation* take(Predicate fits) noexcept {
        operation* before = nullptr;
        for (auto* each = first_; each != nullptr; before = each, each = each->next) {
            if (!fits(*each)) { continue; }
            (before != nullptr ? before->next : first_) = each->next;
            if (last_ == each) { last_ = before; }
            return each;
        }
        return nullptr;
    }

    /// The first that `fits`; null if there is none.
    template <class Predicate>
    [[nodiscard]] operation* find(Predicate fits) const noexcept {
        auto* each = first_;
        while (each != nullptr && !fits(*each)) { each = each->next; }
        return each;
    }

private:
    operation* first_ = nullptr;
    operation* last_ = nullptr;
};

/// The operations of a rank, used again once they are over, so that a repeated pattern of messages allocates nothing.
class operations {
public:
    // How many are under way at once depends on timing.
    operations() { make_more(); }
    operations(operations const&) = delete;
    operations& operator=(operations const&) = delete;
    ~operations() {
        for (auto* const each : all_) { delete[] each; }
    }

    [[nodiscard]] operation& take(operation::kind what, int peer, int tag) {
        if (free_ == nullptr) { make_more(); }
        auto& taken = *free_;
        free_ = taken.next;
        taken.what = what;
        taken.ended = taken.too_long = taken.in_pieces = taken.by_reference = false;
        taken.peer = peer;
        taken.tag = tag;
        taken.came = {};
        return taken;
    }

    void put_back(operation& over) noexcept {
        over.next = free_;
        free_ = &over;
    }

private:
    static constexpr int at_once = 256;

    void make_more() {
        all_.reserve(all_.size() + 1);
        all_.push_back(new operation[at_once]);
        for (int i = 0; i != at_once; ++i) { put_back(all_.back()[i]); }
    }

    dynamic_array<operation*> all_;
    operation* free_ = nullptr;
};

}  // namespace tutti::mpi::node
