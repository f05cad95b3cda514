// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// A library that uses tutti, and shows nothing else of itself.
#include <functional>
#include <vector>

#include <tutti/mpi.hpp>

extern "C" [[gnu::visibility("default")]] double sum_of_ranks(MPI_Comm comm, double x) {
    std::vector<double> const in(20'000, x);
    std::vector<double> out(in.size());
    for (int call = 0; call != 100; ++call) { tutti::all_reduce(comm, in, out, std::plus<>{}); }
    return out.back();
}
