// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include <sys/mman.h>

#include <tutti/dynamic_array.hpp>

namespace tutti::mpi::node {

/// A block of another process's memory, mapped here; and how many messages that lie in it have still to be read.
struct mapped_block {
    std::int64_t process;
    std::uint32_t its_number;
    std::uint64_t begin;  // there
    std::size_t bytes;
    std::byte* here;
    std::size_t users = 0;
    bool has_ended = false;

    [[nodiscard]] std::byte const* at(std::uint64_t address) const noexcept { return here + (address - begin); }
};

/// Memory that processes of this machine have mapped from each other, in blocks: the blocks that this one provides, and
/// those of others. One list for all communicators.
///
/// A message has the number of the block it lies in, since an address may belong to something else by now.
class mapped_memory {
public:
    using number = std::uint32_t;  // of a block of one process
    static constexpr number no_block = 0;

    [[nodiscard]] static mapped_memory& get() {
        static auto& all = *new mapped_memory;
        return all;
    }

    mapped_memory(mapped_memory const&) = delete;
    mapped_memory& operator=(mapped_memory const&) = delete;

    [[nodiscard]] number give(void const* begin, std::size_t bytes) {
        auto const lock = std::lock_guard{guard_};
        given_.push_back({++last_, reinterpret_cast<std::uintptr_t>(begin), bytes});
        count();
        return last_;
    }
    void end(number given) noexcept {
        auto const lock = std::lock_guard{guard_};
        given_.erase_if([&](block const& each) { return each.own_number == given; });
        count();
    }

    [[nodiscard]] mapped_block* add(mapped_block const& found) {
        auto const lock = std::lock_guard{guard_};
        mapped_.reserve(mapped_.size() + 1);
        mapped_.push_back(new mapped_block{found});
        return mapped_.back();
    }
    /// No more messages lie in the block; it is unmapped with the last one that is read.
    void remove(mapped_block* ended) noexcept {
        auto const lock = std::lock_guard{guard_};
        mapped_.erase_if([&](mapped_block const* each) { return each == ended; });
        ended->has_ended = true;
        if (ended->users == 0) { unmap(ended); }
    }

    /// The block of this process in which all of a message lies, if there is one.
    [[nodiscard]] number block_of(std::byte const* message, std::size_t bytes) noexcept {
        if (blocks_.load(std::memory_order_relaxed) == 0) { return no_block; }
        auto const lock = std::lock_guard{guard_};
        for (auto const& each : given_) {
            if (holds(each.begin, each.bytes, reinterpret_cast<std::uintptr_t>(message), bytes)) {
                return each.own_number;
            }
        }
        return no_block;
    }

    /// Where a message of another process can be read here, until `release`; null if its block is not mapped.
    [[nodiscard]] mapped_block* find(std::int64_t process, number its_number, std::uint64_t address,
                                     std::size_t bytes) noexcept {
        if (its_number == no_block) { return nullptr; }
        auto const lock = std::lock_guard{guard_};
        for (auto* const each : mapped_) {
            if (each->process == process && each->its_number == its_number &&
                holds(each->begin, each->bytes, address, bytes)) {
                ++each->users;
                return each;
            }
        }
        return nullptr;
    }
    void release(mapped_block* read) noexcept {
        auto const lock = std::lock_guard{guard_};
        if (--read->users == 0 && read->has_ended) { unmap(read); }
    }

private:
    struct block {
        number own_number;
        std::uint64_t begin;
        std::size_t bytes;
    };

    mapped_memory() = default;

    [[nodiscard]] static bool holds(std::uint64_t begin, std::size_t bytes, std::uint64_t address,
                                    std::size_t count) noexcept {
        return address >= begin && address - begin <= bytes && count <= bytes - (address - begin);
    }

    static void unmap(mapped_block* unused) noexcept {
        ::munmap(unused->here, unused->bytes);
        delete unused;
    }

    void count() noexcept { blocks_.store(given_.size(), std::memory_order_relaxed); }

    std::mutex guard_;
    dynamic_array<block> given_;
    dynamic_array<mapped_block*> mapped_;
    number last_ = no_block;
    std::atomic<std::size_t> blocks_ = 0;  // provided
};

}  // namespace tutti::mpi::node
