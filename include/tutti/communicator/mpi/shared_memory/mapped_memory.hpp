// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include <tutti/dynamic_array.hpp>

namespace tutti::mpi::node {

/// Memory that processes of this machine have mapped from each other, in blocks: those that this one gives, and those of
/// others. One list for all communicators.
///
/// A message says which block it lies in, since an address may belong to something else by now.
class mapped_memory {
public:
    using number = std::uint32_t;  // of a block of one process
    static constexpr number no_block = 0;

    [[nodiscard]] static mapped_memory& get() {
        static mapped_memory all;
        return all;
    }

    mapped_memory(mapped_memory const&) = delete;
    mapped_memory& operator=(mapped_memory const&) = delete;

    [[nodiscard]] number give(void const* begin, std::size_t bytes) {
        auto const lock = std::lock_guard{guard_};
        given_.push_back({0, ++last_, reinterpret_cast<std::uintptr_t>(begin), bytes, nullptr});
        count();
        return last_;
    }
    void end(number given) noexcept {
        auto const lock = std::lock_guard{guard_};
        given_.erase_if([&](block const& each) { return each.own_number == given; });
        count();
    }

    /// A block of another process, `begin` there, is found at `here`.
    void add(std::int64_t process, number its_number, std::uint64_t begin, std::size_t bytes, std::byte const* here) {
        auto const lock = std::lock_guard{guard_};
        mapped_.push_back({process, its_number, begin, bytes, here});
        count();
    }
    void remove(std::byte const* here) noexcept {
        auto const lock = std::lock_guard{guard_};
        mapped_.erase_if([&](block const& each) { return each.here == here; });
        count();
    }

    /// The block that this process gives and in which all of a message lies; or none.
    [[nodiscard]] number block_of(std::byte const* message, std::size_t bytes) noexcept {
        if (blocks_.load(std::memory_order_relaxed) == 0) { return no_block; }
        auto const lock = std::lock_guard{guard_};
        for (auto const& each : given_) {
            if (each.holds(reinterpret_cast<std::uintptr_t>(message), bytes)) { return each.own_number; }
        }
        return no_block;
    }

    /// Where a message of another process is in this one; null if its block is not mapped.
    [[nodiscard]] std::byte const* find(std::int64_t process, number its_number, std::uint64_t address,
                                        std::size_t bytes) noexcept {
        if (its_number == no_block) { return nullptr; }
        auto const lock = std::lock_guard{guard_};
        for (auto const& each : mapped_) {
            if (each.process == process && each.own_number == its_number && each.holds(address, bytes)) {
                return each.here + (address - each.begin);
            }
        }
        return nullptr;
    }

private:
    struct block {
        std::int64_t process;
        number own_number;
        std::uint64_t begin;
        std::size_t bytes;
        std::byte const* here;

        [[nodiscard]] bool holds(std::uint64_t address, std::size_t length) const noexcept {
            return address >= begin && address - begin <= bytes && length <= bytes - (address - begin);
        }
    };

    mapped_memory() = default;

    void count() noexcept { blocks_.store(given_.size(), std::memory_order_relaxed); }

    std::mutex guard_;
    dynamic_array<block> given_;
    dynamic_array<block> mapped_;
    number last_ = no_block;
    std::atomic<std::size_t> blocks_ = 0;  // given
};

}  // namespace tutti::mpi::node
