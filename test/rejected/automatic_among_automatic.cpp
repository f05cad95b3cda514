// expect: tutti: automatic_among takes algorithms with steps of their own, such as tutti::ring{}, or of your own types with describe and generate; leave tutti::automatic{} and tutti::reproducible{} out
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/generators.hpp>
#include <tutti/selection/automatic_among.hpp>

#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<double>& both) {
#if REMEDY == 1
    tutti::all_reduce(world, tutti::inplace(both), std::plus<>{},
                      tutti::automatic_among(tutti::recursive_doubling{}, tutti::ring{}));
#else
    tutti::all_reduce(world, tutti::inplace(both), std::plus<>{},
                      tutti::automatic_among(tutti::automatic{}, tutti::ring{}));
#endif
}
