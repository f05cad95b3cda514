// expect: tutti: this algorithm does not implement this collective; name one that does, or leave the choice to tutti::automatic
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/arrival/monitor.hpp>
#include <tutti/learning/arrival_aware.hpp>

#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<int>& both, tutti::arrival_monitor& monitor) {
#if REMEDY == 1
    static_cast<void>(monitor);
    tutti::reduce(world, tutti::inplace(both), std::plus<>{}, 0);
#else
    tutti::reduce(world, tutti::inplace(both), std::plus<>{}, 0, tutti::arrival_aware{monitor});
#endif
}
