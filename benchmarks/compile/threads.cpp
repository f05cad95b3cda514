// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <functional>

#include <tutti/threads.hpp>

int main() {
    tutti::threads::run(4, [](auto& world) {
        if (tutti::all_reduce(world, 1.0, std::plus<>{}) != world.size()) { throw 1; }
    });
}
