// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <boost/mpi/collectives/all_gather.hpp>
#include <boost/mpi/collectives/all_gatherv.hpp>
#include <boost/mpi/collectives/all_reduce.hpp>
#include <boost/mpi/collectives/broadcast.hpp>
#include <boost/mpi/collectives/gather.hpp>
#include <boost/mpi/collectives/gatherv.hpp>
#include <boost/mpi/collectives/reduce.hpp>
#include <boost/mpi/collectives/scan.hpp>
#include <boost/mpi/collectives/scatter.hpp>
#include <boost/mpi/collectives/scatterv.hpp>
#include <boost/mpi/communicator.hpp>

#include "calls.hpp"
#include "vectors.hpp"

/// The collectives that Boost.MPI has, as its users call them.
namespace tutti::benchmark::by_boost_mpi {

using by_mpi::count;
using communicator = boost::mpi::communicator;

template <class Op>
void call(collective::reduce, communicator const& world, vectors const& v, Op op) {
    boost::mpi::reduce(world, v.in.data(), count(v.in), v.out.data(), op, root);
}
template <class Op>
void call(collective::all_reduce, communicator const& world, vectors const& v, Op op) {
    boost::mpi::all_reduce(world, v.in.data(), count(v.in), v.out.data(), op);
}
template <class Op>
void call(collective::inclusive_scan, communicator const& world, vectors const& v, Op op) {
    boost::mpi::scan(world, v.in.data(), count(v.in), v.out.data(), op);
}
template <class Op>
void call(collective::broadcast, communicator const& world, vectors const& v, Op) {
    boost::mpi::broadcast(world, v.out.data(), count(v.out), root);
}
template <class Op>
void call(collective::all_gather, communicator const& world, vectors const& v, Op) {
    if (v.parts->differ()) {
        boost::mpi::all_gatherv(world, v.in.data(), v.out.data(), v.parts->for_mpi());
    } else {
        boost::mpi::all_gather(world, v.in.data(), count(v.in), v.out.data());
    }
}
template <class Op>
void call(collective::gather, communicator const& world, vectors const& v, Op) {
    if (v.parts->differ() && world.rank() != root) {
        boost::mpi::gatherv(world, v.in.data(), count(v.in), root);
    } else if (v.parts->differ()) {
        boost::mpi::gatherv(world, v.in.data(), count(v.in), v.out.data(), v.parts->for_mpi(), root);
    } else {
        boost::mpi::gather(world, v.in.data(), count(v.in), v.out.data(), root);
    }
}
template <class Op>
void call(collective::scatter, communicator const& world, vectors const& v, Op) {
    if (v.parts->differ() && world.rank() != root) {
        boost::mpi::scatterv(world, v.out.data(), count(v.out), root);
    } else if (v.parts->differ()) {
        boost::mpi::scatterv(world, v.in.data(), v.parts->for_mpi(), v.out.data(), root);
    } else {
        boost::mpi::scatter(world, v.in.data(), v.out.data(), count(v.out), root);
    }
}

/// Whether Boost.MPI has the collective.
template <class Collective, class Op>
concept has = requires(communicator const& world, vectors const& v, Op op) {
    call(Collective{}, world, v, op);
};

}  // namespace tutti::benchmark::by_boost_mpi
