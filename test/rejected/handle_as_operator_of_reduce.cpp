// expect: tutti: a number or a handle such as MPI_SUM is no operator; pass a functor in its place, such as std::plus<>{} or tutti::maximum<>{}, before the root if there is one
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <vector>

#include <mpi.h>

#include <tutti/collective/reduce.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/operation/minmax.hpp>

void call(std::vector<double> const& in, std::vector<double>& out) {
#if REMEDY == 1
    tutti::reduce(MPI_COMM_WORLD, in, out, std::plus<>{}, 0);
#elif REMEDY == 2
    tutti::reduce(MPI_COMM_WORLD, in, out, tutti::maximum<>{}, 0);
#else
    tutti::reduce(MPI_COMM_WORLD, in, out, MPI_SUM, 0);
#endif
}
