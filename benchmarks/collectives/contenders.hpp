// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <mpi.h>

#ifdef TUTTI_BENCHMARK_BOOST_MPI
#include <boost/mpi/collectives/all_reduce.hpp>
#include <boost/mpi/collectives/broadcast.hpp>
#include <boost/mpi/collectives/reduce.hpp>
#include <boost/mpi/communicator.hpp>
#endif

#include <tutti/mpi.hpp>

#include "algorithms.hpp"
#include "operators.hpp"

namespace tutti::benchmark {

/// The vectors of one call on this rank. A broadcast has `out` alone.
struct vectors {
    std::span<double> in;
    std::span<double> out;
};

/// One way to perform a collective on given vectors.
struct contender {
    std::string algorithm;
    std::string implementation;
    std::function<void()> run;
};

[[nodiscard]] inline std::vector<std::string> names_of_implementations() {
#ifdef TUTTI_BENCHMARK_BOOST_MPI
    return {"tutti", "mpi", "boost_mpi"};
#else
    return {"tutti", "mpi"};
#endif
}

/// The same collective on the same vectors, called as each library has it.
namespace calls {

inline constexpr int root = 0;

template <class Op, class A>
void by_tutti(collective::reduce, vectors v, Op& op, A const& algorithm) {
    tutti::reduce(MPI_COMM_WORLD, v.in, v.out, op, root, algorithm);
}
template <class Op, class A>
void by_tutti(collective::all_reduce, vectors v, Op& op, A const& algorithm) {
    tutti::all_reduce(MPI_COMM_WORLD, v.in, v.out, op, algorithm);
}
template <class A>
void by_tutti(collective::broadcast, vectors v, A const& algorithm) {
    tutti::broadcast(MPI_COMM_WORLD, v.out, root, algorithm);
}

[[nodiscard]] inline int count(vectors v) { return static_cast<int>(v.out.size()); }

inline void by_mpi(collective::reduce, vectors v, MPI_Op op) {
    MPI_Reduce(v.in.data(), v.out.data(), count(v), MPI_DOUBLE, op, root, MPI_COMM_WORLD);
}
inline void by_mpi(collective::all_reduce, vectors v, MPI_Op op) {
    MPI_Allreduce(v.in.data(), v.out.data(), count(v), MPI_DOUBLE, op, MPI_COMM_WORLD);
}
inline void by_mpi(collective::broadcast, vectors v) {
    MPI_Bcast(v.out.data(), count(v), MPI_DOUBLE, root, MPI_COMM_WORLD);
}

#ifdef TUTTI_BENCHMARK_BOOST_MPI
template <class Op>
void by_boost_mpi(collective::reduce, boost::mpi::communicator const& world, vectors v, Op op) {
    boost::mpi::reduce(world, v.in.data(), count(v), v.out.data(), op, root);
}
template <class Op>
void by_boost_mpi(collective::all_reduce, boost::mpi::communicator const& world, vectors v, Op op) {
    boost::mpi::all_reduce(world, v.in.data(), count(v), v.out.data(), op);
}
inline void by_boost_mpi(collective::broadcast, boost::mpi::communicator const& world, vectors v) {
    boost::mpi::broadcast(world, v.out.data(), count(v), root);
}
#endif

}  // namespace calls

/// What the command line named, in the order in which it is to be shown.
struct chosen {
    std::vector<std::string> const& algorithms;
    std::vector<std::string> const& implementations;

    [[nodiscard]] static bool has(std::vector<std::string> const& names, std::string_view name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    }
};

/// What takes part in measuring `Collective` with `Operator`. An MPI has one algorithm: its own automatic choice.
/// `refused(algorithm, why)` hears what is left out.
template <class Collective, class Operator, class Refused>
[[nodiscard]] std::vector<contender> contenders(chosen const& names, std::size_t size, vectors v, cost each,
                                                Refused&& refused) {
    constexpr bool combines = collective::combines<Collective>;
    constexpr Collective which{};
    std::vector<contender> result;

    auto const add_tutti = [&](auto const& algorithm) {
        auto const name = name_of_algorithm(algorithm);
        if (!chosen::has(names.algorithms, name)) { return; }
        std::string_view obstacle;
        if constexpr (combines) {
            obstacle = if_fitting<Collective, Operator::commutes>(algorithm, size, [&](auto const& fitting) {
                result.push_back({name, "tutti", [=, op = operator_for_tutti<Operator>(each)]() mutable {
                                      calls::by_tutti(which, v, op, fitting);
                                  }});
            });
        } else {
            obstacle = if_fitting<Collective, true>(algorithm, size, [&](auto const& fitting) {
                result.push_back({name, "tutti", [=] { calls::by_tutti(which, v, fitting); }});
            });
        }
        if (!obstacle.empty()) { refused(name, obstacle); }
    };
    if (chosen::has(names.implementations, "tutti")) {
        std::apply([&](auto const&... algorithm) { (add_tutti(algorithm), ...); }, algorithms);
    }

    if (chosen::has(names.implementations, "mpi")) {
        if constexpr (combines) {
            auto const op = std::make_shared<operator_for_mpi<Operator>>(each);
            result.push_back({"automatic", "mpi", [=] { calls::by_mpi(which, v, op->handle()); }});
        } else {
            result.push_back({"automatic", "mpi", [=] { calls::by_mpi(which, v); }});
        }
    }

#ifdef TUTTI_BENCHMARK_BOOST_MPI
    if (chosen::has(names.implementations, "boost_mpi")) {
        boost::mpi::communicator const world;
        if constexpr (combines) {
            auto const op = typename Operator::type_for_boost{};
            result.push_back({"automatic", "boost_mpi", [=] { calls::by_boost_mpi(which, world, v, op); }});
        } else {
            result.push_back({"automatic", "boost_mpi", [=] { calls::by_boost_mpi(which, world, v); }});
        }
    }
#endif
    return result;
}

}  // namespace tutti::benchmark
