// expect: tutti: run-time type information is needed; compile without -fno-rtti
// flags: -fno-rtti
// remedy: -frtti
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/threads.hpp>

int main() {
    tutti::threads::run(8, [](auto& world) { tutti::barrier(world); });
}
