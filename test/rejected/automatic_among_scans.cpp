// expect: tutti: this algorithm does not implement this collective; name one that does, or leave the choice to tutti::automatic
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/generators.hpp>
#include <tutti/selection/automatic_among.hpp>

#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<double>& both) {
#if REMEDY == 1
    tutti::reduce_scatter(world, tutti::inplace(both), std::plus<>{},
                          tutti::automatic_among(tutti::bucket{}, tutti::ring{}));
#else
    tutti::reduce_scatter(world, tutti::inplace(both), std::plus<>{},
                          tutti::automatic_among(tutti::doubling{}, tutti::ring{}));
#endif
}
