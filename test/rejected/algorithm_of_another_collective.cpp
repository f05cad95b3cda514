// expect: tutti: this algorithm does not implement this collective; name one that does, or leave the choice to tutti::automatic
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/generator/ring.hpp>

#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<int>& both) {
#if REMEDY == 1
    tutti::reduce(world, tutti::inplace(both), std::plus<>{}, 0);
#else
    tutti::reduce(world, tutti::inplace(both), std::plus<>{}, 0, tutti::ring{});
#endif
}
