// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// Replaces operator new by one that counts. A program has only one: this header is for programs of one source.

#include <cstddef>
#include <cstdlib>
#include <new>

namespace support {

inline thread_local std::size_t allocations = 0;  ///< of this thread

}  // namespace support

// Not inline, or compilers warn that memory of new goes to free.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
    ++support::allocations;
    if (auto* const memory = std::malloc(bytes)) { return memory; }
    throw std::bad_alloc{};
}
// Standard algorithms take their temporary buffers from this one.
[[gnu::noinline]] void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept {
    ++support::allocations;
    return std::malloc(bytes);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
