// expect: tutti: rank 0 has no value before its own, and the identity of the operator is not known; write tutti::with_identity(op, value) of <tutti/operation/annotated.hpp>, or (world, x, out, op), where rank 0's out stays as it is
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/operation/annotated.hpp>

#include "over_threads.hpp"

int call(tutti::threads::communicator& world, int x) {
#if REMEDY == 1
    return tutti::exclusive_scan(world, x, tutti::with_identity([](int a, int b) { return a + b; }, 0));
#elif REMEDY == 2
    int before = 0;
    tutti::exclusive_scan(world, x, before, [](int a, int b) { return a + b; });
    return before;
#else
    return tutti::exclusive_scan(world, x, [](int a, int b) { return a + b; });
#endif
}
