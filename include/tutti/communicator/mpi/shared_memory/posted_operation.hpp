// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tutti/communicator/mpi/shared_memory/mapped_memory.hpp>
#include <tutti/communicator/mpi/shared_memory/segment_layout.hpp>
#include <tutti/communicator/posted_operations.hpp>

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
    mapped_block* mapped = nullptr;  ///< where `data` is a reference's

    [[nodiscard]] bool is_reference() const noexcept { return slot == queue_entry::by_reference; }
};

/// A send, a receive, or an unexpected message.
struct posted_operation {
    enum class kind : std::uint8_t { send, receive, receive_lent, unexpected };

    /// A rank takes it for a new message.
    posted_operation& begin(kind of, int with, int with_tag) noexcept {
        what = of;
        ended = too_long = in_pieces = by_reference = false;
        peer = with;
        tag = with_tag;
        message = {};
        return *this;
    }

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
    payload message;
    posted_operation* next = nullptr;
    alignas(64) std::byte inline_data[queue_entry::longest_inline];
};

using request = posted::request<posted_operation>;
using queue = posted::queue<posted_operation>;
using operations = posted::pool<posted_operation>;

}  // namespace tutti::mpi::node
