// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../support/options.hpp"

namespace tutti::benchmark::arrivals {

/// The names that an option may list, in the order in which results are shown; and whether time is simulated.
struct vocabulary {
    std::vector<std::string> algorithms;
    std::vector<std::string> implementations;
    bool simulated = false;
};

/// What the ranks believe about arrivals.
namespace estimates {

inline constexpr std::string_view monitor = "monitor";
inline constexpr std::string_view exact = "exact";
inline constexpr std::string_view wrong = "wrong";
inline constexpr std::string_view false_alarm = "false-alarm";

}  // namespace estimates

inline constexpr std::string_view one_late = "one-late";
inline constexpr std::string_view rand_late = "rand-late";

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
    bool help = false;
    std::string csv;

    [[nodiscard]] bool has(std::string_view implementation) const {
        return std::find(implementations.begin(), implementations.end(), implementation) != implementations.end();
    }
    [[nodiscard]] bool is_monitored() const { return estimates == estimates::monitor; }
};

[[nodiscard]] inline std::vector<command_line::option> table_of(options& to, vocabulary const& known) {
    using namespace command_line;
    using names = std::vector<std::string>;
    auto const in_simulations = [&](reader read) {
        return only_if(known.simulated, "is for simulations only; leave it out where time is real", std::move(read));
    };
    // MPI counts elements in int
    constexpr command_line::bounds bytes{1, largest<int> * sizeof(float)};
    return {
        {"--modes", "one-late,rand-late",
         "one rank comes the delay later than all others; each comes any part of it later",
         some_of(to.modes, names{std::string{one_late}, std::string{rand_late}})},
        {"--delays", "0,1,5,10,50,100,500,1000", "milliseconds", into(to.delays)},
        {"--bytes", "4194304", "size of the vector, rounded up to whole floats", into(to.bytes, bytes)},
        {"--algorithms", "ring,...", "those of tutti; default: all", some_of(to.algorithms, known.algorithms)},
        {"--implementations", "tutti,mpi", "mpi is MPI_Allreduce", some_of(to.implementations, known.implementations)},
        {"--estimates", "monitor|exact|wrong|false-alarm",
         "what is believed about arrivals: the forecasts of monitors; the truth; that other\n"
         "ranks come late, and not those that do; the delays, and then nobody is late",
         one_of(to.estimates, names{std::string{estimates::monitor}, std::string{estimates::exact},
                                    std::string{estimates::wrong}, std::string{estimates::false_alarm}})},
        {"--late", "RANK", "which is late in one-late (default: 1)", into(to.late)},
        {"--iterations", "N", "timed calls of each (default: 20; 3 in a simulation)", into(to.iterations, {1})},
        {"--slack", "MILLISECONDS", "of computing besides the delay, in which forecasts travel (default: 100)",
         into(to.slack)},
        {"--seed", "N", "of the data and of random delays (default: 1)", into(to.seed)},
        {"--alpha", "SECONDS", "with --beta: what a message costs, instead of what is measured", into(to.alpha)},
        {"--beta", "SECONDS_PER_BYTE", "", into(to.beta)},
        {"--csv", "FILE", "also write one row for every mean", into(to.csv)},
        {"--threads", "N", "ranks are threads of this program; MPI has no part in it", into(to.threads, {1, 4096})},
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
    result.algorithms = known.algorithms;
    result.implementations = known.implementations;
    command_line::read(arguments, table_of(result, known));
    if (result.alpha.has_value() != result.beta.has_value()) {
        throw command_line::refusal{"--alpha and --beta belong together"};
    }
    if (result.iterations == 0) { result.iterations = known.simulated ? 3 : 20; }
    return result;
}

[[nodiscard]] inline std::string usage(vocabulary const& known) {
    options none;
    return "arrivals: times all_reduces of floats when ranks come late to them; a rank's time is that from its own "
           "arrival\n" +
           command_line::usage_of(table_of(none, known)) + "algorithms: " + command_line::listed(known.algorithms) +
           '\n';
}

}  // namespace tutti::benchmark::arrivals
