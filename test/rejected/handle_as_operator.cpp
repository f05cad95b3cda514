// expect: tutti: a number or a handle such as MPI_SUM is no operator; pass a functor in its place, such as std::plus<>{} or tutti::maximum<>{}, before the root if there is one
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <vector>

#include <mpi.h>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/operation/minmax.hpp>

void call(std::vector<double> const& in, std::vector<double>& out) {
#if REMEDY == 1
    tutti::all_reduce(MPI_COMM_WORLD, in, out, std::plus<>{});
#elif REMEDY == 2
    tutti::all_reduce(MPI_COMM_WORLD, in, out, tutti::maximum<>{});
#else
    tutti::all_reduce(MPI_COMM_WORLD, in, out, MPI_SUM);
#endif
}
