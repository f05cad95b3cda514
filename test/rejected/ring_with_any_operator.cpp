// expect: tutti: this algorithm changes the order of operands, and the operator is not known to commute; if it does, write tutti::commutative(op) of <tutti/operation/annotated.hpp>, or choose an algorithm that keeps rank order
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/operation/annotated.hpp>
#include <tutti/generator/ring.hpp>

#include "over_threads.hpp"

// the sum of strings is their concatenation
void call(tutti::threads::communicator& world, std::string& both) {
#if REMEDY == 1
    tutti::all_reduce(world, tutti::inplace(both), tutti::commutative(std::plus<>{}), tutti::ring{});
#elif REMEDY == 2
    tutti::all_reduce(world, tutti::inplace(both), std::plus<>{});
#else
    tutti::all_reduce(world, tutti::inplace(both), std::plus<>{}, tutti::ring{});
#endif
}
