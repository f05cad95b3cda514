// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// What automatic choice costs: the time of what tutti chooses beside that of the fastest that it chooses from, one row
// a call; or what reproducible bits cost, beside the fastest that keeps the order of operands; or the times of calls
// for which there are formulas. For SMPI, on one simulated cluster; ./run starts it on several.

#include <algorithm>
#include <cstddef>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <mpi.h>

#include <tutti/collective/explain.hpp>
#include <tutti/mpi.hpp>
#include <tutti/tutti.hpp>

#include "../collectives/contenders.hpp"
#include "../collectives/machine.hpp"
#include "../collectives/measure.hpp"
#include "../collectives/vectors.hpp"
#include "../support/on_ranks.hpp"
#include "../support/options.hpp"
#include "../tune/ways.hpp"

namespace tutti::benchmark::regret {

struct options {
    std::string platform;
    std::vector<std::string> collectives = names_of_collectives();
    std::vector<std::size_t> bytes{8, 4096, 65536, 1048576};
    double gamma = 0;  ///< seconds per byte
    bool reproducible = false;
    bool formulas = false;
};

[[nodiscard]] options read_options(std::vector<std::string> const& arguments) {
    using namespace command_line;
    options result;
    std::vector<option> const known{
        {"--platform", "NAME", "the first column", into(result.platform)},
        {"--collectives", "reduce,...", "default: all", some_of(result.collectives, result.collectives)},
        {"--bytes", "8,4096,...", "size of the vector, as in ./dev bench collectives",
         into(result.bytes, bytes_of_vectors)},
        {"--gamma", "SECONDS_PER_BYTE", "what combining costs", into(result.gamma)},
        {"--reproducible", "", "what reproducible chooses, beside all that keeps the order of operands",
         into(result.reproducible)},
        {"--formulas", "", "times of the calls in test/selection/simulated_calls.hpp", into(result.formulas)},
    };
    read(arguments, "regret: rows for one simulated cluster", known);
    return result;
}

template <class Collective, class Op>
[[nodiscard]] machine_model measured_model(Op& combined) {
    if constexpr (collective::combines<Collective>) {
        return tutti::measure(MPI_COMM_WORLD, combining<double>(combined));
    } else {
        return tutti::measure(MPI_COMM_WORLD);
    }
}

template <class Collective>
void row_of(options const& asked, ranks const& world, std::size_t bytes) {
    using op = tuning::operator_for<Collective>;
    cost const each{asked.gamma, true};
    auto const size = static_cast<std::size_t>(world.size);
    auto const n = elements_of(bytes);
    memory const whole{n, true, true};
    counts const parts{division::equal, n, size};
    auto const v = vectors_of<Collective>(whole, n, parts, static_cast<std::size_t>(world.rank));

    auto combined = operator_for_tutti<op>(each);
    auto const model = measured_model<Collective>(combined);
    auto const now = tuning::parameters_of<Collective>(model, size, n, combined);
    auto [trials, contenders] = [&] {
        if constexpr (collective::combines<Collective>) {
            if (asked.reproducible) { return tuning::ways_in_order<Collective>(now, model, each); }
        }
        return tuning::all_ways<Collective>(now, {}, model, each);
    }();
    own_communicator const own{model};
    contenders.push_back({asked.reproducible ? "reproducible" : "automatic", "tutti", [&](vectors const& v) {
                              if (asked.reproducible) {
                                  by_tutti::call(Collective{}, own.get(), v, combined, reproducible{});
                              } else {
                                  by_tutti::call(Collective{}, own.get(), v, combined, automatic{});
                              }
                          }});
    for (auto const& one : contenders) {
        // the first run of each is not timed: plans are made, connections opened
        if (!world.all(is_correct<Collective, op>(one, world, v))) {
            throw std::runtime_error{std::string{Collective::name} + " by " + one.algorithm + " gives a wrong result"};
        }
    }
    auto const seconds = measure(contenders, world, 1, [&] { return v; });
    if (!world.is_first()) { return; }

    auto const in_words = [&](std::size_t i) {
        auto result = selection::to_string(trials[i].expected);
        std::replace(result.begin(), result.end(), ',', ';');  // it is one column
        return result;
    };
    std::size_t best = 0;
    std::size_t chosen = 0;
    for (std::size_t i = 0; i != trials.size(); ++i) {
        if (seconds[i].median < seconds[best].median) { best = i; }
        if (trials[i].expected.chosen) { chosen = i; }
    }
    std::cout << asked.platform << ',' << size << ',' << Collective::name << ',' << n * sizeof(double) << ','
              << asked.gamma << ',' << in_words(chosen) << ',' << seconds.back().median * 1e6 << ','
              << in_words(best) << ',' << std::min(seconds[best].median, seconds.back().median) * 1e6 << std::endl;
}

/// A row of test/selection/simulated_times.hpp.
template <class Collective, class Generator>
void time_of(ranks const& world, std::string const& call, Collective, std::size_t bytes, double combine_ns,
             Generator const& generator) {
    using op = tuning::operator_for<Collective>;
    auto const n = elements_of(bytes);
    memory const whole{n, true, true};
    counts const parts{division::equal, n, static_cast<std::size_t>(world.size)};
    auto const v = vectors_of<Collective>(whole, n, parts, static_cast<std::size_t>(world.rank));
    auto combined = operator_for_tutti<op>({combine_ns * 1e-9, true});
    own_communicator const own{measured_model<Collective>(combined)};
    contender const one{call, "tutti",
                        [&](vectors const& on) { by_tutti::call(Collective{}, own.get(), on, combined, generator); }};
    if (!world.all(is_correct<Collective, op>(one, world, v))) { throw std::runtime_error{call + ": wrong result"}; }
    auto const seconds = measure({one}, world, 1, [&] { return v; });
    if (world.is_first()) { std::cout << "{\"" << call << "\", " << seconds.front().median * 1e6 << "}," << std::endl; }
}

void times_for_formulas(std::string const& platform, ranks const& world) {
#define TUTTI_CALL(network, p, bytes, combine_ns, which, ...)                                                          \
    if (platform == #network && world.size == p) {                                                                     \
        time_of(world, #network "," #p "," #bytes "," #combine_ns "," #which "," #__VA_ARGS__, collective::which{},    \
                bytes, combine_ns, __VA_ARGS__);                                                                       \
    }
#include "../../test/selection/simulated_calls.hpp"
#undef TUTTI_CALL
}

bool run(std::vector<std::string> const& arguments, int rank, int size) {
    auto const asked = read_options(arguments);
    ranks const world{rank, size, machine::start_line{size}};
    std::cout << std::setprecision(6);
    if (asked.formulas) { return times_for_formulas(asked.platform, world), true; }
    auto const rows = [&]<class Collective>(Collective) {
        if (!chosen::has(asked.collectives, Collective::name)) { return; }
        for (auto const bytes : asked.bytes) { row_of<Collective>(asked, world, bytes); }
    };
    std::apply([&](auto... each) { (rows(each), ...); }, collectives{});
    return true;
}

}  // namespace tutti::benchmark::regret

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto const status = tutti::command_line::status_on_ranks("regret", [&](int rank, int size) {
        return tutti::benchmark::regret::run({argv + 1, argv + argc}, rank, size);
    });
    MPI_Finalize();
    return status;
}
