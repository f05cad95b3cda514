// expect: tutti: rank 0 has no value before its own, and the identity of the operator is not known; write tutti::with_identity(op, value) of <tutti/operation/annotated.hpp>, or (world, x, prefix, total, op), where rank 0's prefix stays as it is
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/operation/annotated.hpp>

#include "over_threads.hpp"

int call(tutti::threads::communicator& world, int x) {
#if REMEDY == 1
    return tutti::scan_reduce(world, x, tutti::with_identity([](int a, int b) { return a + b; }, 0)).prefix;
#else
    return tutti::scan_reduce(world, x, [](int a, int b) { return a + b; }).prefix;
#endif
}
