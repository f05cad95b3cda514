// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "counts.hpp"
#include "reading.hpp"

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

inline constexpr std::string_view usage =
    R"(collectives: times collectives of tutti beside those of MPI and Boost.MPI, all in one run
  --collectives reduce,all_reduce,...  default: all
  --algorithms automatic,ring,...      those of tutti
  --implementations tutti,mpi,boost_mpi
  --execution standard,ready           tutti's mode of sending; what runs in ready mode is shown as ring+ready
  --operators sum,functor              std::plus; a user's functor that keeps operands in rank order
  --bytes 8,1024,4194304               size of the vector each rank holds, rounded up to whole doubles; where every rank
                                       has a part, of the whole vector: the input of a reduce_scatter or scatter, what
                                       an all_gather or gather leaves
  --counts equal|skewed                how that is divided: counts that differ by one at most, or the last rank has
                                       nearly all
  --repetitions N                      timed runs of each (default: fewer for larger vectors; 1 in a simulation)
  --model measured|default|FILE        what `automatic` knows of the machine: measured before everything (default), what
                                       tutti supposes of any, or what tutti::save or tune wrote
  --csv FILE                           also write one row for every time measured
  --ranks N                            for ./dev, which starts the ranks
  --gamma SECONDS_PER_BYTE             simulation only: what combining costs, whoever combines
  --no-data                            simulation only: move no bytes where that is possible, and check no results
)";

namespace reading {

[[nodiscard]] inline division division_named(std::string const& option, std::string_view text) {
    auto const& names = names_of_divisions;
    auto const found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) { refuse(option + " cannot be '" + std::string{text} + "'; it is equal or skewed"); }
    return static_cast<division>(found - names.begin());
}

/// MPI counts elements in int.
inline constexpr std::size_t longest = largest<int> * sizeof(double);

inline void require_simulation(std::string const& option, vocabulary const& known) {
    if (!known.simulated) { refuse(option + " is for simulations only; leave it out where MPI is real"); }
}

}  // namespace reading

/// Reads `--name value` and `--name=value`. Throws usage_error for what it does not understand.
[[nodiscard]] inline options read_options(std::vector<std::string> const& arguments, vocabulary const& known) {
    using namespace reading;
    options result;
    result.collectives = known.collectives;
    result.implementations = known.implementations;
    result.operators = known.operators;

    using text = std::string const&;
    options_with_value const with_value{
        {"--collectives", [&](text o, text v) { result.collectives = choice(o, v, known.collectives); }},
        {"--algorithms", [&](text o, text v) { result.algorithms = choice(o, v, known.algorithms); }},
        {"--implementations", [&](text o, text v) { result.implementations = choice(o, v, known.implementations); }},
        {"--execution",
         [&](text o, text v) {
             result.executions = choice(o, v, {"standard", "ready"});
         }},
        {"--operators", [&](text o, text v) { result.operators = choice(o, v, known.operators); }},
        {"--bytes",
         [&](text o, text v) {
             result.bytes.clear();
             for (auto const& item : items(v)) { result.bytes.push_back(number(o, item, 1, longest)); }
         }},
        {"--counts", [&](text o, text v) { result.counts = division_named(o, v); }},
        {"--repetitions", [&](text o, text v) { result.repetitions = number(o, v, 1, largest<std::size_t>); }},
        {"--csv", [&](text, text v) { result.csv = v; }},
        {"--model", [&](text, text v) { result.model = v; }},
        {"--ranks", [](text o, text v) { static_cast<void>(number(o, v, 1, largest<std::size_t>)); }},
        {"--gamma",
         [&](text o, text v) {
             require_simulation(o, known);
             result.gamma = number(o, v, 0, largest<double>);
         }},
    };
    options_alone const alone{
        {"--no-data",
         [&](text o) {
             require_simulation(o, known);
             result.with_data = false;
         }},
        {"--help", [&](text) { result.help = true; }},
    };

    read(arguments, with_value, alone);
    return result;
}

}  // namespace tutti::benchmark
