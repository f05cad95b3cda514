// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// What it costs to generate schedules, and to plan calls: --help lists the options. A name is
// COLLECTIVE/ALGORITHM/ranks/P, with a vector of 4 MiB, COLLECTIVE/ALGORITHM/blocks/Q, on 64 ranks, or
// COLLECTIVE/plan/BYTES/P, with ranks on nodes of their own; at least one element for each rank that owns a part.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include <tutti/generator/all.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/node_map.hpp>
#include <tutti/partition.hpp>
#include <tutti/selection/candidates/all.hpp>
#include <tutti/selection/plan_program.hpp>

#include "../test/support/allocations.hpp"
#include "support/each_collective.hpp"
#include "support/options.hpp"
#include "support/timing.hpp"

namespace {

using namespace tutti;
using namespace tutti::generators;

struct options {
    std::size_t largest = 1'048'576;  ///< number of ranks
    std::size_t most = 100'000;       ///< number of blocks
    double budget = 1;                ///< seconds for a point, before a series ends
};

/// The steps of one rank's schedule, all of them generated.
template <class Collective, class Generator>
[[nodiscard]] std::size_t steps_of(Collective which, Generator const& generator, problem const& at) {
    std::size_t result = 0;
    for (step const& each : generate(which, generator, at)) {
        benchmark::DoNotOptimize(each.round + each.peer);
        ++result;
    }
    return result;
}

/// Ranks 0, 1, p/2 and p-1, with root 0. `steps_of(rank)` is what is measured. The time is fitted to a power of their
/// steps, since a generator promises to cost what its rank does: O(1) to O(N lg N) for most.
void measure(benchmark::State& state, std::size_t size, std::function<std::size_t(std::size_t rank)> const& steps_of) {
    std::array const ranks{std::size_t{0}, std::size_t{1}, size / 2, size - 1};
    std::size_t work = 0;
    std::ptrdiff_t peak = 0;
    auto const allocations = support::allocations;
    for (auto const rank : ranks) {
        auto const held = support::peak_bytes = support::held_bytes;
        work += steps_of(rank);
        peak = std::max(peak, support::peak_bytes - held);
    }
    state.counters["work"] = static_cast<double>(work);
    state.counters["peak_bytes"] = static_cast<double>(peak);
    state.counters["allocations"] = static_cast<double>(support::allocations - allocations);
    for (auto _ : state) {
        for (auto const rank : ranks) { static_cast<void>(steps_of(rank)); }
    }
    state.SetComplexityN(static_cast<std::int64_t>(std::max<std::size_t>(work, 1)));
}

/// Shows nothing of points that were left out.
class points_reporter : public benchmark::ConsoleReporter {
public:
    points_reporter() : ConsoleReporter{OO_Tabular} {}

