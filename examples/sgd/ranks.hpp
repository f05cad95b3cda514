// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include "options.hpp"

#include <atomic>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>

#ifdef SGD_OVER_BOOST_MPI
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/mpi/timer.hpp>

#include <tutti/boost_mpi.hpp>
#else
#include <chrono>

#include <tutti/threads.hpp>
#endif

namespace sgd {

#ifdef SGD_OVER_BOOST_MPI

inline constexpr auto kind_of_ranks = "processes over Boost.MPI";

/// `elapsed()` is in seconds.
using timer = boost::mpi::timer;

/// What the program returns: whether `body(world, options)` is true on this process, one of those that mpirun has
/// started.
template <class Body>
int on_ranks(int argc, char** argv, Body body) {
    // with `multiple`, estimates are exchanged while a rank computes
    boost::mpi::environment const environment{argc, argv, boost::mpi::threading::multiple};
    boost::mpi::communicator world;
    try {
        auto const chosen = options_of(argc, argv);
        if (chosen.ranks != 0 && chosen.ranks != world.size()) {
            throw std::invalid_argument{"the number of ranks is what mpirun says, without --ranks"};
        }
        return body(world, chosen) ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (std::exception const& error) {
        std::cerr << "sgd: " << error.what() << '\n';
        world.abort(EXIT_FAILURE);
        return EXIT_FAILURE;
    }
}

#else

inline constexpr auto kind_of_ranks = "threads of one process";

/// `elapsed()` is in seconds.
class timer {
public:
    [[nodiscard]] double elapsed() const { return std::chrono::duration<double>(clock::now() - start_).count(); }

private:
    using clock = std::chrono::steady_clock;
    clock::time_point start_ = clock::now();
};

/// What the program returns: whether `body(world, options)` is true on each of the threads.
template <class Body>
int on_ranks(int argc, char** argv, Body body) {
    std::atomic<bool> all = true;
    try {
        auto const chosen = options_of(argc, argv);
        tutti::threads::run(chosen.ranks == 0 ? 4 : chosen.ranks, [&](auto& world) {
            if (!body(world, chosen)) { all = false; }
        });
    } catch (std::exception const& error) {
        std::cerr << "sgd: " << error.what() << '\n';
        return EXIT_FAILURE;
    }
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif

}  // namespace sgd
