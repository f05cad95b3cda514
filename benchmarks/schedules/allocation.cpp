// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "allocation.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace tutti::generation {

namespace {

bool counting = false;
std::ptrdiff_t held = 0;
allocation counted;

}  // namespace

void count_allocations() {
    counted = {};
    held = 0;
    counting = true;
}

allocation counted_allocations() {
    counting = false;
    return counted;
}

/// Blocks carry their size before them, so that it is known when they are given back.
[[nodiscard]] void* allocate(std::size_t bytes) {
    constexpr auto header = alignof(std::max_align_t);
    auto* const block = static_cast<std::byte*>(std::malloc(bytes + header));
    if (block == nullptr) { throw std::bad_alloc{}; }
    new (block) std::size_t{bytes};
    if (counting) {
        ++counted.calls;
        held += static_cast<std::ptrdiff_t>(bytes);
        counted.peak_bytes = std::max(counted.peak_bytes, static_cast<std::size_t>(std::max<std::ptrdiff_t>(held, 0)));
    }
    return block + header;
}

void deallocate(void* memory) noexcept {
    if (memory == nullptr) { return; }
    auto* const block = static_cast<std::byte*>(memory) - alignof(std::max_align_t);
    if (counting) { held -= static_cast<std::ptrdiff_t>(*std::launder(reinterpret_cast<std::size_t*>(block))); }
    std::free(block);
}

}  // namespace tutti::generation

void* operator new(std::size_t bytes) { return tutti::generation::allocate(bytes); }
void* operator new[](std::size_t bytes) { return tutti::generation::allocate(bytes); }
void operator delete(void* memory) noexcept { tutti::generation::deallocate(memory); }
void operator delete[](void* memory) noexcept { tutti::generation::deallocate(memory); }
void operator delete(void* memory, std::size_t) noexcept { tutti::generation::deallocate(memory); }
void operator delete[](void* memory, std::size_t) noexcept { tutti::generation::deallocate(memory); }
