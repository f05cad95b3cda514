// expect: tutti: say where the elements of the results go: (world, in, prefix, total, op) or (world, inplace(x), total, op)
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<int> const& in) {
#if REMEDY == 1
    std::vector<int> prefix(in.size());
    std::vector<int> total(in.size());
    tutti::scan_reduce(world, in, prefix, total, std::plus<>{});
#else
    auto const result = tutti::scan_reduce(world, in, std::plus<>{});
#endif
}
