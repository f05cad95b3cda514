// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpi.h>

#include <tutti/cost/in_use.hpp>
#include <tutti/cost/machine.hpp>

#ifdef TUTTI_BENCHMARK_BOOST_MPI
#include "by_boost_mpi.hpp"
#endif
#ifdef TUTTI_BENCHMARK_ACCELERATOR
#include "accelerator.hpp"
#endif

#include "algorithms.hpp"
#include "calls.hpp"
#include "operators.hpp"
#include "vectors.hpp"

namespace tutti::benchmark {

/// One way to perform a collective.
struct contender {
    std::string algorithm;
    std::string implementation;
    std::function<void(vectors const&)> run;
};

/// Those that are measured unless the command line says otherwise, and all.
[[nodiscard]] inline std::vector<std::string> usual_implementations() {
#ifdef TUTTI_BENCHMARK_BOOST_MPI
    return {"tutti", "mpi", "boost_mpi"};
#else
    return {"tutti", "mpi"};
#endif
}
[[nodiscard]] inline std::vector<std::string> names_of_implementations() {
    auto result = usual_implementations();
#ifdef TUTTI_BENCHMARK_ACCELERATOR
    result.push_back("accelerator");
#endif
    return result;
}

class own_communicator;

/// What the command line named, in the order in which it is to be shown.
struct chosen {
    std::vector<std::string> const& algorithms;
    std::vector<std::string> const& implementations;
    std::vector<std::string> const& executions;
    machine_model const& model;  ///< for `automatic`
    /// Of `automatic` in standard mode, for all cells, as programs have one: it shares memory after many calls.
    std::shared_ptr<own_communicator> const& automatic_world;

    [[nodiscard]] static bool has(std::vector<std::string> const& names, std::string_view name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    }
};

/// A communicator of all ranks. A communicator keeps its last few programs of one kind of call, and all named
/// algorithms are one kind of call: each has a communicator, so that none displaces another's programs.
class own_communicator {
public:
    explicit own_communicator(machine_model const& model = {}, execution chosen = {}) {
        MPI_Comm_dup(MPI_COMM_WORLD, &handle_);
        configure(handle_, chosen);
        if (model != machine_model{}) { use(handle_, model); }
    }
    own_communicator(own_communicator const&) = delete;
    own_communicator& operator=(own_communicator const&) = delete;
    ~own_communicator() { MPI_Comm_free(&handle_); }

    [[nodiscard]] MPI_Comm get() const { return handle_; }

private:
    MPI_Comm handle_ = MPI_COMM_NULL;
};

/// Why `algorithm` cannot take part; empty if it can.
template <class Collective>
[[nodiscard]] std::string_view obstacle_to(known_algorithm<Collective> const* algorithm, bool commutes,
                                           std::size_t size) {
    if (algorithm == nullptr) { return "does not implement it"; }
    if (algorithm->generator.stated().requires_commutative && !commutes) { return "needs a commutative operator"; }
    if (!algorithm->supports(size)) { return "does not support this number of ranks, or ranks on such nodes"; }
    return {};
}

/// What takes part in measuring `Collective` with `Operator`. An MPI has one algorithm: its own automatic choice.
/// `refused(algorithm, why)` hears what is left out.
template <class Collective, class Operator>
[[nodiscard]] std::vector<contender>
contenders(chosen const& names, std::size_t size, cost each,
           std::function<void(std::string const& algorithm, std::string_view why)> const& refused) {
    constexpr Collective which{};
    std::string const automatically{automatic_name};
    std::vector<contender> result;

    auto const add_tutti = [&](std::string const& name, auto const& algorithm) {
        for (auto const& how : names.executions) {
            bool const ready = how == "ready";
            auto const world =
                name == automatic_name && !ready
                    ? names.automatic_world
                    : std::make_shared<own_communicator>(names.model, execution{.ready_mode = ready});
            result.push_back({ready ? name + "+ready" : name, "tutti",
                              [=, op = operator_for_tutti<Operator>(each)](vectors const& v) mutable {
                                  by_tutti::call(which, world->get(), v, op, algorithm);
                              }});
        }
    };
    if (chosen::has(names.implementations, "tutti")) {
        auto const& nodes = communicator_of<MPI_Comm>::get(MPI_COMM_WORLD).nodes();
        for (auto const& name : names.algorithms) {
            if (name == automatic_name) {
                add_tutti(name, automatic{});
                continue;
            }
            auto const* const algorithm = find_algorithm<Collective>(name, nodes);
            auto const obstacle = obstacle_to(algorithm, Operator::commutes, size);
            if (!obstacle.empty()) {
                refused(name, obstacle);
                continue;
            }
            add_tutti(name, named<Collective>{algorithm->generator});
        }
    }

    auto const add_mpi = [&](std::string const& name, by_mpi::functions const& mpi) {
        if (!chosen::has(names.implementations, name)) { return; }
        auto const op = std::make_shared<operator_for_mpi<Operator>>(each);
        result.push_back({automatically, name, [=](vectors const& v) { by_mpi::call(mpi, which, v, op->handle()); }});
    };
    add_mpi("mpi", {});
#ifdef TUTTI_BENCHMARK_ACCELERATOR
    if (chosen::has(names.implementations, "accelerator")) { add_mpi("accelerator", accelerator::functions()); }
#endif

#ifdef TUTTI_BENCHMARK_BOOST_MPI
    using op_for_boost = typename Operator::type_for_boost;
    if constexpr (by_boost_mpi::has<Collective, op_for_boost>) {
        if (chosen::has(names.implementations, "boost_mpi")) {
            boost::mpi::communicator const world;
            result.push_back({automatically, "boost_mpi",
                              [=](vectors const& v) { by_boost_mpi::call(which, world, v, op_for_boost{}); }});
        }
    }
#endif
    return result;
}

}  // namespace tutti::benchmark
