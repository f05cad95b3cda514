// expect: tutti: C++20 is needed; compile with -std=c++20 or later
// flags: -std=c++17
// remedy: -std=c++20
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/threads.hpp>

int main() {
    tutti::threads::run(8, [](auto& world) { tutti::barrier(world); });
}
