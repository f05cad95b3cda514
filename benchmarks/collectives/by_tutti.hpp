// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <mpi.h>

#include <tutti/mpi.hpp>
#include <tutti/tutti.hpp>

#include "vectors.hpp"

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
