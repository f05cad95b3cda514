// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Measures what the machine costs and what each algorithm that tutti chooses from really takes, and writes both for
// later runs, under mpirun: --help lists the options.

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <mpi.h>

#include <tutti/collective/explain.hpp>
#include <tutti/cost/file.hpp>
#include <tutti/mpi.hpp>
#include <tutti/tutti.hpp>

#include "collectives/contenders.hpp"
#include "collectives/machine.hpp"
#include "collectives/measure.hpp"
#include "collectives/vectors.hpp"
#include "support/on_ranks.hpp"
#include "support/options.hpp"
#include "tune/rules.hpp"
#include "tune/ways.hpp"

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
[[nodiscard]] options read_options(std::vector<std::string> const& arguments) {
    using namespace command_line;
    options result;
    std::vector<option> const known{
        {"--output", "FILE",
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
        {"", "", "collectives: " + listed(result.collectives), {}},
    };
    read(arguments,
         "tune: measures the machine, then every algorithm that tutti chooses from, and writes what it is to know",
         known);
    for (auto* const sizes : {&result.bytes, &result.segments}) {
        std::sort(sizes->begin(), sizes->end());
        sizes->erase(std::unique(sizes->begin(), sizes->end()), sizes->end());
    }
    return result;
}

/// A line for every algorithm, the fastest first, with a star where it is chosen by costs and a plus if better.
void print(std::ostream& out, std::string_view collective, std::size_t size, finding const& of) {
    auto const* const better = of.better_choice();
    std::vector<trial const*> order;
    for (auto const& each : of.trials) { order.push_back(&each); }
    std::sort(order.begin(), order.end(), [](auto const* a, auto const* b) { return a->measured() < b->measured(); });
    out << '\n'
        << collective << " of " << of.bytes << " bytes on " << size << " ranks; microseconds\n"
        << "      measured    expected\n"
        << std::fixed << std::setprecision(2);
    for (auto const* each : order) {
        out << (each->expected.chosen ? "* "
                : each == better      ? "+ "
                                      : "  ")
            << std::setw(12) << each->measured() * 1e6 << std::setw(12) << each->expected.seconds * 1e6 << "  "
            << selection::to_string(each->expected) << '\n';
    }
    out << std::flush;
}

void print(std::ostream& out, std::vector<choice_rule> const& rules) {
    out << "\n* is expected to take the least time; + is faster by 5 % and more, always\n";
    if (rules.empty()) { out << "no rules are needed\n"; }
    for (auto const& each : rules) { out << pricing::model_file::line_of(each) << '\n'; }
    out << std::flush;
}

/// Everything the command line asks for, one collective after the other.
class session {
public:
    session(options const& asked, ranks const& world)
        : asked_{asked},
          world_{world},
          model_{tutti::measure(MPI_COMM_WORLD)},
          memory_{elements_of(asked.bytes.back()), true, true} {}

    /// Whether all results were right, and could be written.
    [[nodiscard]] bool run() {
        if (world_.is_first()) { pricing::write(std::cout, model_); }
        std::apply([this](auto... each) { (with(each), ...); }, collectives{});
        if (world_.is_first()) {
            print(std::cout, rules_);
            auto result = model_;
            result.choices = rules_;
            if (!asked_.output.empty()) { save(result, asked_.output); }
        }
        return all_correct_;
    }

private:
    template <class Collective>
    void with(Collective) {
        if (!chosen::has(asked_.collectives, Collective::name)) { return; }
        std::vector<finding> found;
        for (auto const bytes : asked_.bytes) {
            auto const n = elements_of(bytes);
            if (!found.empty() && found.back().bytes == n * sizeof(double)) { continue; }
            found.push_back({n * sizeof(double), timed<Collective>(n)});
            if (world_.is_first()) { print(std::cout, Collective::name, size(), found.back()); }
        }
        if (!world_.is_first()) { return; }
        auto const rules = rules_from(found);
        rules_.insert(rules_.end(), rules.begin(), rules.end());
    }

    template <class Collective>
    [[nodiscard]] std::vector<trial> timed(std::size_t n) {
        counts const parts{division::equal, n, size()};
        auto const v = vectors_of<Collective>(memory_, n, parts, static_cast<std::size_t>(world_.rank));
        auto const now = parameters_of<Collective>(model_, size(), n, std::plus<>{});
        auto [trials, ways] = all_ways<Collective>(now, asked_.segments, model_);
        for (auto const& each : ways) {
            // the first run of each is not timed: plans are made, connections opened
            bool const right = world_.all(is_correct<Collective, operator_for<Collective>>(each, world_, v));
            all_correct_ = all_correct_ && right;
            if (!right && world_.is_first()) { std::cerr << each.algorithm << " gives a wrong result" << std::endl; }
        }
        auto const repetitions =
            asked_.repetitions != 0 ? asked_.repetitions : usual_repetitions(now.bytes) / passes + 1;
        for (std::size_t pass = 0; pass != passes; ++pass) {
            auto const seconds = measure(ways, world_, repetitions, [&] { return v; });
            for (std::size_t i = 0; i != trials.size(); ++i) { trials[i].medians.push_back(seconds[i].median); }
        }
        return trials;
    }

    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(world_.size); }

    static constexpr std::size_t passes = 3;

    options const& asked_;
    ranks const& world_;
    machine_model const model_;
    std::vector<choice_rule> rules_{};  // on rank 0, and no part of what is in use
    memory memory_;
    bool all_correct_ = true;
};

/// Whether all results were right.
bool run(std::vector<std::string> const& arguments, int rank, int size) {
    auto const asked = read_options(arguments);
    ranks const world{rank, size, machine::start_line{size}};
    bool const writable = rank != 0 || asked.output.empty() || std::ofstream{asked.output, std::ios::app}.good();
    if (!world.all(writable)) { throw command_line::usage_error{"cannot write the file " + asked.output}; }
    return session{asked, world}.run();
}

}  // namespace tutti::benchmark::tuning

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto const status = tutti::command_line::status_on_ranks(
        "", [&](int rank, int size) { return tutti::benchmark::tuning::run({argv + 1, argv + argc}, rank, size); });
    MPI_Finalize();
    return status;
}
