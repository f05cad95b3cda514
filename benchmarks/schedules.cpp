// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// What it costs to generate schedules, beside what the generators promise: --help lists the options.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <tutti/analysis/draw/number.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator.hpp>
#include <tutti/partition.hpp>

#include "chart/chart.hpp"
#include "chart/page.hpp"
#include "explore/generators.hpp"
#include "explore/spelling.hpp"
#include "schedules/promise.hpp"
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
using command_line::refusal;
using generation::promise;

// ---- what is measured ----------------------------------------------------------------------------------------------

/// What was read of a schedule.
struct reading {
    double steps = 0;
    double blocks = 0;  ///< that the steps name, all together
};

/// A generator for one collective, its type forgotten.
struct subject {
    std::string collective;
    std::string name;
    promise made;
    bool waits_for_root;  ///< an all_reduce that looks at each block of the root's steps, on every rank
    bool (*supports)(std::size_t size);
    std::function<std::size_t(std::size_t size, std::size_t bytes)> blocks_for;
    std::function<reading(problem const&)> generate;  ///< the whole schedule of a rank
};

template <class Generator>
inline constexpr bool waits_for_root = false;
template <class... Stages>
inline constexpr bool waits_for_root<chained<Stages...>> = chain_of<Stages...>::overlaps;

/// What is read from the steps ends here, so that no step is left out.
volatile std::size_t sink = 0;

template <class Collective, class Generator>
[[nodiscard]] subject make_subject(Collective, Generator const& generator) {
    auto const name = explore::spelling<Collective, Generator>::of(generator);
    return {
        std::string{Collective::name},
        name,
        generation::promise_of(name, collective::divides<Collective>),
        waits_for_root<Generator>,
        facts_of<Collective, Generator>.supports,
        [generator](std::size_t size, std::size_t bytes) { return blocks_for(Collective{}, generator, size, bytes); },
        [generator](problem const& at) {
            std::size_t sum = 0;
            std::size_t steps = 0;
            std::size_t blocks = 0;
            for (step const& each : generate(Collective{}, generator, at)) {
                sum += each.round + each.peer;
                ++steps;
                for (auto const& range : each.blocks) { blocks += range.last - range.first; }
            }
            sink = sum;
            return reading{static_cast<double>(steps), static_cast<double>(blocks)};
        }};
}

template <class Collective, class... Generators>
void append(std::vector<subject>& to, Collective which, std::tuple<Generators...> const& generators) {
    std::apply([&](auto const&... each) { (to.push_back(make_subject(which, each)), ...); }, generators);
}

/// Every generator that the explorer knows.
[[nodiscard]] std::vector<subject> all_subjects() {
    std::vector<subject> all;
    auto const add = [&](auto... each) { (append(all, each, explore::generators_of(each)), ...); };
    add(collective::reduce{}, collective::broadcast{}, collective::inclusive_scan{}, collective::exclusive_scan{},
        collective::scan_reduce{}, collective::reduce_scatter{}, collective::all_gather{}, collective::scatter{},
        collective::gather{});
    append(all, collective::all_reduce{}, explore::all_reduces_in_parts());
    append(all, collective::all_reduce{}, explore::all_reduces_through_root());
    return all;
}

/// What it costs to generate and read the schedule of one rank: medians over ranks 0, 1, p/2 and p-1; root 0.
struct point {
    std::size_t size;
    std::size_t blocks;
    double work;  ///< steps of the rank; where it waits for the root, the blocks of the root's steps too
    double seconds;
    double peak_bytes;
    double allocations;
};

