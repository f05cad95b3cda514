// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <span>

#include <mpi.h>

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

inline void call(functions const& mpi, collective::reduce, vectors const& v, MPI_Op op) {
    mpi.reduce(v.in.data(), v.out.data(), count(v.in), MPI_DOUBLE, op, root, MPI_COMM_WORLD);
}
inline void call(functions const& mpi, collective::all_reduce, vectors const& v, MPI_Op op) {
    mpi.allreduce(v.in.data(), v.out.data(), count(v.in), MPI_DOUBLE, op, MPI_COMM_WORLD);
}
inline void call(functions const& mpi, collective::inclusive_scan, vectors const& v, MPI_Op op) {
    mpi.scan(v.in.data(), v.out.data(), count(v.in), MPI_DOUBLE, op, MPI_COMM_WORLD);
}
inline void call(functions const& mpi, collective::exclusive_scan, vectors const& v, MPI_Op op) {
    mpi.exscan(v.in.data(), v.out.data(), count(v.in), MPI_DOUBLE, op, MPI_COMM_WORLD);
}
/// MPI has no such collective, so that users call two.
inline void call(functions const& mpi, collective::scan_reduce, vectors const& v, MPI_Op op) {
    mpi.exscan(v.in.data(), v.out.data(), count(v.in), MPI_DOUBLE, op, MPI_COMM_WORLD);
    mpi.allreduce(v.in.data(), v.total.data(), count(v.in), MPI_DOUBLE, op, MPI_COMM_WORLD);
}
inline void call(functions const& mpi, collective::reduce_scatter, vectors const& v, MPI_Op op) {
    if (v.parts->differ()) {
        mpi.reduce_scatter(v.in.data(), v.out.data(), v.parts->for_mpi().data(), MPI_DOUBLE, op, MPI_COMM_WORLD);
    } else {
        mpi.reduce_scatter_block(v.in.data(), v.out.data(), count(v.out), MPI_DOUBLE, op, MPI_COMM_WORLD);
    }
}
inline void call(functions const& mpi, collective::broadcast, vectors const& v, MPI_Op) {
    mpi.bcast(v.out.data(), count(v.out), MPI_DOUBLE, root, MPI_COMM_WORLD);
}
inline void call(functions const& mpi, collective::all_gather, vectors const& v, MPI_Op) {
    auto const& parts = *v.parts;
    if (parts.differ()) {
        mpi.allgatherv(v.in.data(), count(v.in), MPI_DOUBLE, v.out.data(), parts.for_mpi().data(),
                       parts.offsets_for_mpi().data(), MPI_DOUBLE, MPI_COMM_WORLD);
    } else {
        mpi.allgather(v.in.data(), count(v.in), MPI_DOUBLE, v.out.data(), count(v.in), MPI_DOUBLE, MPI_COMM_WORLD);
    }
}
inline void call(functions const& mpi, collective::gather, vectors const& v, MPI_Op) {
    auto const& parts = *v.parts;
    if (parts.differ()) {
        mpi.gatherv(v.in.data(), count(v.in), MPI_DOUBLE, v.out.data(), parts.for_mpi().data(),
                    parts.offsets_for_mpi().data(), MPI_DOUBLE, root, MPI_COMM_WORLD);
    } else {
        mpi.gather(v.in.data(), count(v.in), MPI_DOUBLE, v.out.data(), count(v.in), MPI_DOUBLE, root, MPI_COMM_WORLD);
    }
}
inline void call(functions const& mpi, collective::scatter, vectors const& v, MPI_Op) {
    auto const& parts = *v.parts;
    if (parts.differ()) {
        mpi.scatterv(v.in.data(), parts.for_mpi().data(), parts.offsets_for_mpi().data(), MPI_DOUBLE, v.out.data(),
                     count(v.out), MPI_DOUBLE, root, MPI_COMM_WORLD);
    } else {
        mpi.scatter(v.in.data(), count(v.out), MPI_DOUBLE, v.out.data(), count(v.out), MPI_DOUBLE, root,
                    MPI_COMM_WORLD);
    }
}

}  // namespace tutti::benchmark::by_mpi

/// Every collective as users of tutti call it, by a named algorithm or `automatic`.
namespace tutti::benchmark::by_tutti {

template <class Op, class A>
void call(collective::reduce, MPI_Comm world, vectors const& v, Op& op, A const& algorithm) {
    tutti::reduce(world, v.in, v.out, op, root, algorithm);
}
template <class Op, class A>
void call(collective::all_reduce, MPI_Comm world, vectors const& v, Op& op, A const& algorithm) {
    tutti::all_reduce(world, v.in, v.out, op, algorithm);
}
template <class Op, class A>
void call(collective::inclusive_scan, MPI_Comm world, vectors const& v, Op& op, A const& algorithm) {
    tutti::inclusive_scan(world, v.in, v.out, op, algorithm);
}
template <class Op, class A>
void call(collective::exclusive_scan, MPI_Comm world, vectors const& v, Op& op, A const& algorithm) {
    tutti::exclusive_scan(world, v.in, v.out, op, algorithm);
}
template <class Op, class A>
void call(collective::scan_reduce, MPI_Comm world, vectors const& v, Op& op, A const& algorithm) {
    tutti::scan_reduce(world, v.in, v.out, v.total, op, algorithm);
}
template <class Op, class A>
void call(collective::reduce_scatter, MPI_Comm world, vectors const& v, Op& op, A const& algorithm) {
    if (v.parts->differ()) {
        tutti::reduce_scatter(world, v.in, v.out, v.parts->all(), op, algorithm);
    } else {
        tutti::reduce_scatter(world, v.in, v.out, op, algorithm);
    }
}
template <class Op, class A>
void call(collective::broadcast, MPI_Comm world, vectors const& v, Op&, A const& algorithm) {
    tutti::broadcast(world, v.out, root, algorithm);
}
template <class Op, class A>
void call(collective::all_gather, MPI_Comm world, vectors const& v, Op&, A const& algorithm) {
    if (v.parts->differ()) {
        tutti::all_gather(world, v.in, v.out, v.parts->all(), algorithm);
    } else {
        tutti::all_gather(world, v.in, v.out, algorithm);
    }
}
template <class Op, class A>
void call(collective::gather, MPI_Comm world, vectors const& v, Op&, A const& algorithm) {
    if (v.parts->differ()) {
        tutti::gather(world, v.in, v.out, v.parts->all(), root, algorithm);
    } else {
        tutti::gather(world, v.in, v.out, root, algorithm);
    }
}
template <class Op, class A>
void call(collective::scatter, MPI_Comm world, vectors const& v, Op&, A const& algorithm) {
    if (v.parts->differ()) {
        tutti::scatter(world, v.in, v.out, v.parts->all(), root, algorithm);
    } else {
        tutti::scatter(world, v.in, v.out, root, algorithm);
    }
}

}  // namespace tutti::benchmark::by_tutti
