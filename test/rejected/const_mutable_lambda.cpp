// expect: tutti: the operator is const here, and its operator() is not, as that of a mutable lambda; make operator() const, or pass a variable that is not const
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<int> const& in, std::vector<int>& out) {
#if REMEDY == 1
    auto counting = [calls = 0](int a, int b) mutable { return ++calls, a + b; };
#elif REMEDY == 2
    auto const counting = [](int a, int b) { return a + b; };
#else
    auto const counting = [calls = 0](int a, int b) mutable { return ++calls, a + b; };
#endif
    tutti::all_reduce(world, in, out, counting);
}
