// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// The guidelines of ../guidelines/list.hpp for an MPI's own calls, one row each as ./dev bench guidelines has them. For
// SMPI, whose collectives are chosen as a library chooses them; ./run starts it.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <mpi.h>

namespace {

/// Seconds of the last rank, when all begin together.
double time_of(std::function<void()> const& call) {
    double seconds = 0;
    for (int run = 0; run != 2; ++run) {  // connections are opened in the first
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        auto const begun = MPI_Wtime();
        call();
        seconds = MPI_Wtime() - begun;
    }
    double last = 0;
    MPI_Reduce(&seconds, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return last;
}

void rows(std::string const& platform, std::string const& library, std::size_t bytes) {
    auto const world = MPI_COMM_WORLD;
    int size = 0, rank = 0;
    MPI_Comm_size(world, &size);
    MPI_Comm_rank(world, &rank);
    auto const ranks = static_cast<std::size_t>(size);
    auto const m = static_cast<int>(std::max<std::size_t>((bytes / sizeof(double) + ranks - 1) / ranks, 1));
    auto const n = m * size;
    std::vector<double> in(static_cast<std::size_t>(n), 1), out(in.size()), other(in.size());
    std::vector<int> const counts(static_cast<std::size_t>(size), m);
    std::vector<int> places;
    for (int r = 0; r != size; ++r) { places.push_back(r * m); }
    auto* const a = in.data();
    auto* const b = out.data();
    auto* const c = other.data();
    auto const of = MPI_DOUBLE;

    auto const reduce = [=] { MPI_Reduce(a, b, n, of, MPI_SUM, 0, world); };
    auto const all_reduce = [=] { MPI_Allreduce(a, b, n, of, MPI_SUM, world); };
    auto const broadcast = [=] { MPI_Bcast(a, n, of, 0, world); };
    auto const reduce_scatter = [=] { MPI_Reduce_scatter_block(a, b, m, of, MPI_SUM, world); };
    auto const reduce_scatter_v = [&, a, b] { MPI_Reduce_scatter(a, b, counts.data(), of, MPI_SUM, world); };
    auto const all_gather = [=] { MPI_Allgather(a, m, of, b, m, of, world); };
    auto const all_gather_v = [&, a, b] { MPI_Allgatherv(a, m, of, b, counts.data(), places.data(), of, world); };
    auto const gather = [=] { MPI_Gather(a, m, of, b, m, of, 0, world); };
    auto const gather_v = [&, a, b] { MPI_Gatherv(a, m, of, b, counts.data(), places.data(), of, 0, world); };
    auto const scatter = [=] { MPI_Scatter(a, m, of, b, m, of, 0, world); };
    auto const scatter_v = [&, a, b] { MPI_Scatterv(a, counts.data(), places.data(), of, b, m, of, 0, world); };
    auto const inclusive = [=] { MPI_Scan(a, b, n, of, MPI_SUM, world); };
    auto const exclusive = [=] { MPI_Exscan(a, b, n, of, MPI_SUM, world); };
    auto const all_to_all = [=] { MPI_Alltoall(a, m, of, c, m, of, world); };

    auto const row = [&](char const* guideline, char const* left, std::function<void()> const& l, char const* right,
                         std::function<void()> const& r) {
        auto const left_us = time_of(l) * 1e6, right_us = time_of(r) * 1e6;
        if (rank != 0) { return; }
        std::printf("%s,%d,%zu,%s,%s,%s,%g,%g,%g,%s\n", platform.c_str(), size,
                    static_cast<std::size_t>(n) * sizeof(double), guideline, left, right, left_us, right_us,
                    right_us > 0 ? left_us / right_us : 1, library.c_str());
    };
    row("composed", "all_gather", all_gather, "gather;broadcast", [&] { gather(), broadcast(); });
    row("by counts", "all_gather", all_gather, "all_gather by equal counts", all_gather_v);
    row("of zeros", "all_gather", all_gather, "all_reduce", all_reduce);
    row("all to all", "all_gather", all_gather, "alltoall of the parts", all_to_all);
    row("composed", "all_reduce", all_reduce, "reduce;broadcast", [&] { reduce(), broadcast(); });
    row("composed", "all_reduce", all_reduce, "reduce_scatter;all_gather", [&] { reduce_scatter(), all_gather(); });
    row("composed", "all_reduce", all_reduce, "reduce_scatter;all_gather by equal counts",
        [&] { reduce_scatter_v(), all_gather_v(); });
    row("composed", "broadcast", broadcast, "scatter;all_gather", [&] { scatter(), all_gather(); });
    row("to one", "gather", gather, "all_gather", all_gather);
    row("by counts", "gather", gather, "gather by equal counts", gather_v);
    row("of zeros", "gather", gather, "reduce", reduce);
    row("to one", "reduce", reduce, "all_reduce", all_reduce);
    row("composed", "reduce", reduce, "reduce_scatter;gather", [&] { reduce_scatter(), gather(); });
    row("composed", "reduce", reduce, "reduce_scatter;gather by equal counts", [&] { reduce_scatter_v(), gather_v(); });
    row("a part", "reduce_scatter", reduce_scatter, "all_reduce", all_reduce);
    row("composed", "reduce_scatter", reduce_scatter, "reduce;scatter", [&] { reduce(), scatter(); });
    row("by counts", "reduce_scatter", reduce_scatter, "reduce_scatter by equal counts", reduce_scatter_v);
    row("combined", "inclusive_scan", inclusive, "exclusive_scan;combine", exclusive);
    row("a part", "scatter", scatter, "broadcast", broadcast);
    row("by counts", "scatter", scatter, "scatter by equal counts", scatter_v);
    row("a prefix", "exclusive_scan", exclusive, "inclusive_scan", inclusive);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    for (int i = 3; i < argc; ++i) { rows(argv[1], argv[2], std::strtoul(argv[i], nullptr, 10)); }
    MPI_Finalize();
}
