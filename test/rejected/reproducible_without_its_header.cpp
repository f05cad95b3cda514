// expect: tutti: reproducible needs #include <tutti/selection/canonical.hpp>, which <tutti/mpi.hpp> and
// flags: -pthread
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <functional>
#include <vector>

#if REMEDY == 1
#include <tutti/collective/all_reduce.hpp>
#include <tutti/selection/canonical.hpp>
#else
#include <tutti/collective/all_reduce.hpp>
#endif
#include <tutti/communicator/threads.hpp>

void call(tutti::threads::communicator& world, std::vector<double>& all) {
    tutti::all_reduce(world, tutti::inplace(all), std::plus<>{}, tutti::reproducible{});
}
