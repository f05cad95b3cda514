// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tuple>

#include <tutti/cost/in_use.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/generator/any_generator.hpp>
#include <tutti/node_map.hpp>

#ifdef TUTTI_BENCHMARK_BOOST_MPI
#include "by_boost_mpi.hpp"
#endif

#include "calls.hpp"
#include "operators.hpp"
#include "vectors.hpp"

namespace tutti::benchmark {

inline constexpr std::string_view automatic_name = "automatic";

[[nodiscard]] inline std::vector<std::string> names_of_algorithms() {
    return []<class... As>(std::type_identity<std::tuple<As...>>) {
        return std::vector<std::string>{std::string{automatic_name},
                                        std::string{generators::name_of_algorithm<As>()}...};
    }(std::type_identity<generators::all_algorithms>{});
}

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

/// An `any_generator` that calls take for every operator: whether the operator and the number of ranks fit is for the
/// caller to see.
template <class Collective>
struct named {
    generators::any_generator<Collective> generator;
    friend bool operator==(named const&, named const&) = default;
};

template <class Collective>
constexpr facts describe(Collective, std::type_identity<named<Collective>>) {
    return {.name = "named"};
}

template <class Collective>
[[nodiscard]] std::size_t blocks_for(Collective, named<Collective> const& of, std::size_t size, std::size_t bytes) {
    return of.generator.blocks(size, bytes);
}

template <class Collective>
[[nodiscard]] schedules::lazy_schedule generate(Collective, named<Collective> const& of, problem const& at) {
    return of.generator.schedule_of(at);
}

/// What a benchmark knows of an algorithm for `Collective`.
template <class Collective>
struct known_algorithm {
    std::string_view name;
    generators::any_generator<Collective> generator;
    std::function<bool(std::size_t size)> supports;
};

/// The algorithm of that name for a call of `Collective`, for the machine that the first call tells; null if it does
/// not implement the collective.
template <class Collective>
[[nodiscard]] known_algorithm<Collective> const* find_algorithm(std::string_view name, node_map const& nodes) {
    static auto const all = [&] {
        std::vector<known_algorithm<Collective>> result;
        generators::for_each_algorithm(Collective{}, [&]<class A>(A algorithm) {
            if constexpr (requires { algorithm.nodes; }) { algorithm.nodes = nodes; }
            generators::any_generator<Collective> const generator{generators::algorithm_for(Collective{}, algorithm)};
            result.push_back({generators::name_of_algorithm<A>(), generator, generator.stated().supports});
            if constexpr (requires { algorithm.fits(std::size_t{}); }) {
                result.back().supports = [algorithm](std::size_t size) { return algorithm.fits(size); };
            }
        });
        return result;
    }();
    auto const found = std::find_if(all.begin(), all.end(), [&](auto const& each) { return each.name == name; });
    return found == all.end() ? nullptr : &*found;
}

/// Why `algorithm` cannot take part; empty if it can.
template <class Collective>
[[nodiscard]] std::string_view obstacle_to(known_algorithm<Collective> const* algorithm, bool commutes,
                                           std::size_t size) {
    if (algorithm == nullptr) { return "does not implement it"; }
    if (algorithm->generator.stated().requires_commutative && !commutes) { return "needs a commutative operator"; }
    if (!algorithm->supports(size)) { return "does not support this number of ranks, or ranks on such nodes"; }
    return {};
}

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

/// One way to perform a collective.
struct contender {
    std::string algorithm;
    std::string implementation;
    std::function<void(vectors const&)> run;
};

/// tutti, on a communicator. `each` is what combining costs in a simulation.
template <class Operator, class Collective, class A>
[[nodiscard]] contender by_tutti_on(std::shared_ptr<own_communicator> const& world, std::string const& name,
                                    Collective which, A const& algorithm, cost each) {
    return {name, "tutti", [=, op = operator_for_tutti<Operator>(each)](vectors const& v) mutable {
                by_tutti::call(which, world->get(), v, op, algorithm);
            }};
}

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
            result.push_back(by_tutti_on<Operator>(world, ready ? name + "+ready" : name, which, algorithm, each));
        }
    };
    auto const& nodes = communicator_of<MPI_Comm>::get(MPI_COMM_WORLD).nodes();
    for (auto const& name : chosen::has(names.implementations, "tutti") ? names.algorithms
                                                                        : std::vector<std::string>{}) {
        if (name == automatic_name) {
            add_tutti(name, automatic{});
            continue;
        }
        auto const* const algorithm = find_algorithm<Collective>(name, nodes);
        auto const obstacle = obstacle_to(algorithm, Operator::commutes, size);
        obstacle.empty() ? add_tutti(name, named<Collective>{algorithm->generator}) : refused(name, obstacle);
    }

    auto const add_mpi = [&](std::string const& name, by_mpi::functions const& mpi) {
        auto const op = std::make_shared<operator_for_mpi<Operator>>(each);
        result.push_back({automatically, name, [=](vectors const& v) { by_mpi::calls{mpi, v, op->handle()}(which); }});
    };
    if (chosen::has(names.implementations, "mpi")) { add_mpi("mpi", {}); }
#ifdef TUTTI_BENCHMARK_ACCELERATOR
    if (chosen::has(names.implementations, "accelerator")) { add_mpi("accelerator", accelerator::functions()); }
#endif

#ifdef TUTTI_BENCHMARK_BOOST_MPI
    using op_for_boost = typename Operator::type_for_boost;
    if constexpr (by_boost_mpi::has<Collective, op_for_boost>) {
        if (chosen::has(names.implementations, "boost_mpi")) {
            boost::mpi::communicator const world;
            result.push_back({automatically, "boost_mpi",
                              [=](vectors const& v) { by_boost_mpi::calls<op_for_boost>{world, v, {}}(which); }});
        }
    }
#endif
    return result;
}

}  // namespace tutti::benchmark
