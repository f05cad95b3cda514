// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Times an all_reduce of all threads of all processes by a team beside what is written by hand with OpenMP and MPI:
// each process combines its threads' vectors (one thread all of them, or each thread a part, whichever is faster),
// the first thread calls MPI_Allreduce, and a barrier ends it. There the result lies once in each process, by
// a team with each thread: the second ratio is to what is written by hand if each thread copies the result, too. They
// take turns.
// Run by: OMP_WAIT_POLICY=passive mpirun -n 2 teams [THREADS [BYTES...]]; passive where threads share processors.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <mpi.h>
#include <omp.h>

#include <tutti/mpi.hpp>
#include <tutti/team.hpp>

namespace {

/// x -> scale x + shift: its composition does not commute.
struct map_of_line {
    float scale = 1;
    float shift = 0;
};
struct composition {
    map_of_line operator()(map_of_line const& f, map_of_line const& g) const {
        return {f.scale * g.scale, f.scale * g.shift + f.shift};
    }
};

void compose(void* in, void* inout, int* count, MPI_Datatype* /*type*/) {
    auto const* const left = static_cast<map_of_line const*>(in);
    auto* const right = static_cast<map_of_line*>(inout);
    for (int i = 0; i != *count; ++i) { right[i] = composition{}(left[i], right[i]); }
}

double now() { return MPI_Wtime(); }

/// What the two ways need of an operator.
template <class T, class Op>
struct reduction {
    MPI_Datatype type;
    MPI_Op by_mpi;
    Op op{};
    T one{};
};

/// By hand, in a parallel region: `parts` says who combines.
template <class T, class Op>
void by_hand(reduction<T, Op> const& how, std::vector<std::vector<T>> const& operands, std::vector<T>& shared,
             bool in_parts) {
    auto const n = shared.size();
    auto const threads = operands.size();
    auto const self = static_cast<std::size_t>(omp_get_thread_num());
    auto const combine = [&](std::size_t first, std::size_t last) {
        auto* const result = shared.data();
        if (threads == 1) {
            std::copy_n(operands[0].begin() + static_cast<std::ptrdiff_t>(first), last - first, result + first);
            return;
        }
        for (std::size_t i = first; i != last; ++i) { result[i] = how.op(operands[0][i], operands[1][i]); }
        for (std::size_t t = 2; t < threads; ++t) {
            for (std::size_t i = first; i != last; ++i) { result[i] = how.op(result[i], operands[t][i]); }
        }
    };
#pragma omp barrier
    if (in_parts) {
        combine(n * self / threads, n * (self + 1) / threads);
#pragma omp barrier
    }
#pragma omp master
    {
        if (!in_parts) { combine(0, n); }
        MPI_Allreduce(MPI_IN_PLACE, shared.data(), static_cast<int>(n), how.type, how.by_mpi, MPI_COMM_WORLD);
    }
#pragma omp barrier
}

template <class T, class Op, class Team>
void compare(char const* name, reduction<T, Op> const& how, Team& team, std::size_t bytes) {
    auto const n = std::max<std::size_t>(bytes / sizeof(T), 1);
    auto const threads = static_cast<std::size_t>(team.threads());
    std::vector<std::vector<T>> operands(threads, std::vector<T>(n, how.one));
    std::vector<std::vector<T>> results(threads, std::vector<T>(n));
    std::vector<T> shared(n);
    auto const calls = static_cast<int>(std::clamp<std::size_t>((std::size_t{2} << 20) / (bytes + 512), 4, 300));
    constexpr int turns = 9;
    constexpr int ways = 5;  // tutti; by hand one thread, all threads; the same with copies
    std::vector<double> times[ways];
#pragma omp parallel num_threads(static_cast<int>(threads))
    {
        auto const world = team.rank(omp_get_thread_num());
        auto const self = static_cast<std::size_t>(omp_get_thread_num());
        for (int turn = 0; turn != turns; ++turn) {
            for (int way = 0; way != ways; ++way) {
#pragma omp barrier
#pragma omp master
                MPI_Barrier(MPI_COMM_WORLD);
#pragma omp barrier
                auto const begun = now();
                for (int i = 0; i != calls; ++i) {
                    if (way == 0) {
                        tutti::all_reduce(world, operands[self], results[self], how.op);
                    } else {
                        by_hand(how, operands, shared, way % 2 == 0);
                        if (way > 2) { std::copy(shared.begin(), shared.end(), results[self].begin()); }
                    }
                }
                auto const took = (now() - begun) / calls;
                if (self == 0) { times[way].push_back(took); }
            }
        }
    }
    double medians[ways];
    for (int way = 0; way != ways; ++way) {
        MPI_Allreduce(MPI_IN_PLACE, times[way].data(), turns, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        std::sort(times[way].begin(), times[way].end());
        medians[way] = times[way][turns / 2];
    }
    auto const hand = std::min(medians[1], medians[2]);
    auto const copied = std::min(medians[3], medians[4]);
    int process = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    if (process == 0) {
        std::printf("%-8s %9zu %12.2f %12.2f %8.2f %12.2f %8.2f\n", name, bytes, medians[0] * 1e6, hand * 1e6,
                    hand / medians[0], copied * 1e6, copied / medians[0]);
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv) {
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    std::vector<std::size_t> all;
    for (int i = 2; i < argc; ++i) { all.push_back(std::strtoul(argv[i], nullptr, 10)); }
    if (all.empty()) { all = {8, 64, 512, 4096, 32'768, 262'144, 1'048'576, 4'194'304}; }
    MPI_Datatype type;
    MPI_Type_contiguous(2, MPI_FLOAT, &type);
    MPI_Type_commit(&type);
    MPI_Op op;
    MPI_Op_create(compose, 0, &op);
    {
        tutti::team team{MPI_COMM_WORLD, argc > 1 ? std::atoi(argv[1]) : 2};
        int process = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &process);
        if (process == 0) { std::puts("operator     bytes     tutti/us   by hand/us    ratio  with copy/us   ratio"); }
        reduction<double, std::plus<>> const sum{MPI_DOUBLE, MPI_SUM, {}, 1};
        reduction<map_of_line, composition> const functor{type, op, {}, {}};
        for (auto const bytes : all) { compare("sum", sum, team, bytes); }
        for (auto const bytes : all) { compare("functor", functor, team, bytes); }
    }
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    MPI_Finalize();
}
