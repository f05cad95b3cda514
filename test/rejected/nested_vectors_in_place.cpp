// expect: tutti: each element is itself a range and is combined as a whole, which this operator cannot do; pass one that takes two such ranges, or put all numbers into one vector
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

#if REMEDY == 1
void call(tutti::threads::communicator& world, std::vector<double>& both) {
#else
void call(tutti::threads::communicator& world, std::vector<std::vector<double>>& both) {
#endif
    tutti::reduce(world, tutti::inplace(both), std::plus<>{}, 0);
}
