// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstdint>
#include <optional>

#include "../support/options.hpp"

namespace tutti::benchmark::arrivals {

/// What the ranks believe about arrivals.
namespace estimates {

inline constexpr std::string_view monitor = "monitor", exact = "exact", wrong = "wrong", false_alarm = "false-alarm";

}  // namespace estimates

inline constexpr std::string_view one_late = "one-late", rand_late = "rand-late";

/// What the command line asks for. An option that is not given keeps its default.
struct options {
    std::vector<std::string> modes{std::string{one_late}, std::string{rand_late}};
    std::vector<double> delays{0, 1, 5, 10, 50, 100, 500, 1000};  ///< milliseconds
    std::vector<std::size_t> bytes{4194304};
    std::vector<std::string> algorithms;
    std::vector<std::string> implementations;
    std::string estimates{estimates::monitor};
    std::size_t late = 1;  ///< the rank that is late where one is
    std::size_t iterations = 0;
    double slack = 100;  ///< milliseconds of computing besides the delay
    std::uint64_t seed = 1;
    std::optional<double> alpha;  ///< seconds a message
    std::optional<double> beta;   ///< seconds a byte
    double gamma = 0;             ///< seconds per combined byte
    std::size_t threads = 0;      ///< 0: ranks are MPI's
    bool with_data = true;
    std::string csv;

    [[nodiscard]] bool has(std::string_view implementation) const {
        return std::find(implementations.begin(), implementations.end(), implementation) != implementations.end();
    }
    [[nodiscard]] bool is_monitored() const { return estimates == estimates::monitor; }
};

/// Throws `usage_error` for what it does not understand. `algorithms` and `implementations` are all that there are.
[[nodiscard]] inline options read_options(std::vector<std::string> const& arguments,
                                          std::vector<std::string> const& algorithms,
                                          std::vector<std::string> const& implementations, bool simulated) {
    using namespace command_line;
    using names = std::vector<std::string>;
    auto const in_simulations = [&](reader read) {
        return only_if(simulated, "is for simulations only; leave it out where time is real", std::move(read));
    };
    // MPI counts elements in int
    constexpr command_line::bounds bytes{1, largest<int> * sizeof(float)};
    options result;
    result.algorithms = algorithms;
    result.implementations = implementations;
    std::vector<option> const known{
        {"--modes", "one-late,rand-late",
         "one rank comes the delay later than all others; each comes any part of it later",
         some_of(result.modes, names{std::string{one_late}, std::string{rand_late}})},
        {"--delays", "0,1,5,10,50,100,500,1000", "milliseconds", into(result.delays)},
        {"--bytes", "4194304", "size of the vector, rounded up to whole floats", into(result.bytes, bytes)},
        {"--algorithms", "ring,...", "those of tutti; default: all", some_of(result.algorithms, algorithms)},
        {"--implementations", "tutti,mpi", "mpi is MPI_Allreduce", some_of(result.implementations, implementations)},
        {"--estimates", "monitor|exact|wrong|false-alarm",
         "what is believed about arrivals: the forecasts of monitors; the truth; that other\n"
         "ranks come late, and not those that do; the delays, and then nobody is late",
         one_of(result.estimates, names{std::string{estimates::monitor}, std::string{estimates::exact},
                                        std::string{estimates::wrong}, std::string{estimates::false_alarm}})},
        {"--late", "RANK", "which is late in one-late (default: 1)", into(result.late)},
        {"--iterations", "N", "timed calls of each (default: 20; 3 in a simulation)", into(result.iterations, {1})},
        {"--slack", "MILLISECONDS", "of computing besides the delay, in which forecasts travel (default: 100)",
         into(result.slack)},
        {"--seed", "N", "of the data and of random delays (default: 1)", into(result.seed)},
        {"--alpha", "SECONDS", "with --beta: what a message costs, instead of what is measured", into(result.alpha)},
        {"--beta", "SECONDS_PER_BYTE", "", into(result.beta)},
        {"--csv", "FILE", "also write one row for every mean", into(result.csv)},
        {"--threads", "N", "ranks are threads of this program; MPI has no part in it", into(result.threads, {1, 4096})},
        number_of_ranks(),
        {"--gamma", "SECONDS_PER_BYTE", "simulation only: what combining costs, whoever combines",
         in_simulations(into(result.gamma))},
        {"--no-data", "", "simulation only: move no bytes where that is possible, and check no results",
         in_simulations([&result](auto const&...) { result.with_data = false; })},
        {"", "", "algorithms: " + listed(algorithms), {}},
    };
    read(arguments,
         "arrivals: times all_reduces of floats when ranks come late to them; a rank's time is that from its own "
         "arrival",
         known);
    if (result.alpha.has_value() != result.beta.has_value()) {
        throw usage_error{"--alpha and --beta belong together"};
    }
    if (result.iterations == 0) { result.iterations = simulated ? 3 : 20; }
    return result;
}

}  // namespace tutti::benchmark::arrivals
