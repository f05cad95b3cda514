// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

namespace tutti::generation {

/// What was asked of operator new since a count began, less what has been given back since then.
struct allocation {
    std::size_t calls = 0;
    std::size_t peak_bytes = 0;  ///< the most at any time
};

/// Begins a new count; one at a time, on one thread.
void count_allocations();

/// Ends the count.
[[nodiscard]] allocation counted_allocations();

}  // namespace tutti::generation
