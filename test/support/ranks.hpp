// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// One source of a test, over any communicator; include this in place of Boost.Test. It
// brings the communicators and nothing that needs long to compile: tests include what they test.

#include <array>
#include <cstddef>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#if defined(TUTTI_TEST_OVER_BOOST_MPI)
#include <boost/mpi/communicator.hpp>
#include <support/mpi_world.hpp>
#include <tutti/collective/execute.hpp>
#include <tutti/communicator/boost_mpi.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>
#include <tutti/element/boost_mpi.hpp>
#include <tutti/element/boost_serialization.hpp>
#include <tutti/execution/packed_messages.hpp>
#include <tutti/operation/boost_mpi.hpp>
#elif defined(TUTTI_TEST_OVER_MPI)
#include <support/mpi_world.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>
#elif defined(TUTTI_TEST_OVER_SHARED_MEMORY)
#include <support/mpi_world.hpp>
#include <tutti/communicator/mpi/shared_memory.hpp>
#elif defined(TUTTI_TEST_OVER_TEAM)
#include <boost/test/unit_test.hpp>
#include <support/team.hpp>
#else
#include <boost/test/unit_test.hpp>
#include <tutti/communicator/threads.hpp>
#endif

namespace support {

/// How many ranks a test has in turn.
inline constexpr std::array numbers_of_ranks{1, 2, 3, 4, 7, 8};

#if defined(TUTTI_TEST_OVER_BOOST_MPI) || defined(TUTTI_TEST_OVER_MPI) || defined(TUTTI_TEST_OVER_SHARED_MEMORY)

/// Calls `body(world)` on the ranks of a communicator. Exceptions end the program, since other ranks may be waiting.
template <class Body>
void on_ranks_of(MPI_Comm team, Body& body) {
    int ranks = 0;
    MPI_Comm_size(team, &ranks);
    single_copies::of_ranks(ranks);
    try {
#if defined(TUTTI_TEST_OVER_BOOST_MPI)
        boost::mpi::communicator world{team, boost::mpi::comm_attach};
#elif defined(TUTTI_TEST_OVER_SHARED_MEMORY)
        tutti::mpi::shared_memory world{team};
#else
        MPI_Comm world = team;
#endif
        body(world);
    } catch (std::exception const& wrong) {
        std::cerr << "[rank " << world_rank() << " of " << ranks << "] " << wrong.what() << std::endl;
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/// Calls `body(world)` on every rank: of communicators of the first ranks of MPI_COMM_WORLD, whose other ranks sleep,
/// where the test is started once (TUTTI_TEST_STARTED_ONCE); else of MPI_COMM_WORLD.
template <class Body>
void on_ranks(Body body) {
#if defined(TUTTI_TEST_STARTED_ONCE)
    for (int const size : numbers_of_ranks) {
        MPI_Comm team = MPI_COMM_NULL;
        MPI_Comm_split(MPI_COMM_WORLD, world_rank() < size ? 0 : MPI_UNDEFINED, world_rank(), &team);
        if (team != MPI_COMM_NULL) {
            on_ranks_of(team, body);
            MPI_Comm_free(&team);
        }
        sleep_until_all_are_here();
        if (size >= world_size()) { break; }
    }
#else
    on_ranks_of(MPI_COMM_WORLD, body);
#endif
    BOOST_TEST(true);
}

#elif defined(TUTTI_TEST_OVER_TEAM)

/// Calls `body(world)` on every rank of teams. Exceptions end the test.
template <class Body>
void on_ranks(Body body) {
    for (int const size : numbers_of_ranks) { support::on_team(size, body); }
    BOOST_TEST(true);
}

#else

/// Calls `body(world)` on every rank, over threads, for several numbers of ranks. Exceptions end the test.
template <class Body>
void on_ranks(Body body) {
    for (int const size : numbers_of_ranks) { tutti::threads::run(size, body); }
    BOOST_TEST(true);
}

#endif

/// A test case on ranks: its body has `world`.
#define BOOST_AUTO_TEST_CASE_ON_RANKS(name)                                                                            \
    template <class World>                                                                                             \
    void name##_on_ranks(World& world);                                                                                \
    BOOST_AUTO_TEST_CASE(name) {                                                                                       \
        support::on_ranks([](auto& world) { name##_on_ranks(world); });                                                \
    }                                                                                                                  \
    template <class World>                                                                                             \
    void name##_on_ranks(World& world)

/// One whose body has `rank` and `size`, too.
#define BOOST_AUTO_TEST_CASE_ON_EACH_RANK(name)                                                                        \
    template <class World>                                                                                             \
    void name##_on_rank(World& world, int rank, int size);                                                             \
    BOOST_AUTO_TEST_CASE_ON_RANKS(name) { name##_on_rank(world, support::rank_of(world), support::size_of(world)); }   \
    template <class World>                                                                                             \
    void name##_on_rank(World& world, [[maybe_unused]] int rank, [[maybe_unused]] int size)

/// Boost.Test's assertions are for one thread: ranks throw instead.
inline void check(bool holds, std::string const& what) {
    if (!holds) { throw std::runtime_error{what}; }
}

template <class T>
[[nodiscard]] std::string shown(T const& value) {
    std::ostringstream text;
    if constexpr (requires { text << value; }) {
        text << value;
    } else if constexpr (requires { value.begin(); }) {
        text << '{';
        for (auto const& each : value) { text << shown(each) << ' '; }
        text << '}';
    } else {
        text << "a value";
    }
    return text.str();
}

template <class A, class B>
void check_equal(A const& seen, B const& expected, std::string const& what) {
    if (!(seen == expected)) { throw std::runtime_error{what + ": " + shown(seen) + " instead of " + shown(expected)}; }
}

/// The message of the exception of type `Error` that `action` throws.
template <class Error, class Action>
[[nodiscard]] std::string message_of(Action action) {
    try {
        action();
    } catch (Error const& wrong) {
        return wrong.what();
    }
    throw std::runtime_error{"no exception was thrown"};
}

template <class World>
[[nodiscard]] int rank_of(World const& world) {
    return tutti::communicator_of<World>::get(world).rank();
}

template <class World>
[[nodiscard]] int size_of(World const& world) {
    return tutti::communicator_of<World>::get(world).size();
}

/// Calls `body(world, n)` on every rank, for each length n.
template <class Body>
void on_ranks_by_length(std::vector<std::size_t> const& lengths, Body body) {
    on_ranks([&](auto& world) {
        for (auto const n : lengths) { body(world, n); }
    });
}

/// Calls `body(rank, root)` for every root.
template <class World, class Body>
void for_each_root(World& world, Body body) {
    for (int root = 0; root != size_of(world); ++root) { body(rank_of(world), root); }
}

}  // namespace support
