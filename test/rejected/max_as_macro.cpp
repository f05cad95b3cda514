// expect: tutti: min or max is a macro; write #undef min and #undef max before this include
// flags: -std=gnu++20
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <version>
#define max(a, b) ((a) > (b) ? (a) : (b))
#if REMEDY == 1
#undef min
#undef max
#endif
#include <tutti/threads.hpp>

int main() {
    tutti::threads::run(8, [](auto& world) { tutti::barrier(world); });
}
