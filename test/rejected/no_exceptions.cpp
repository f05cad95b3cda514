// expect: tutti: exceptions are needed; compile without -fno-exceptions
// flags: -fno-exceptions
// remedy: -fexceptions
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/threads.hpp>

int main() {
    tutti::threads::run(8, [](auto& world) { tutti::barrier(world); });
}
