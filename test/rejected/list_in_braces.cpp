// expect: tutti: a list in braces has no type here; write it before them, as std::array{1, 2, 3}
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <array>

#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<int>& out) {
#if REMEDY == 1
    tutti::all_reduce(world, std::array{1, 2, 3}, out, std::plus<>{});
#else
    tutti::all_reduce(world, {1, 2, 3}, out, std::plus<>{});
#endif
}