    void ReportRuns(std::vector<Run> const& runs) override {
        if (runs.front().error_occurred) { return; }
        series_.insert(runs.front().run_name.function_name);
        ConsoleReporter::ReportRuns(runs);
    }
    [[nodiscard]] std::size_t series() const { return series_.size(); }

private:
    std::set<std::string> series_;
};

/// A point for each of `numbers`; one that takes longer than the budget is the last.
void register_series(std::string const& name, options const& wanted, std::vector<std::size_t> numbers, std::size_t most,
                     std::function<void(benchmark::State&, std::size_t number)> const& run) {
    std::erase_if(numbers, [&](std::size_t number) { return number > most; });
    auto const point = [run, budget = wanted.budget, has_ended = std::make_shared<bool>()](benchmark::State& state) {
        if (*has_ended) { return state.SkipWithError("a smaller one took too long"); }
        auto const begun = timing::thread_time();
        run(state, static_cast<std::size_t>(state.range()));
        *has_ended = timing::thread_time() - begun > budget * static_cast<double>(state.iterations() + 1);
    };
    auto* const all = benchmark::RegisterBenchmark(name.c_str(), point);
    for (auto const each : numbers) { all->Arg(static_cast<std::int64_t>(each)); }
    all->Complexity();
}

template <class Collective>
void register_all(Collective which, options const& wanted) {
    constexpr std::size_t bytes_meanwhile = 4 << 20;
    constexpr std::size_t size_meanwhile = 64;
    for_each_algorithm(which, [&]<class A>(A const& algorithm) {
        auto const generator = algorithm_for(which, algorithm);
        auto const name = std::string{Collective::name} + '/' + std::string{name_of_algorithm<A>()};
        auto const measure_at = [=](benchmark::State& state, std::size_t size, std::size_t blocks) {
            auto const cut = partition::equal(blocks, blocks);
            measure(state, size, [&](std::size_t rank) { return steps_of(which, generator, {rank, size, 0, cut}); });
        };
        std::vector<std::size_t> ranks{2, 4, 16, 64, 256, 1024, 4096, 16'384, 65'536, 262'144, 1'000'000};
        std::erase_if(ranks, [&](std::size_t size) { return !facts_about(which, generator).supports(size); });
        register_series(name + "/ranks", wanted, ranks, wanted.largest, [=](benchmark::State& state, std::size_t size) {
            measure_at(state, size, blocks_for(which, generator, size, bytes_meanwhile));
        });
        register_series(name + "/blocks", wanted, {1, 3, 10, 30, 100, 300, 1000, 3000, 10'000, 30'000, 100'000},
                        wanted.most, [=](benchmark::State& state, std::size_t blocks) {
                            measure_at(state, size_meanwhile, blocks);
                        });
    });
}

/// Calls that name no algorithm, with doubles whose sum commutes.
template <class Collective>
void register_plans(Collective, options const& wanted) {
    for (std::size_t const bytes : {std::size_t{8}, std::size_t{65'536}, std::size_t{16} << 20U}) {
        register_series(
            std::string{Collective::name} + "/plan/" + std::to_string(bytes), wanted,
            {2, 16, 256, 4096, 131'072, 1'048'576}, wanted.largest, [=](benchmark::State& state, std::size_t size) {
                selection::call_kind kind{
                    .collective = Collective::name, .element = "double", .element_bytes = sizeof(double)};
                auto const nodes = node_map::of_width(1);
                auto const elements = std::max(bytes / sizeof(double), collective::divides<Collective> ? size : 1);
                measure(state, size, [&](std::size_t rank) {
                    selection::planned_call const call{
                        .kind = &kind, .rank = rank, .size = size, .elements = elements, .nodes = &nodes};
                    return selection::plan_program<Collective>(call).instructions.size();
                });
            });
    }
}

void run(std::vector<std::string> const& arguments) {
    using namespace command_line;
    options wanted;
    read(arguments,
         "schedules [OPTION...] [--benchmark_filter=REGEX] [--benchmark_out=FILE] ...\n"
         "Time and memory to generate schedules, of ranks 0, 1, p/2 and p-1, against the numbers of ranks and blocks,\n"
         "and to plan calls that name no algorithm: --benchmark_filter=/plan/",
         {{"--largest", "P", "the greatest number of ranks, 2^20 if not given", into(wanted.largest, {1})},
          {"--most", "Q", "the greatest number of blocks, 100000 if not given", into(wanted.most, {1})},
          {"--budget", "SECONDS", "a series ends after a point that takes longer, 1 if not given",
           into(wanted.budget)}});
    for_each_collective([&](auto each) { register_all(each, wanted), register_plans(each, wanted); });
    points_reporter shown;
    if (benchmark::RunSpecifiedBenchmarks(&shown) == 0) { throw usage_error{"no benchmark has such a name"}; }
    std::printf("summary: %zu series\n", shown.series());
}

}  // namespace

int main(int count, char** values) {
    // Google Benchmark's own options are told by how they begin. Each of some thousand points takes little time.
    std::string seconds = "--benchmark_min_time=0.002";
    std::vector<char*> for_google{values[0], seconds.data()};
    std::vector<std::string> own;
    for (auto* const each : std::vector<char*>{values + 1, values + count}) {
        std::string_view{each}.starts_with("--benchmark_") ? for_google.push_back(each) : own.push_back(each);
    }
    auto number = static_cast<int>(for_google.size());
    benchmark::Initialize(&number, for_google.data());
    if (benchmark::ReportUnrecognizedArguments(number, for_google.data())) { return command_line::refused; }
    return command_line::status_of("schedules", [&] { run(own); });
}
