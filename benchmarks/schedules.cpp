// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// What it costs to generate schedules, beside what the generators promise, and to plan calls: --help lists the options.
// A name is COLLECTIVE/ALGORITHM/ranks/P, with a vector of 4 MiB, COLLECTIVE/ALGORITHM/blocks/Q, on 64 ranks, or
// COLLECTIVE/plan/BYTES/P, with ranks on nodes of their own; at least one element for each rank that owns a part.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include <tutti/combinator/then.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/node_map.hpp>
#include <tutti/partition.hpp>
#include <tutti/selection/plan_program.hpp>

#include "support/options.hpp"

namespace {

// ---- allocations: what is asked of operator new while they are counted, less what is given back -------------------

bool counting = false;
double held = 0;
double peak_bytes = 0;
double allocations = 0;

void count_allocations() {
    held = peak_bytes = allocations = 0;
    counting = true;
}

/// A block carries its size before it, so that it is known when it is given back.
constexpr std::size_t header = alignof(std::max_align_t);

void* allocate(std::size_t bytes) {
    auto* const block = static_cast<std::byte*>(std::malloc(bytes + header));
    if (block == nullptr) { throw std::bad_alloc{}; }
    new (block) std::size_t{bytes};
    if (counting) {
        ++allocations;
        held += static_cast<double>(bytes);
        peak_bytes = std::max(peak_bytes, held);
    }
    return block + header;
}

void deallocate(void* memory) noexcept {
    if (memory == nullptr) { return; }
    auto* const block = static_cast<std::byte*>(memory) - header;
    if (counting) { held -= static_cast<double>(*std::launder(reinterpret_cast<std::size_t*>(block))); }
    std::free(block);
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes); }
void* operator new[](std::size_t bytes) { return allocate(bytes); }
void operator delete(void* memory) noexcept { deallocate(memory); }
void operator delete[](void* memory) noexcept { deallocate(memory); }
void operator delete(void* memory, std::size_t) noexcept { deallocate(memory); }
void operator delete[](void* memory, std::size_t) noexcept { deallocate(memory); }

namespace {

using namespace tutti;
using namespace tutti::generators;

/// What a generator's documentation says that the schedule of one rank costs, besides its steps: as powers of the
/// number of ranks and of blocks, logarithms left out.
struct promise {
    double ranks = 0;
    double blocks = 0;
};

/// A generator that is not listed promises what the concept asks for: to cost what its rank does. `divides`: in a
/// collective in which every rank owns a part of the vector.
[[nodiscard]] promise promise_of(std::string_view generator, bool divides) {
    static std::set<std::string_view> const by_ranks{
        "overlapped_greedy",  "limited_transfers", "limited_reducers",  "fibonacci", "arrival_ordered",
        "sorted_linear_tree", "pre_reduced_ring",  "front_loaded_ring", "late_rank", "ordered",     "ordered_mesh",
        "multi_lane"};
    static std::set<std::string_view> const by_ranks_and_blocks{"uni_greedy", "bi_greedy"};
    static std::set<std::string_view> const by_ranks_that_own_parts{"split", "round_optimal"};
    if (by_ranks_and_blocks.contains(generator)) { return {1, 1}; }
    if (by_ranks.contains(generator)) { return {1, 0}; }
    if (divides && by_ranks_that_own_parts.contains(generator)) { return {1, 0}; }
    if (generator == "mesh") { return {0.5, 0}; }
    return {};
}

// ---- what is measured ----------------------------------------------------------------------------------------------

/// What was read of a schedule, or of the program made from it.
struct reading {
    std::size_t steps = 0;
    std::size_t blocks = 0;  ///< that the steps name, all together
};

/// A generator for one collective, its type forgotten.
struct erased_generator {
    bool waits_for_root;  ///< an all_reduce that looks at each block of the root's steps, on every rank
    std::function<reading(problem const&)> generate;  ///< the whole schedule of a rank
};

template <class Generator>
inline constexpr bool waits_for_root = false;
template <class... Stages>
inline constexpr bool waits_for_root<chained<Stages...>> = chain_of<Stages...>::overlaps;

template <class Collective, class Generator>
[[nodiscard]] erased_generator make_erased(Collective, Generator const& generator) {
    return {waits_for_root<Generator>, [generator](problem const& at) {
                reading result;
                for (step const& each : generate(Collective{}, generator, at)) {
                    benchmark::DoNotOptimize(each.round + each.peer);
                    ++result.steps;
                    for (auto const& range : each.blocks) { result.blocks += range.last - range.first; }
                }
                return result;
            }};
}

/// The schedules of ranks 0, 1, p/2 and p-1, with root 0.
struct point {
    double number;  ///< of ranks or of blocks
    double work;    ///< steps; where ranks wait for the root, the blocks of the root's steps too
    double seconds;
    double peak_bytes;
};

/// One generator against the number of ranks or that of blocks.
struct series {
    double promised;
    bool has_ended = false;  ///< a point took too long
    std::vector<point> points = {};

