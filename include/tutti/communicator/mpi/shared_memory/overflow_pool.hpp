// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>

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
    static constexpr std::align_val_t alignment{segment_layout::page};  // that of slots

    std::size_t bytes_;
    dynamic_array<std::byte*> all_;
    dynamic_array<std::byte*> free_;
};

}  // namespace tutti::mpi::node
