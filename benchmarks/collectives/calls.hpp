// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#ifdef TUTTI_BENCHMARK_ACCELERATOR
#include <dlfcn.h>
#endif

#include <tutti/mpi.hpp>
#include <tutti/tutti.hpp>

#include "vectors.hpp"

/// Every collective as users of MPI call it. Where parts differ, MPI has a call of its own, which takes counts.
namespace tutti::benchmark::by_mpi {

// Of each function its name, and that of the member below.
#define TUTTI_MEASURED_CALLS(DO)                                                                                       \
    DO(MPI_Allgather, allgather)                                                                                       \
    DO(MPI_Allgatherv, allgatherv)                                                                                     \
    DO(MPI_Allreduce, allreduce)                                                                                       \
    DO(MPI_Bcast, bcast)                                                                                               \
    DO(MPI_Exscan, exscan)                                                                                             \
    DO(MPI_Gather, gather)                                                                                             \
    DO(MPI_Gatherv, gatherv)                                                                                           \
    DO(MPI_Reduce, reduce)                                                                                             \
    DO(MPI_Reduce_scatter, reduce_scatter)                                                                             \
    DO(MPI_Reduce_scatter_block, reduce_scatter_block)                                                                 \
    DO(MPI_Scan, scan)                                                                                                 \
    DO(MPI_Scatter, scatter)                                                                                           \
    DO(MPI_Scatterv, scatterv)

/// The functions of an MPI library, or of one that stands before it.
struct functions {
#define TUTTI_MEMBER(Name, member) decltype(&Name) member = &Name;
    TUTTI_MEASURED_CALLS(TUTTI_MEMBER)
#undef TUTTI_MEMBER
};

[[nodiscard]] inline int count(std::span<double> block) { return static_cast<int>(block.size()); }

struct calls {
    functions const& mpi;
    vectors const& v;
    MPI_Op op;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Datatype type = MPI_DOUBLE;
    double* in = v.in.data();
    double* out = v.out.data();
    int given = count(v.in);
    int got = count(v.out);
    bool differ = v.parts->differ();
    int const* counts = v.parts->for_mpi().data();
    int const* offsets = v.parts->offsets_for_mpi().data();

    void operator()(collective::reduce) const { mpi.reduce(in, out, given, type, op, root, world); }
    void operator()(collective::all_reduce) const { mpi.allreduce(in, out, given, type, op, world); }
    void operator()(collective::inclusive_scan) const { mpi.scan(in, out, given, type, op, world); }
    void operator()(collective::exclusive_scan) const { mpi.exscan(in, out, given, type, op, world); }
    /// MPI has no such collective, so that users call two.
    void operator()(collective::scan_reduce) const {
        mpi.exscan(in, out, given, type, op, world);
        mpi.allreduce(in, v.total.data(), given, type, op, world);
    }
    void operator()(collective::reduce_scatter) const {
        differ ? mpi.reduce_scatter(in, out, counts, type, op, world)
               : mpi.reduce_scatter_block(in, out, got, type, op, world);
    }
    void operator()(collective::broadcast) const { mpi.bcast(out, got, type, root, world); }
    void operator()(collective::all_gather) const {
        differ ? mpi.allgatherv(in, given, type, out, counts, offsets, type, world)
               : mpi.allgather(in, given, type, out, given, type, world);
    }
    void operator()(collective::gather) const {
        differ ? mpi.gatherv(in, given, type, out, counts, offsets, type, root, world)
               : mpi.gather(in, given, type, out, given, type, root, world);
    }
    void operator()(collective::scatter) const {
        differ ? mpi.scatterv(in, counts, offsets, type, out, got, type, root, world)
               : mpi.scatter(in, got, type, out, got, type, root, world);
    }
};

}  // namespace tutti::benchmark::by_mpi

#ifdef TUTTI_BENCHMARK_ACCELERATOR

/// The collectives of libtutti_mpi.so as programs call them that preload it.
namespace tutti::benchmark::accelerator {

/// Of the file that TUTTI_ACCELERATOR names. Throws `usage_error` where it cannot be used.
[[nodiscard]] inline by_mpi::functions functions() {
    using command_line::usage_error;
    auto const* const file = std::getenv("TUTTI_ACCELERATOR");
    if (file == nullptr) { throw usage_error{"TUTTI_ACCELERATOR names no library; './dev accelerate --print' does"}; }
    auto* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) { throw usage_error{dlerror()}; }
    auto const find = [&]<class Function>(char const* name, Function& result) {
        result = reinterpret_cast<Function>(dlsym(library, name));
        if (result == nullptr) { throw usage_error{std::string{"the accelerator has no "} + name}; }
    };
    by_mpi::functions result;
#define TUTTI_FIND(Name, member) find(#Name, result.member);
    TUTTI_MEASURED_CALLS(TUTTI_FIND)
#undef TUTTI_FIND
    return result;
}

}  // namespace tutti::benchmark::accelerator

#endif

/// Every collective as users of tutti call it, by a named algorithm or `automatic`.
namespace tutti::benchmark::by_tutti {

template <class Op, class A>
struct calls {
    MPI_Comm world;
    vectors const& v;
    Op& op;
    A const& by;

    void operator()(collective::reduce) const { reduce(world, v.in, v.out, op, root, by); }
    void operator()(collective::all_reduce) const { all_reduce(world, v.in, v.out, op, by); }
    void operator()(collective::inclusive_scan) const { inclusive_scan(world, v.in, v.out, op, by); }
    void operator()(collective::exclusive_scan) const { exclusive_scan(world, v.in, v.out, op, by); }
    void operator()(collective::scan_reduce) const { scan_reduce(world, v.in, v.out, v.total, op, by); }
    void operator()(collective::reduce_scatter) const {
        with_counts([&](auto... counts) { reduce_scatter(world, v.in, v.out, counts..., op, by); });
    }
    void operator()(collective::broadcast) const { broadcast(world, v.out, root, by); }
    void operator()(collective::all_gather) const {
        with_counts([&](auto... counts) { all_gather(world, v.in, v.out, counts..., by); });
    }
    void operator()(collective::gather) const {
        with_counts([&](auto... counts) { gather(world, v.in, v.out, counts..., root, by); });
    }
    void operator()(collective::scatter) const {
        with_counts([&](auto... counts) { scatter(world, v.in, v.out, counts..., root, by); });
    }

private:
    void with_counts(auto const& perform) const { v.parts->differ() ? perform(v.parts->all()) : perform(); }
};

template <class Collective, class Op, class A>
void call(Collective which, MPI_Comm world, vectors const& v, Op& op, A const& algorithm) {
    calls<Op, A>{world, v, op, algorithm}(which);
}

}  // namespace tutti::benchmark::by_tutti
