// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// Replaces operator new by one that counts. A program has only one: this header is for programs of one source.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

#include <malloc.h>

namespace support {

inline thread_local std::size_t allocations = 0;  ///< of this thread
inline thread_local std::ptrdiff_t held_bytes = 0;
inline thread_local std::ptrdiff_t peak_bytes = 0;  ///< the most that were held; to be set anew

inline void* counted(void* memory) {
    ++allocations;
    held_bytes += static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
    peak_bytes = std::max(peak_bytes, held_bytes);
    return memory;
}

inline void release(void* memory) {
    held_bytes -= static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
    std::free(memory);
}

}  // namespace support

// Not inline, or compilers warn that memory of new goes to free.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
    if (auto* const memory = support::counted(std::malloc(bytes))) { return memory; }
    throw std::bad_alloc{};
}
// Standard algorithms take their temporary buffers from this one.
[[gnu::noinline]] void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept {
    return support::counted(std::malloc(bytes));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { support::release(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { support::release(memory); }
