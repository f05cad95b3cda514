// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <functional>
#include <iostream>
#include <tutti/threads.hpp>

int main() {
    tutti::threads::run(8, [](auto& world) {
        int const sum = tutti::all_reduce(world, world.rank(), std::plus<>{});
        if (world.rank() == 0) { std::cout << "0 + 1 + ... + 7 = " << sum << '\n'; }
    });
}
