// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <boost/mpi/collectives.hpp>
#include <boost/mpi/collectives/all_gatherv.hpp>
#include <boost/mpi/collectives/gatherv.hpp>
#include <boost/mpi/collectives/scatterv.hpp>
#include <boost/mpi/communicator.hpp>

#include "calls.hpp"
#include "vectors.hpp"

/// The collectives that Boost.MPI has, as its users call them.
namespace tutti::benchmark::by_boost_mpi {

namespace mpi = boost::mpi;

template <class Op>
struct calls {
    mpi::communicator const& world;
    vectors const& v;
    Op op;
    double* in = v.in.data();
    double* out = v.out.data();
    int given = by_mpi::count(v.in);
    int got = by_mpi::count(v.out);
    bool differ = v.parts->differ();
    bool is_root = world.rank() == root;

    void operator()(collective::reduce) const { mpi::reduce(world, in, given, out, op, root); }
    void operator()(collective::all_reduce) const { mpi::all_reduce(world, in, given, out, op); }
    void operator()(collective::inclusive_scan) const { mpi::scan(world, in, given, out, op); }
    void operator()(collective::broadcast) const { mpi::broadcast(world, out, got, root); }
    void operator()(collective::all_gather) const {
        differ ? mpi::all_gatherv(world, in, out, v.parts->for_mpi()) : mpi::all_gather(world, in, given, out);
    }
    void operator()(collective::gather) const {
        !differ   ? mpi::gather(world, in, given, out, root)
        : is_root ? mpi::gatherv(world, in, given, out, v.parts->for_mpi(), root)
                  : mpi::gatherv(world, in, given, root);
    }
    void operator()(collective::scatter) const {
        !differ   ? mpi::scatter(world, in, out, got, root)
        : is_root ? mpi::scatterv(world, in, v.parts->for_mpi(), out, root)
                  : mpi::scatterv(world, out, got, root);
    }
};

/// Whether Boost.MPI has the collective.
template <class Collective, class Op>
concept has = requires(calls<Op> const& all) { all(Collective{}); };

}  // namespace tutti::benchmark::by_boost_mpi
