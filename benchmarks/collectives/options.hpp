// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "../support/options.hpp"
#include "algorithms.hpp"
#include "contenders.hpp"
#include "machine.hpp"
#include "vectors.hpp"

namespace tutti::benchmark {

/// MPI counts elements in int.
inline constexpr command_line::bounds bytes_of_vectors{1, command_line::largest<int> * sizeof(double)};

/// What the command line asks for. An option that is not given keeps its default.
struct options {
    std::vector<std::string> collectives = names_of_collectives();
    std::vector<std::string> algorithms{"automatic"};
    std::vector<std::string> implementations = names_of_implementations();
    std::vector<std::string> executions{"standard"};
    std::vector<std::string> operators{"sum", "functor"};
    std::vector<std::size_t> bytes{8, 64, 512, 4096, 32768, 262144, 2097152, 16777216};
    std::size_t repetitions = 0;  ///< 0: by size
    double gamma = 0;             ///< seconds per combined byte
    division counts = division::equal;
    bool with_data = true;
    std::string csv;
    std::string model = "measured";
};

/// Throws `refusal` for what it does not understand.
[[nodiscard]] inline options read_options(std::vector<std::string> const& arguments) {
    using namespace command_line;
    auto const in_simulations = [](reader read) {
        return only_if(machine::is_simulated, "is for simulations only; leave it out where MPI is real",
                       std::move(read));
    };
    auto const algorithms = names_of_algorithms();
    options result;
    std::vector<option> const known{
        {"--collectives", "reduce,all_reduce,...", "default: all", some_of(result.collectives, result.collectives)},
        {"--algorithms", "automatic,ring,...", "those of tutti", some_of(result.algorithms, algorithms)},
        {"--implementations", "tutti,mpi,boost_mpi", "", some_of(result.implementations, result.implementations)},
        {"--execution", "standard,ready", "tutti's mode of sending; what runs in ready mode is shown as ring+ready",
         some_of(result.executions, {"standard", "ready"})},
        {"--operators", "sum,functor", "std::plus; a user's functor that keeps operands in rank order",
         some_of(result.operators, result.operators)},
        {"--bytes", "8,1024,4194304",
         "size of the vector each rank holds, rounded up to whole doubles; where every rank\n"
         "has a part, of the whole vector: the input of a reduce_scatter or scatter, what\n"
         "an all_gather or gather leaves",
         into(result.bytes, bytes_of_vectors)},
        {"--counts", "equal|skewed",
         "how that is divided: counts that differ by one at most, or the last rank has\n"
         "nearly all",
         one_of(result.counts, names_of_divisions)},
        {"--repetitions", "N", "timed runs of each (default: fewer for larger vectors; 1 in a simulation)",
         into(result.repetitions, {1})},
        {"--model", "measured|default|FILE",
         "what `automatic` knows of the machine: measured before everything (default), what\n"
         "tutti supposes of any, or what tutti::save or tune wrote",
         into(result.model)},
        {"--csv", "FILE", "also write one row for every time measured", into(result.csv)},
        number_of_ranks(),
        {"--gamma", "SECONDS_PER_BYTE", "simulation only: what combining costs, whoever combines",
         in_simulations(into(result.gamma))},
        {"--no-data", "", "simulation only: move no bytes where that is possible, and check no results",
         in_simulations([&result](auto const&...) { result.with_data = false; })},
        {"", "", "collectives: " + listed(result.collectives) + "\nalgorithms: " + listed(algorithms), {}},
    };
    read(arguments, "collectives: times collectives of tutti beside those of MPI and Boost.MPI, all in one run", known);
    return result;
}

}  // namespace tutti::benchmark
