// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <cstdlib>
#include <exception>
#include <iostream>

#ifdef WORD_COUNT_OVER_BOOST_MPI
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

#include <tutti/boost_mpi.hpp>
#else
#include <tutti/threads.hpp>
#endif

namespace word_count {

#ifdef WORD_COUNT_OVER_BOOST_MPI

inline constexpr auto kind_of_ranks = "processes over Boost.MPI";

/// The success of the program: whether `body(world)` is true on this process, one of those that mpirun has started.
template <class Body>
int on_ranks(int argc, char** argv, Body body) {
    boost::mpi::environment const environment{argc, argv};
    boost::mpi::communicator world;
    try {
        return body(world) ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (std::exception const& error) {
        std::cerr << "word_count: " << error.what() << '\n';
        world.abort(EXIT_FAILURE);
        return EXIT_FAILURE;
    }
}

#else

inline constexpr auto kind_of_ranks = "threads of one process";

/// What the program returns: whether `body(world)` is true on each of eight threads.
template <class Body>
int on_ranks(int /*argc*/, char** /*argv*/, Body body) {
    std::atomic<bool> all = true;
    try {
        tutti::threads::run(8, [&](auto& world) {
            if (!body(world)) { all = false; }
        });
    } catch (std::exception const& error) {
        std::cerr << "word_count: " << error.what() << '\n';
        return EXIT_FAILURE;
    }
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif

}  // namespace word_count
