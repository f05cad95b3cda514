// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>

#include <boost/mpi/communicator.hpp>

#include <tutti/communicator/world.hpp>
#include <tutti/communicator/mpi.hpp>

namespace tutti {

/// Boost.MPI's communicators, and what derives from them, stand for the MPI communicator they hold.
template <std::derived_from<boost::mpi::communicator> World>
struct communicator_of<World> {
    static mpi::communicator& get(World const& world) {
        return communicator_of<MPI_Comm>::get(static_cast<MPI_Comm>(world));
    }
};

namespace control {

template <std::derived_from<boost::mpi::communicator> World>
inline constexpr bool resizes_containers<World> = true;

}  // namespace control

}  // namespace tutti
