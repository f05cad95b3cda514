// expect: tutti: this algorithm changes the order of operands, and the operator is not known to commute; if it does, write tutti::commutative(op) of <tutti/operation/annotated.hpp>, or choose an algorithm that keeps rank order
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/generator/papers/uni_greedy.hpp>
#include <tutti/operation/annotated.hpp>

#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<int>& both) {
#if REMEDY == 1
    tutti::reduce(world, tutti::inplace(both), tutti::commutative([](int a, int b) { return a + b; }), 0,
                  tutti::uni_greedy{});
#else
    tutti::reduce(world, tutti::inplace(both), [](int a, int b) { return a + b; }, 0, tutti::uni_greedy{});
#endif
}
