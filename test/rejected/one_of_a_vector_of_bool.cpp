// expect: tutti: an element of a std::vector<bool> is no bool in memory; write bool{flags[0]}, and where it is changed, give a bool of your own
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<bool>& flags) {
#if REMEDY == 1
    flags[0] = tutti::all_reduce(world, bool{flags[0]}, std::logical_and<>{});
#elif REMEDY == 2
    bool flag = flags[0];
    tutti::all_reduce(world, tutti::inplace(flag), std::logical_and<>{});
#else
    flags[0] = tutti::all_reduce(world, flags[0], std::logical_and<>{});
#endif
}
