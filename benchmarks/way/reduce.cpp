// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

// Reductions over MPI, of which benchmarks/way/run counts those after the first few of each kind: of one piece, of
// several that MPI copies at once, and of longer ones.

#include <functional>
#include <vector>

#include <mpi.h>
#include <valgrind/callgrind.h>

#include <tutti/collective/reduce.hpp>
#include <tutti/communicator/mpi.hpp>

namespace {

void reduce(std::vector<double> const& in, std::vector<double>& out) {
    tutti::reduce(MPI_COMM_WORLD, in, out, std::plus<>{}, 0);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    for (std::size_t const elements : {1U, 1000U, 20'000U}) {
        std::vector<double> const in(elements, 1.0);
        std::vector<double> out(elements);
        for (int i = 0; i != 70; ++i) { reduce(in, out); }
        MPI_Barrier(MPI_COMM_WORLD);
        CALLGRIND_START_INSTRUMENTATION;
        for (int i = 0; i != 10; ++i) { reduce(in, out); }
        CALLGRIND_STOP_INSTRUMENTATION;
    }
    MPI_Finalize();
}
