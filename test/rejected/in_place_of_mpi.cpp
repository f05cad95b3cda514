// expect: tutti: a pointer to void does not say what its elements are; write tutti::inplace(x), and no out, for MPI_IN_PLACE, and cast other pointers to their elements' type
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <functional>
#include <vector>

#include <tutti/mpi.hpp>

void call(std::vector<double>& both) {
#if REMEDY == 1
    tutti::all_reduce(MPI_COMM_WORLD, tutti::inplace(both), std::plus<>{});
#else
    tutti::all_reduce(MPI_COMM_WORLD, MPI_IN_PLACE, both, std::plus<>{});
#endif
}
