// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <functional>
#include <mutex>

#include <tutti/tutti.hpp>

int sum_of_ranks(int size) {
    std::mutex guard;
    int sum = 0;
    tutti::threads::run(size, [&](auto& world) {
        int const mine = tutti::all_reduce(world, world.rank(), std::plus<>{});
        std::lock_guard const lock{guard};
        sum = mine;
    });
    return sum;
}
