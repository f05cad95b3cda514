// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "../support/options.hpp"
#include "counts.hpp"

namespace tutti::benchmark {

/// The names that an option may list, in the order in which results are shown.
struct vocabulary {
    std::vector<std::string> collectives;
    std::vector<std::string> algorithms;
    std::vector<std::string> implementations;
    std::vector<std::string> operators;
    bool simulated = false;
};

/// What the command line asks for. An option that is not given keeps its default.
struct options {
    std::vector<std::string> collectives;
    std::vector<std::string> algorithms{"automatic"};
    std::vector<std::string> implementations;
    std::vector<std::string> executions{"standard"};
    std::vector<std::string> operators;
    std::vector<std::size_t> bytes{8, 64, 512, 4096, 32768, 262144, 2097152, 16777216};
    std::size_t repetitions = 0;  ///< 0: by size
    double gamma = 0;             ///< seconds per combined byte
    division counts = division::equal;
    bool with_data = true;
    bool help = false;
    std::string csv;
    std::string model = "measured";
};

[[nodiscard]] inline std::vector<command_line::option> table_of(options& to, vocabulary const& known) {
    using namespace command_line;
    auto const in_simulations = [&](reader read) {
        return only_if(known.simulated, "is for simulations only; leave it out where MPI is real", std::move(read));
    };
    // MPI counts elements in int
    constexpr command_line::bounds bytes{1, largest<int> * sizeof(double)};
    return {
        {"--collectives", "reduce,all_reduce,...", "default: all", some_of(to.collectives, known.collectives)},
        {"--algorithms", "automatic,ring,...", "those of tutti", some_of(to.algorithms, known.algorithms)},
        {"--implementations", "tutti,mpi,boost_mpi", "", some_of(to.implementations, known.implementations)},
        {"--execution", "standard,ready", "tutti's mode of sending; what runs in ready mode is shown as ring+ready",
         some_of(to.executions, {"standard", "ready"})},
        {"--operators", "sum,functor", "std::plus; a user's functor that keeps operands in rank order",
         some_of(to.operators, known.operators)},
        {"--bytes", "8,1024,4194304",
         "size of the vector each rank holds, rounded up to whole doubles; where every rank\n"
         "has a part, of the whole vector: the input of a reduce_scatter or scatter, what\n"
         "an all_gather or gather leaves",
         into(to.bytes, bytes)},
        {"--counts", "equal|skewed",
         "how that is divided: counts that differ by one at most, or the last rank has\n"
         "nearly all",
         one_of(to.counts, names_of_divisions)},
        {"--repetitions", "N", "timed runs of each (default: fewer for larger vectors; 1 in a simulation)",
         into(to.repetitions, {1})},
        {"--model", "measured|default|FILE",
         "what `automatic` knows of the machine: measured before everything (default), what\n"
         "tutti supposes of any, or what tutti::save or tune wrote",
         into(to.model)},
        {"--csv", "FILE", "also write one row for every time measured", into(to.csv)},
        number_of_ranks(),
        {"--gamma", "SECONDS_PER_BYTE", "simulation only: what combining costs, whoever combines",
         in_simulations(into(to.gamma))},
        {"--no-data", "", "simulation only: move no bytes where that is possible, and check no results",
         in_simulations([&to](auto const&...) { to.with_data = false; })},
        {"--help", "", "this text", into(to.help)},
    };
}

/// Throws `refusal` for what it does not understand.
[[nodiscard]] inline options read_options(std::vector<std::string> const& arguments, vocabulary const& known) {
    options result;
    result.collectives = known.collectives;
    result.implementations = known.implementations;
    result.operators = known.operators;
    command_line::read(arguments, table_of(result, known));
    return result;
}

[[nodiscard]] inline std::string usage(vocabulary const& known) {
    options none;
    return "collectives: times collectives of tutti beside those of MPI and Boost.MPI, all in one run\n" +
           command_line::usage_of(table_of(none, known)) + "collectives: " + command_line::listed(known.collectives) +
           "\nalgorithms: " + command_line::listed(known.algorithms) + '\n';
}

}  // namespace tutti::benchmark