    /// The power of the number by which `what` grows over its last two decades: the slope of the line through the
    /// points on logarithmic axes. Values below `least` count as `least`: a constant part shows no growth.
    [[nodiscard]] double growth(double point::*what, double least) const {
        double count = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
        for (auto const& each : points) {
            if (each.number < points.back().number / 101) { continue; }
            auto const x = std::log(each.number);
            auto const y = std::log(std::max(each.*what, least));
            count += 1;
            sum_x += x;
            sum_y += y;
            sum_xx += x * x;
            sum_xy += x * y;
        }
        auto const spread = count * sum_xx - sum_x * sum_x;
        return spread > 0 ? (count * sum_xy - sum_x * sum_y) / spread : 0;
    }
};

/// By the first parts of their names.
std::map<std::string, series> all_series;

/// `read(rank)` is what is measured.
template <class Read>
void measure(benchmark::State& state, series const& to, std::size_t size, bool waits_for_root, Read read) {
    if (to.has_ended) { return state.SkipWithError("a smaller one took too long"); }
    std::array const ranks{std::size_t{0}, std::size_t{1}, size / 2, size - 1};
    double work = 0;
    double peak = 0;
    double all_allocations = 0;
    for (auto const rank : ranks) {
        count_allocations();
        reading const found = read(rank);
        counting = false;
        work += static_cast<double>(found.steps);
        if (rank == 0 && waits_for_root) { work += 4 * static_cast<double>(found.blocks); }
        peak = std::max(peak, peak_bytes);
        all_allocations += allocations;
    }
    for (auto _ : state) {
        for (auto const rank : ranks) { static_cast<void>(read(rank)); }
    }
    state.counters["work"] = work;
    state.counters["peak_bytes"] = peak;
    state.counters["allocations"] = all_allocations;
}

void measure_schedules(benchmark::State& state, erased_generator const& of, series const& to, std::size_t size,
                       std::size_t blocks) {
    auto const cut = partition::equal(blocks, blocks);
    measure(state, to, size, of.waits_for_root, [&](std::size_t rank) { return of.generate({rank, size, 0, cut}); });
}

/// Calls that name no algorithm, with doubles whose sum commutes.
template <class Collective>
void measure_plans(benchmark::State& state, series const& to, std::size_t size, std::size_t bytes) {
    selection::call_kind kind{.collective = Collective::name, .element = "double", .element_bytes = sizeof(double)};
    auto const nodes = node_map::of_width(1);
    auto const elements = std::max(bytes / sizeof(double), collective::divides<Collective> ? size : 1);
    measure(state, to, size, false, [&](std::size_t rank) {
        selection::planned_call const call{
            .kind = &kind, .rank = rank, .size = size, .elements = elements, .nodes = &nodes};
        return reading{selection::plan_program<Collective>(call).instructions.size()};
    });
}

// ---- what is shown -------------------------------------------------------------------------------------------------

/// Keeps what is shown, and shows nothing of points that were left out.
class keeping_reporter : public benchmark::ConsoleReporter {
public:
    explicit keeping_reporter(double budget) : ConsoleReporter{OO_Tabular}, budget_{budget} {}

