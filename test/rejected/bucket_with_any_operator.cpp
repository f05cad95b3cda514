// expect: tutti: this algorithm changes the order of operands, and the operator is not known to commute; if it does, write tutti::commutative(op) of <tutti/operation/annotated.hpp>, or choose an algorithm that keeps rank order
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/operation/annotated.hpp>
#include <tutti/generator/bucket.hpp>

#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<int> const& in, std::vector<int>& out) {
#if REMEDY == 1
    tutti::reduce_scatter(world, in, out, tutti::commutative([](int a, int b) { return a + b; }), tutti::bucket{});
#elif REMEDY == 2
    tutti::reduce_scatter(world, in, out, [](int a, int b) { return a + b; });
#else
    tutti::reduce_scatter(world, in, out, [](int a, int b) { return a + b; }, tutti::bucket{});
#endif
}
