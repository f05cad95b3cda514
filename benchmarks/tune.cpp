// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Measures what the machine costs and what each algorithm that tutti chooses from really takes, and writes both for
// later runs, under mpirun: --help lists the options.

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <mpi.h>

#include <tutti/mpi.hpp>
#include <tutti/tutti.hpp>

#include "collectives/all.hpp"
#include "collectives/contenders.hpp"
#include "collectives/correct.hpp"
#include "collectives/counts.hpp"
#include "collectives/machine.hpp"
#include "collectives/measure.hpp"
#include "collectives/vectors.hpp"
#include "support/on_ranks.hpp"
#include "tune/options.hpp"
#include "tune/report.hpp"
#include "tune/rules.hpp"
#include "tune/trial.hpp"
#include "tune/ways.hpp"

namespace tutti::benchmark::tuning {

/// Everything the command line asks for, one collective after the other.
class session {
public:
    session(options const& asked, ranks const& world)
        : asked_{asked},
          world_{world},
          model_{tutti::measure(MPI_COMM_WORLD)},
          in_{elements(asked.bytes.back()), true},
          out_{elements(asked.bytes.back()), true},
          total_{elements(asked.bytes.back()), true} {}

    /// Whether all results were right, and could be written.
    [[nodiscard]] bool run() {
        if (world_.is_first()) { write(std::cout, model_); }
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
    static std::size_t elements(std::size_t bytes) { return (bytes - 1) / sizeof(double) + 1; }

    template <class Collective>
    void with(Collective) {
        if (!chosen::has(asked_.collectives, Collective::name)) { return; }
        std::vector<finding> found;
        for (auto const bytes : asked_.bytes) {
            auto const n = elements(bytes);
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
        auto const v = vectors_of<Collective>({in_.first(n), out_.first(n), total_.first(n)}, parts,
                                              static_cast<std::size_t>(world_.rank));
        call_parameters now{.size = size(),
                      .bytes = n * sizeof(double),
                      .nodes = communicator_of<MPI_Comm>::get(MPI_COMM_WORLD).nodes()};
        now.adopt(model_, Collective::name);
        now.combine_per_byte = combine_cost<std::plus<>, double>(model_);
        auto [trials, ways] = all_ways<Collective>(now, asked_.segments, v, model_);
        for (auto const& each : ways) {
            // the first run of each is not timed: plans are made, connections opened
            bool const right = world_.all(is_correct<Collective, operator_for<Collective>>(each, world_, v));
            all_correct_ = all_correct_ && right;
            if (!right && world_.is_first()) { std::cerr << each.algorithm << " gives a wrong result" << std::endl; }
        }
        auto const repetitions =
            asked_.repetitions != 0 ? asked_.repetitions : usual_repetitions(now.bytes) / passes + 1;
        for (std::size_t pass = 0; pass != passes; ++pass) {
            auto const seconds = measure(ways, world_, repetitions);
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
    machine::vector in_;
    machine::vector out_;
    machine::vector total_;
    bool all_correct_ = true;
};

/// Before anything is measured.
void check_output(options const& asked, ranks const& world) {
    bool const writable =
        !world.is_first() || asked.output.empty() || std::ofstream{asked.output, std::ios::app}.good();
    if (!world.all(writable)) { throw command_line::refusal{"cannot write the file " + asked.output}; }
}

/// Whether all results were right.
bool run(std::vector<std::string> const& arguments, int rank, int size) {
    auto const asked = read_options(arguments, names_of_collectives());
    if (asked.help) {
        if (rank == 0) { std::cout << usage(names_of_collectives()); }
        return true;
    }
    ranks const world{rank, size, machine::start_line{size}};
    check_output(asked, world);
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
