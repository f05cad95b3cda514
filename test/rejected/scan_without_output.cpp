// expect: tutti: say where the elements of the result go: (world, in, out, op) or (world, inplace(x), op)
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<int> const& in) {
#if REMEDY == 1
    std::vector<int> out(in.size());
    tutti::exclusive_scan(world, in, out, std::plus<>{});
#else
    auto const result = tutti::exclusive_scan(world, in, std::plus<>{});
#endif
}