    void ReportRuns(std::vector<Run> const& runs) override {
        if (runs.front().error_occurred) { return; }
        for (auto const& run : runs) {
            auto& to = all_series.at(run.run_name.function_name);
            auto const seconds = run.cpu_accumulated_time / static_cast<double>(run.iterations);
            to.points.push_back(
                {std::stod(run.run_name.args), run.counters.at("work"), seconds, run.counters.at("peak_bytes")});
            to.has_ended = to.has_ended || seconds > budget_;
        }
        ConsoleReporter::ReportRuns(runs);
    }

private:
    double budget_;
};

/// Series that grow faster than was promised and than the steps that ranks take. Logarithms, and caches that become too
/// small, make up for a part of the power.
void print_summary() {
    std::size_t above = 0;
    for (auto const& [name, one] : all_series) {
        auto const time = one.growth(&point::seconds, 4e-7);
        auto const memory = one.growth(&point::peak_bytes, 256);
        auto const allowed = std::max(one.promised, one.growth(&point::work, 1));
        if (std::max(time, memory) <= allowed + 0.4) { continue; }
        std::printf("ABOVE PROMISE: %s: time grows by the power %.2f, memory by %.2f, allowed is %.2f\n", name.c_str(),
                    time, memory, allowed);
        ++above;
    }
    std::printf("summary: %zu series, %zu above what is promised\n", all_series.size(), above);
}

// ---- what is asked for ---------------------------------------------------------------------------------------------

struct options {
    std::size_t largest = 1'048'576;  ///< number of ranks
    std::size_t most = 100'000;       ///< number of blocks
    double budget = 1;                ///< seconds for a point, before a series ends
};

void register_series(std::string const& name, double promised, std::vector<std::size_t> const& numbers,
                     std::function<void(benchmark::State&, series const&)> const& run) {
    auto const& to = all_series.emplace(name, series{promised}).first->second;
    auto* const all = benchmark::RegisterBenchmark(name.c_str(), [run, &to](benchmark::State& at) { run(at, to); });
    for (auto const each : numbers) { all->Arg(static_cast<std::int64_t>(each)); }
}

template <class Collective>
void register_all(Collective which, options const& wanted) {
    constexpr std::size_t bytes_meanwhile = 4 << 20;
    constexpr std::size_t size_meanwhile = 64;
    for_each_algorithm(which, [&]<class A>(A const& algorithm) {
        auto const generator = algorithm_for(which, algorithm);
        auto const of = make_erased(which, generator);
        std::string const algorithm_name{name_of_algorithm<A>()};
        auto const name = std::string{Collective::name} + '/' + algorithm_name;
        auto const promised = promise_of(algorithm_name, collective::divides<Collective>);
        std::vector<std::size_t> ranks{2, 4, 16, 64, 256, 1024, 4096, 16'384, 65'536, 262'144, 1'000'000};
        std::erase_if(ranks, [&](std::size_t size) {
            return size > wanted.largest || !facts_about(which, generator).supports(size);
        });
        std::vector<std::size_t> blocks{1, 3, 10, 30, 100, 300, 1000, 3000, 10'000, 30'000, 100'000};
        std::erase_if(blocks, [&](std::size_t count) { return count > wanted.most; });
        register_series(name + "/ranks", promised.ranks, ranks, [=](benchmark::State& state, series const& to) {
            auto const size = static_cast<std::size_t>(state.range());
            measure_schedules(state, of, to, size, blocks_for(which, generator, size, bytes_meanwhile));
        });
        register_series(name + "/blocks", promised.blocks, blocks, [=](benchmark::State& state, series const& to) {
            measure_schedules(state, of, to, size_meanwhile, static_cast<std::size_t>(state.range()));
        });
    });
}

template <class Collective>
void register_plans(Collective, options const& wanted) {
    std::vector<std::size_t> ranks{2, 16, 256, 4096, 131'072, 1'048'576};
    std::erase_if(ranks, [&](std::size_t size) { return size > wanted.largest; });
    for (std::size_t const bytes : {std::size_t{8}, std::size_t{65'536}, std::size_t{16} << 20U}) {
        register_series(std::string{Collective::name} + "/plan/" + std::to_string(bytes), 0, ranks,
                        [=](benchmark::State& state, series const& to) {
                            measure_plans<Collective>(state, to, static_cast<std::size_t>(state.range()), bytes);
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
    using namespace collective;
    auto const add = [&](auto... each) { ((register_all(each, wanted), register_plans(each, wanted)), ...); };
    add(reduce{}, broadcast{}, inclusive_scan{}, exclusive_scan{}, scan_reduce{}, reduce_scatter{}, all_gather{},
        scatter{}, gather{}, all_reduce{});
    keeping_reporter shown{wanted.budget};
    if (benchmark::RunSpecifiedBenchmarks(&shown) == 0) { throw usage_error{"no benchmark has such a name"}; }
    std::erase_if(all_series, [](auto const& each) { return each.second.points.empty(); });
    print_summary();
}

}  // namespace

int main(int count, char** values) {
    // Google Benchmark's own options are told by how they begin. Each of some thousand points takes little time.
    std::string seconds = "--benchmark_min_time=0.002";
    std::vector<char*> for_google{values[0], seconds.data()};
    std::vector<std::string> own;
    for (auto* const each : std::vector<char*>{values + 1, values + count}) {
        if (std::string_view{each}.starts_with("--benchmark_")) {
            for_google.push_back(each);
        } else {
            own.emplace_back(each);
        }
    }
    auto number = static_cast<int>(for_google.size());
    benchmark::Initialize(&number, for_google.data());
    if (benchmark::ReportUnrecognizedArguments(number, for_google.data())) { return command_line::refused; }
    return command_line::status_of("schedules", [&] { run(own); });
}
