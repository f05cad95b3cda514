// expect: tutti: nullptr has no elements of any type; where a rank gives or takes nothing, pass an empty std::span of the elements' type, or the form without that argument
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <span>

#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<int> const& in) {
#if REMEDY == 1
    tutti::reduce(world, in, std::span<int>{}, std::plus<>{}, 0);
#elif REMEDY == 2
    tutti::reduce(world, in, std::plus<>{}, 0);
#else
    tutti::reduce(world, in, nullptr, std::plus<>{}, 0);
#endif
}
