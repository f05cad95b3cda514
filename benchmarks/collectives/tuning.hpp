// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/collective/explain.hpp>
#include <tutti/cost/file.hpp>

#include "../support/tables.hpp"
#include "candidates.hpp"
#include "measure.hpp"
#include "rules.hpp"
#include "vectors.hpp"

/// What the machine costs and what each algorithm that tutti chooses from really takes, written for later runs:
/// `./dev bench tune`, which is `collectives --tuning`.
namespace tutti::benchmark::tuning {

/// What the command line asks for. An option that is not given keeps its default.
struct options {
    std::string output;
    std::vector<std::string> collectives = names_of_collectives();
    std::vector<std::size_t> bytes{64, 1024, 8192, 65536, 524288, 4194304};
    std::vector<std::size_t> segments;
    std::size_t repetitions = 0;  ///< 0: by size
};

/// Throws `usage_error` for what it does not understand.
[[nodiscard]] inline options read_options(std::vector<std::string> const& arguments) {
    using namespace command_line;
    options result;
    read(arguments,
         "tune: measures the machine, then every algorithm that tutti chooses from, and writes what it is to know",
         {{"--output", "FILE",
           "for tutti::load_machine: costs, and rules for the sizes for which another\n"
           "algorithm than the one of least expected time is faster by 5 % and more",
           into(result.output)},
          {"--collectives", "reduce,all_reduce,...", "default: all", some_of(result.collectives, result.collectives)},
          {"--bytes", "1024,65536",
           "sizes of the vector each rank holds, rounded up to whole doubles; where every\n"
           "rank has a part, of the whole vector",
           into(result.bytes, bytes_of_vectors)},
          {"--segments", "4096,65536", "also try segments of these bytes (default: only what is expected to be best)",
           into(result.segments, bytes_of_vectors)},
          {"--repetitions", "N", "timed runs of each, three times (default: fewer for larger vectors)",
           into(result.repetitions, {1})},
          number_of_ranks("for ./dev, which starts the ranks; rules are for this number only"),
          {"", "", "collectives: " + listed(result.collectives), {}}});
    for (auto* const sizes : {&result.bytes, &result.segments}) {
        std::sort(sizes->begin(), sizes->end());
        sizes->erase(std::unique(sizes->begin(), sizes->end()), sizes->end());
    }
    return result;
}

/// A line for every algorithm, the fastest first, with a star where it is chosen by costs and a plus if better.
inline void print(std::ostream& out, std::string_view collective, int size, finding const& of) {
    auto const* const better = of.better_choice();
    std::vector<trial const*> order;
    for (auto const& each : of.trials) { order.push_back(&each); }
    std::sort(order.begin(), order.end(), [](auto const* a, auto const* b) { return a->measured() < b->measured(); });
    out << '\n'
        << collective << " of " << of.bytes << " bytes on " << size << " ranks; microseconds\n"
        << "      measured    expected\n";
    auto const number = [](double seconds) { return tables::aligned(tables::formatted("%.2f", seconds * 1e6), 12); };
    for (auto const* each : order) {
        out << (each->expected.chosen ? "* " : each == better ? "+ " : "  ") << number(each->measured())
            << number(each->expected.seconds) << "  " << selection::to_string(each->expected) << '\n';
    }
    out << std::flush;
}

inline void print(std::ostream& out, std::vector<choice_rule> const& rules) {
    out << "\n* is expected to take the least time; + is faster by 5 % and more, always\n";
    if (rules.empty()) { out << "no rules are needed\n"; }
    for (auto const& each : rules) { out << pricing::model_file::line_of(each) << '\n'; }
    out << std::flush;
}

/// What was measured of one collective on vectors of `n` doubles.
template <class Collective>
[[nodiscard]] finding finding_of(options const& asked, ranks const& world, machine_model const& model,
                                 memory const& whole, std::size_t n, bool& all_correct) {
    constexpr std::size_t passes = 3;
    auto const size = static_cast<std::size_t>(world.size);
    counts const parts{division::equal, n, size};
    auto const v = vectors_of<Collective>(whole, n, parts, static_cast<std::size_t>(world.rank));
    auto const now = parameters_of<Collective>(model, size, n, std::plus<>{});
    candidates<Collective> all{now, model};
    all.add_all(asked.segments);
    for (auto const& each : all.contenders) {
        if (world.all(is_correct<Collective, operator_for<Collective>>(each, world, v))) { continue; }
        all_correct = false;
        if (world.is_first()) { std::cerr << each.algorithm << " gives a wrong result" << std::endl; }
    }
    auto const repetitions = asked.repetitions != 0 ? asked.repetitions : usual_repetitions(now.bytes) / passes + 1;
    for (std::size_t pass = 0; pass != passes; ++pass) {
        auto const seconds = measure(all.contenders, world, repetitions, 1, [&] { return v; });
        for (std::size_t i = 0; i != seconds.size(); ++i) { all.trials[i].medians.push_back(seconds[i].median); }
    }
    return {now.bytes, all.trials};
}

/// Whether all results were right.
inline bool run(std::vector<std::string> const& arguments, ranks const& world) {
    auto const asked = read_options(arguments);
    bool const writes = world.is_first() && !asked.output.empty();
    if (!world.all(!writes || std::ofstream{asked.output, std::ios::app}.good())) {
        throw command_line::usage_error{"cannot write the file " + asked.output};
    }
    auto const model = tutti::measure(MPI_COMM_WORLD);
    if (world.is_first()) { pricing::write(std::cout, model); }
    memory const whole{elements_of(asked.bytes.back()), true, true};
    bool all_correct = true;
    auto result = model;
    auto const measure_all = [&]<class Collective>(Collective) {
        if (!chosen::has(asked.collectives, Collective::name)) { return; }
        std::vector<finding> found;
        for (auto const bytes : asked.bytes) {
            auto const n = elements_of(bytes);
            if (!found.empty() && found.back().bytes == n * sizeof(double)) { continue; }
            found.push_back(finding_of<Collective>(asked, world, model, whole, n, all_correct));
            if (world.is_first()) { print(std::cout, Collective::name, world.size, found.back()); }
        }
        for (auto const& each : rules_from(found)) { result.choices.push_back(each); }
    };
    for_each_collective(measure_all);
    if (world.is_first()) {
        print(std::cout, result.choices);
        if (writes) { save(result, asked.output); }
    }
    return all_correct;
}

}  // namespace tutti::benchmark::tuning
