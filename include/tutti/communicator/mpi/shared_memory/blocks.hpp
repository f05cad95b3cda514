// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include <tutti/communicator/mpi/shared_memory/layout.hpp>

namespace tutti::mpi::node {

/// Memory of this rank for messages that must leave their slots, used again and again. Every block has room for any
/// message.
class blocks {
public:
    explicit blocks(std::size_t bytes) : bytes_{bytes} {}

    [[nodiscard]] std::byte* copy_of(std::byte const* data, std::size_t bytes) {
        if (free_.empty()) {
            all_.emplace_back(static_cast<std::byte*>(::operator new(bytes_, alignment)));
            free_.reserve(all_.size());
            free_.push_back(all_.back().get());
        }
        auto* const result = free_.back();
        free_.pop_back();
        std::memcpy(result, data, bytes);
        return result;
    }

    void put_back(std::byte* block) noexcept { free_.push_back(block); }

private:
    static constexpr std::align_val_t alignment{layout::page};  // that of slots
    struct release {
        void operator()(std::byte* memory) const noexcept { ::operator delete(memory, alignment); }
    };

    std::size_t bytes_;
    std::vector<std::unique_ptr<std::byte, release>> all_;
    std::vector<std::byte*> free_;
};

}  // namespace tutti::mpi::node
