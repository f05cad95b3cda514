// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

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
  --csv FILE                           also write one row for every time measured
  --ranks N                            for ./dev, which starts the ranks
  --gamma SECONDS_PER_BYTE             simulation only: what combining costs, whoever combines
  --no-data                            simulation only: move no bytes where that is possible, and check no results
)";

/// A mistake in the command line, which all ranks see alike.
struct usage_error : std::invalid_argument {
    using invalid_argument::invalid_argument;
};

namespace reading {

[[noreturn]] inline void refuse(std::string const& what) { throw usage_error{"tutti: " + what}; }

[[nodiscard]] inline std::vector<std::string> items(std::string_view text) {
    std::vector<std::string> result;
    for (std::size_t first = 0; first <= text.size();) {
        auto const last = std::min(text.find(',', first), text.size());
        result.emplace_back(text.substr(first, last - first));
        first = last + 1;
    }
    return result;
}

[[nodiscard]] inline std::string joined(std::vector<std::string> const& names) {
    std::string result;
    for (auto const& name : names) { result += (result.empty() ? "" : ", ") + name; }
    return result;
}

/// Each of `known` that `text` lists, once.
[[nodiscard]] inline std::vector<std::string> choice(std::string const& option, std::string_view text,
                                                     std::vector<std::string> const& known) {
    auto const wanted = items(text);
    for (auto const& name : wanted) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            refuse(option + " does not know '" + name + "' here; there are: " + joined(known));
        }
    }
    std::vector<std::string> result;
    std::copy_if(known.begin(), known.end(), std::back_inserter(result), [&](std::string const& name) {
        return std::find(wanted.begin(), wanted.end(), name) != wanted.end();
    });
    return result;
}

[[nodiscard]] inline division division_named(std::string const& option, std::string_view text) {
    auto const& names = names_of_divisions;
    auto const found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) { refuse(option + " cannot be '" + std::string{text} + "'; it is equal or skewed"); }
    return static_cast<division>(found - names.begin());
}

template <class Number>
[[nodiscard]] Number number(std::string const& option, std::string_view text, int least, Number most) {
    Number result{};
    auto const [end, code] = std::from_chars(text.data(), text.data() + text.size(), result);
    if (code != std::errc{} || end != text.data() + text.size() || !(result >= static_cast<Number>(least)) ||
        result > most) {
        refuse(option + " cannot be '" + std::string{text} + "'; it is a number of at least " + std::to_string(least));
    }
    return result;
}

template <class Number>
inline constexpr Number largest = std::numeric_limits<Number>::max();
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
    std::map<std::string, std::function<void(text option, text value)>> const with_value{
        {"--collectives", [&](text o, text v) { result.collectives = choice(o, v, known.collectives); }},
        {"--algorithms", [&](text o, text v) { result.algorithms = choice(o, v, known.algorithms); }},
        {"--implementations", [&](text o, text v) { result.implementations = choice(o, v, known.implementations); }},
        {"--execution", [&](text o, text v) { result.executions = choice(o, v, {"standard", "ready"}); }},
        {"--operators", [&](text o, text v) { result.operators = choice(o, v, known.operators); }},
        {"--bytes",
         [&](text o, text v) {
             result.bytes.clear();
             for (auto const& item : items(v)) { result.bytes.push_back(number(o, item, 1, longest)); }
         }},
        {"--counts", [&](text o, text v) { result.counts = division_named(o, v); }},
        {"--repetitions", [&](text o, text v) { result.repetitions = number(o, v, 1, largest<std::size_t>); }},
        {"--csv", [&](text, text v) { result.csv = v; }},
        {"--ranks", [](text o, text v) { static_cast<void>(number(o, v, 1, largest<std::size_t>)); }},
        {"--gamma",
         [&](text o, text v) {
             require_simulation(o, known);
             result.gamma = number(o, v, 0, largest<double>);
         }},
    };
    std::map<std::string, std::function<void(text option)>> const alone{
        {"--no-data",
         [&](text o) {
             require_simulation(o, known);
             result.with_data = false;
         }},
        {"--help", [&](text) { result.help = true; }},
    };

    for (auto at = arguments.begin(); at != arguments.end(); ++at) {
        auto const equals = at->find('=');
        auto const name = at->substr(0, equals);
        if (auto const flag = alone.find(*at); flag != alone.end()) {
            flag->second(name);
        } else if (auto const option = with_value.find(name); option == with_value.end()) {
            refuse("there is no option " + *at + "; --help lists them");
        } else if (equals != std::string::npos) {
            option->second(name, at->substr(equals + 1));
        } else if (at + 1 != arguments.end()) {
            option->second(name, *++at);
        } else {
            refuse(name + " needs a value");
        }
    }
    return result;
}

}  // namespace tutti::benchmark