/// Seconds that this thread has run: another program on the same core does not count.
[[nodiscard]] double thread_time() {
    std::timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Seconds for one schedule that took `best` seconds once: the best of some batches, each long enough for the clock.
[[nodiscard]] double time_of(subject const& of, problem const& at, double best) {
    constexpr double batch = 1e-4;
    constexpr double long_enough = 1e-2;
    for (int turn = 0; turn < 4 && best <= long_enough; ++turn) {
        auto const calls = static_cast<std::size_t>(std::clamp(batch / (best + 1e-9), 1.0, 1000.0));
        auto const start = thread_time();
        for (std::size_t i = 0; i < calls; ++i) { static_cast<void>(of.generate(at)); }
        best = std::min(best, (thread_time() - start) / static_cast<double>(calls));
    }
    return best;
}

[[nodiscard]] point measure(subject const& of, std::size_t size, std::size_t blocks) {
    auto const cut = partition::equal(blocks, blocks);
    std::array<std::array<double, 4>, 4> of_ranks{};  // work, seconds, peak, allocations
    double of_root = 0;
    for (std::size_t i = 0; auto const rank : {std::size_t{0}, std::size_t{1}, size / 2, size - 1}) {
        problem const at{rank, size, 0, cut};
        auto const begin = thread_time();
        count_allocations();
        auto const read = of.generate(at);
        counting = false;
        auto const once = thread_time() - begin;
        if (rank == 0 && of.waits_for_root) { of_root = read.blocks; }
        of_ranks[0][i] = read.steps + of_root;
        of_ranks[2][i] = peak_bytes;
        of_ranks[3][i] = allocations;
        of_ranks[1][i++] = time_of(of, at, once);
    }
    auto const median = [&](std::size_t what) {
        std::sort(of_ranks[what].begin(), of_ranks[what].end());
        return (of_ranks[what][1] + of_ranks[what][2]) / 2;
    };
    return {size, blocks, median(0), median(1), median(2), median(3)};
}

// ---- series: the cost against one of the two numbers that it depends on ---------------------------------------------

/// What the other number is meanwhile. A vector of 32 default segments has 32 blocks in a pipeline; a generator that
/// shares blocks out among the ranks cuts it into as many as it needs.
constexpr std::size_t bytes_meanwhile = 32 * default_segment;
constexpr std::size_t size_meanwhile = 64;

struct variable {
    std::string name;  ///< in files
    std::string letter;
    std::string words;
    std::string meanwhile;
    std::size_t point::*at;
    double promise::*promised;
    std::vector<std::size_t> values;
    std::vector<std::size_t> shown;
};

[[nodiscard]] std::array<variable, 2> variables() {
    return {variable{"size", "p", "number p of ranks", std::to_string(bytes_meanwhile >> 20) + " MiB", &point::size,
                     &promise::ranks, {2, 4, 16, 64, 256, 1024, 4096, 16'384, 65'536, 262'144, 1'000'000},
                     {64, 4096, 65'536, 1'000'000}},
            variable{"blocks", "q", "number q of blocks", std::to_string(size_meanwhile) + " ranks", &point::blocks,
                     &promise::blocks, {1, 3, 10, 30, 100, 300, 1000, 3000, 10'000, 30'000, 100'000},
                     {1, 100, 3000, 100'000}}};
}

/// One point after another, until one takes longer than `budget` seconds.
[[nodiscard]] std::vector<point> measure(subject const& of, variable const& against, std::size_t most, double budget) {
    std::vector<point> result;
    for (auto const value : against.values) {
        bool const ranks = against.at == &point::size;
        if (value > most) { break; }
        if (ranks && !of.supports(value)) { continue; }
        auto const start = thread_time();
        result.push_back(ranks ? measure(of, value, of.blocks_for(value, bytes_meanwhile))
                               : measure(of, size_meanwhile, value));
        if (thread_time() - start > budget) { break; }
    }
    return result;
}

/// The power of x by which y grows over the last two decades of x: the slope of the line through the points on
/// logarithmic axes. Values below `least` count as `least`: a constant part shows no growth.
[[nodiscard]] double growth(std::vector<point> const& points, std::size_t point::*x, double point::*y, double least) {
    double count = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
    for (auto const& each : points) {
        auto const at = static_cast<double>(each.*x);
        if (at < static_cast<double>(points.back().*x) / 101) { continue; }
        auto const log_x = std::log(at);
        auto const log_y = std::log(std::max(each.*y, least));
        count += 1;
        sum_x += log_x;
        sum_y += log_y;
        sum_xx += log_x * log_x;
        sum_xy += log_x * log_y;
    }
    auto const spread = count * sum_xx - sum_x * sum_x;
    return spread > 0 ? (count * sum_xy - sum_x * sum_y) / spread : 0;
}

struct series {
    std::vector<point> points;
    double time;  ///< how it grows
    double memory;
    double allowed;  ///< as promised, or as the steps that the rank takes

    series(std::vector<point> measured, std::size_t point::*against, double promised)
        : points{std::move(measured)},
          time{growth(points, against, &point::seconds, 1e-7)},
          memory{growth(points, against, &point::peak_bytes, 256)},
          allowed{std::max(promised, growth(points, against, &point::work, 1))} {}

    /// Logarithms and caches that become too small make up for a part of the power.
    [[nodiscard]] bool is_kept() const { return std::max(time, memory) <= allowed + 0.4; }
};

struct result {
    subject of;
    std::array<series, 2> against;  ///< each of the variables
};

// ---- how it is shown -----------------------------------------------------------------------------------------------

/// Three digits and a unit: the largest that leaves at least 1 before it.
[[nodiscard]] std::string scaled(double value, double step, std::array<std::string_view, 4> const& units) {
    std::size_t unit = 0;
    for (; value >= step && unit + 1 < units.size(); ++unit) { value /= step; }
    std::ostringstream text;
    text << std::fixed << std::setprecision(value < 9.995 && unit != 0 ? 1 : 0) << value << ' ' << units[unit];
    return text.str();
}

[[nodiscard]] std::string power(std::string const& of, double exponent) {
    std::ostringstream text;
    text << of << '^' << std::fixed << std::setprecision(2) << (std::abs(exponent) < 0.005 ? 0 : exponent);
    return text.str();
}

void print_row(std::ostream& out, variable const& against, subject const& of, series const& one) {
    out << std::left << std::setw(20) << of.name << std::right;
    for (auto const shown : against.shown) {
        auto const at = std::find_if(one.points.begin(), one.points.end(),
                                     [&](point const& each) { return each.*against.at == shown; });
        out << std::setw(10)
            << (at == one.points.end() ? "-" : scaled(at->seconds * 1e9, 1000, {"ns", "us", "ms", "s"}));
    }
    if (one.points.empty()) {
        out << "  no number of ranks that it supports was measured\n";
        return;
    }
    out << std::setw(9) << power(against.letter, one.time) << std::setw(12)
        << scaled(one.points.back().peak_bytes, 1024, {"B", "KiB", "MiB", "GiB"}) << std::setw(9)
        << power(against.letter, one.memory) << std::setw(12) << one.points.back().allocations << std::setw(9)
        << power(against.letter, one.allowed) << "  " << of.made.words << " + steps"
        << (of.waits_for_root ? " + the root's blocks" : "") << (one.is_kept() ? "" : "  ABOVE PROMISE") << '\n';
}

/// A table and two charts for each of the two numbers; charts only if there is a folder for them.
void show(std::ostream& out, std::vector<result> const& of_collective, std::string const& output) {
    auto const& collective = of_collective.front().of.collective;
    for (std::size_t i = 0; auto const& against : variables()) {
        out << collective << ", " << against.meanwhile << ", against the " << against.words << '\n'
            << std::left << std::setw(20) << "  time, then growth" << std::right;
        for (auto const shown : against.shown) { out << std::setw(10) << shown; }
        out << std::setw(9) << "time" << std::setw(12) << "peak" << std::setw(9) << "peak" << std::setw(12)
            << "allocations" << std::setw(9) << "allowed"
            << "  promised\n";
        charts::chart time{"Time to generate a rank's schedule: " + collective + ", " + against.meanwhile,
                           against.words, "seconds", true, true};
        auto memory = time;
        memory.title.replace(0, 4, "Memory");
        memory.y_label = "bytes";
        for (auto const& one : of_collective) {
            auto const& line = one.against[i];
            print_row(out, against, one.of, line);
            bool const dashed = time.series.size() >= draw::palette.size();
            time.series.push_back({.name = one.of.name, .dashed = dashed});
            memory.series.push_back(time.series.back());
            for (auto const& at : line.points) {
                auto const x = static_cast<double>(at.*against.at);
                time.series.back().points.push_back({x, at.seconds});
                memory.series.back().points.push_back({x, std::max(at.peak_bytes, 1.0)});
            }
        }
        out << '\n';
        if (!output.empty()) {
            charts::folder const to{output};
            to.write(collective + "_time_against_" + against.name + ".svg", svg(time));
            to.write(collective + "_memory_against_" + against.name + ".svg", svg(memory));
        }
        ++i;
    }
}

void write_csv(std::ostream& out, std::vector<result> const& all) {
    out << "collective,algorithm,against,size,blocks,work,nanoseconds,peak_bytes,allocations\n";
    for (auto const& each : all) {
        for (std::size_t i = 0; auto const& against : variables()) {
            for (auto const& at : each.against[i].points) {
                out << each.of.collective << ',' << each.of.name << ',' << against.name << ',' << at.size << ','
                    << at.blocks << ',' << draw::number(at.work) << ',' << draw::number(std::round(at.seconds * 1e9))
                    << ',' << draw::number(at.peak_bytes) << ',' << draw::number(at.allocations) << '\n';
            }
            ++i;
        }
    }
    out << std::flush;
}

struct options {
    std::string csv;
    std::string output;
    std::vector<std::string> collectives;
    std::vector<std::string> algorithms;
    std::size_t largest = 1'000'000;  ///< number of ranks
    std::size_t most = 100'000;       ///< number of blocks
    double budget = 0.3;              ///< seconds for a point, before a series ends
    bool help = false;
};

[[nodiscard]] std::vector<command_line::option> table_of(options& to, std::vector<subject> const& all) {
    using namespace command_line;
    std::vector<std::string> collectives;
    std::vector<std::string> algorithms;
    auto const add = [](std::vector<std::string>& names, std::string const& name) {
        if (std::find(names.begin(), names.end(), name) == names.end()) { names.push_back(name); }
    };
    for (auto const& each : all) {
        add(collectives, each.collective);
        add(algorithms, each.name);
    }
    return {
        {"--csv", "FILE", "a row for each point", into(to.csv)},
        {"--output", "DIR", "charts, as SVG", into(to.output)},
        {"--collectives", "NAME,...", "only some, such as reduce,all_gather", some_of(to.collectives, collectives)},
        {"--algorithms", "NAME,...", "only some", some_of(to.algorithms, algorithms)},
        {"--largest", "P", "the greatest number of ranks, 1000000 if not given", into(to.largest, {1})},
        {"--most", "Q", "the greatest number of blocks, 100000 if not given", into(to.most, {1})},
        {"--budget", "SECONDS", "a series ends after a point that takes longer, 0.3 if not given", into(to.budget)},
        {"--help", "", "this text", into(to.help)},
    };
}

void run(std::vector<std::string> const& arguments) {
    auto all = all_subjects();
    options wanted;
    auto const known = table_of(wanted, all);
    command_line::read(arguments, known);
    if (wanted.help) {
        std::cout << "schedules [OPTION...]\n"
                     "Time and memory to generate the schedule of one rank, against the numbers of ranks and blocks.\n"
                  << command_line::usage_of(known);
        return;
    }
    auto const wants = [](std::vector<std::string> const& names, std::string const& name) {
        return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
    };
    std::erase_if(all, [&](subject const& each) {
        return !wants(wanted.collectives, each.collective) || !wants(wanted.algorithms, each.name);
    });
    if (all.empty()) { throw refusal{"no collective has such an algorithm"}; }
    std::ofstream csv;
    if (!wanted.csv.empty()) {
        csv.open(wanted.csv);
        if (!csv) { throw refusal{"the file " + wanted.csv + " cannot be written"}; }
    }
    if (!wanted.output.empty()) { static_cast<void>(charts::folder{wanted.output}); }

    auto const against = variables();
    std::vector<result> done;
    std::size_t above = 0;
    for (std::size_t first = 0, i = 0; i < all.size(); ++i) {
        auto const measured = [&](std::size_t which, std::size_t most) {
            return series{measure(all[i], against[which], most, wanted.budget), against[which].at,
                          all[i].made.*against[which].promised};
        };
        done.push_back({all[i], {measured(0, wanted.largest), measured(1, wanted.most)}});
        for (auto const& each : done.back().against) { above += each.is_kept() ? 0 : 1; }
        if (i + 1 == all.size() || all[i + 1].collective != all[i].collective) {
            show(std::cout, {done.begin() + static_cast<std::ptrdiff_t>(first), done.end()}, wanted.output);
            first = i + 1;
        }
    }
    std::cout << "Time, peak memory and allocations to generate and read the schedule of one rank: medians of ranks 0, "
                 "1,\np/2 and p-1, root 0. Growth over the last two decades measured; peak and allocations at the "
                 "last point; a\nseries ends when a point takes too long (-). Allowed: the most of what is promised "
                 "beside logarithms.\nsummary: "
              << 2 * done.size() << " series, " << above << " above what is promised" << std::endl;
    if (csv.is_open()) { write_csv(csv, done); }
}

}  // namespace

int main(int count, char** values) {
    return command_line::status_of("schedules", [&] { run({values + 1, values + count}); });
}
