// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../collectives/reading.hpp"

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

inline constexpr std::string_view usage =
    R"(arrivals: times all_reduces of floats when ranks come late to them; a rank's time is that from its own arrival
  --modes one-late,rand-late           one rank comes the delay later than all others; each comes any part of it later
  --delays 0,1,5,10,50,100,500,1000    milliseconds
  --bytes 4194304                      size of the vector, rounded up to whole floats
  --algorithms ring,...                those of tutti; default: all
  --implementations tutti,mpi          mpi is MPI_Allreduce
  --estimates monitor|exact|wrong|false-alarm
                                       what is believed about arrivals: the forecasts of monitors; the truth; that other
                                       ranks come late, and not those that do; the delays, and then nobody is late
  --late RANK                          which is late in one-late (default: 1)
  --iterations N                       timed calls of each (default: 20; 3 in a simulation)
  --slack MILLISECONDS                 of computing besides the delay, in which forecasts travel (default: 100)
  --seed N                             of the data and of random delays (default: 1)
  --alpha SECONDS --beta SECONDS_PER_BYTE
                                       what a message costs, instead of what is measured
  --csv FILE                           also write one row for every mean
  --threads N                          ranks are threads of this program; MPI has no part in it
  --ranks N                            for ./dev, which starts the ranks
  --gamma SECONDS_PER_BYTE             simulation only: what combining costs, whoever combines
  --no-data                            simulation only: move no bytes where that is possible, and check no results
)";

/// Throws usage_error for what it does not understand.
[[nodiscard]] inline options read_options(std::vector<std::string> const& arguments, vocabulary const& known) {
    using namespace reading;
    using text = std::string const&;
    options result;
    result.algorithms = known.algorithms;
    result.implementations = known.implementations;

    auto const simulation_only = [&](text option) {
        if (!known.simulated) { refuse(option + " is for simulations only; leave it out where time is real"); }
    };
    constexpr auto any_count = largest<std::size_t>;
    // MPI counts elements in int
    constexpr std::size_t longest = largest<int> * sizeof(float);

    options_with_value const with_value{
        {"--modes",
         [&](text o, text v) {
             result.modes = choice(o, v, {std::string{one_late}, std::string{rand_late}});
         }},
        {"--delays",
         [&](text o, text v) {
             result.delays.clear();
             for (auto const& item : items(v)) { result.delays.push_back(number(o, item, 0, largest<double>)); }
         }},
        {"--bytes",
         [&](text o, text v) {
             result.bytes.clear();
             for (auto const& item : items(v)) { result.bytes.push_back(number(o, item, 1, longest)); }
         }},
        {"--algorithms", [&](text o, text v) { result.algorithms = choice(o, v, known.algorithms); }},
        {"--implementations", [&](text o, text v) { result.implementations = choice(o, v, known.implementations); }},
        {"--estimates",
         [&](text o, text v) {
             std::vector<std::string> const names{std::string{estimates::monitor}, std::string{estimates::exact},
                                                  std::string{estimates::wrong}, std::string{estimates::false_alarm}};
             auto const chosen = choice(o, v, names);
             if (chosen.size() != 1) { refuse(o + " is one of: " + joined(names)); }
             result.estimates = chosen.front();
         }},
        {"--late", [&](text o, text v) { result.late = number(o, v, 0, any_count); }},
        {"--iterations", [&](text o, text v) { result.iterations = number(o, v, 1, any_count); }},
        {"--slack", [&](text o, text v) { result.slack = number(o, v, 0, largest<double>); }},
        {"--seed", [&](text o, text v) { result.seed = number(o, v, 0, largest<std::uint64_t>); }},
        {"--alpha", [&](text o, text v) { result.alpha = number(o, v, 0, largest<double>); }},
        {"--beta", [&](text o, text v) { result.beta = number(o, v, 0, largest<double>); }},
        {"--csv", [&](text, text v) { result.csv = v; }},
        {"--threads", [&](text o, text v) { result.threads = number(o, v, 1, std::size_t{4096}); }},
        {"--ranks", [](text o, text v) { static_cast<void>(number(o, v, 1, any_count)); }},
        {"--gamma",
         [&](text o, text v) {
             simulation_only(o);
             result.gamma = number(o, v, 0, largest<double>);
         }},
    };
    options_alone const alone{
        {"--no-data",
         [&](text o) {
             simulation_only(o);
             result.with_data = false;
         }},
        {"--help", [&](text) { result.help = true; }},
    };
    read(arguments, with_value, alone);
    if (result.alpha.has_value() != result.beta.has_value()) { refuse("--alpha and --beta belong together"); }
    if (result.iterations == 0) { result.iterations = known.simulated ? 3 : 20; }
    return result;
}

}  // namespace tutti::benchmark::arrivals
