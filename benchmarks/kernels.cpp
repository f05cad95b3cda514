// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// How fast blocks are combined: tutti::operators::combine against
//   hand   a loop over one operator and one type, with restricted pointers and at -O3
//   copy   memcpy of as many bytes as a combine reads and writes: a bound that memory sets
// All three alternate within one run; each figure is a median.

#include <cstdio>
#include <cstring>
#include <functional>
#include <string>

#include <benchmark/benchmark.h>

#include <tutti/operation/combine.hpp>

#include "support/timing.hpp"

namespace {

namespace timing = tutti::timing;

constexpr std::size_t KiB = 1024;
constexpr std::size_t MiB = 1024 * KiB;

template <class T>
struct shifted {
    T offset;
    T operator()(T const& a, T const& b) const { return a + b + offset; }
};

// GCC takes the level of a function from an attribute; Clang's -O2 vectorises what its -O3 does.
#if defined(__clang__)
#define AT_O3 __attribute__((noinline))
#else
#define AT_O3 __attribute__((noinline, optimize("O3")))
#endif

template <class T, class Op>
AT_O3 void hand_written(Op op, T const* __restrict a, T const* __restrict b, T* __restrict out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) { out[i] = op(a[i], b[i]); }
}
template <class T, class Op>
AT_O3 void hand_written(Op op, T* __restrict a, T const* __restrict b, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) { a[i] = op(a[i], b[i]); }
}

/// Seconds for one combine of one size by tutti, by hand, and of a copy.
struct result {
    std::string name;
    std::size_t bytes;
    std::array<double, 3> seconds;

    [[nodiscard]] double ratio_to(std::size_t other) const { return seconds[0] / seconds[other]; }
};
std::vector<result> results;

template <class T, class Op>
void measure(benchmark::State& state, std::string const& name, Op op, bool in_place, std::size_t bytes) {
    std::size_t const n = bytes / sizeof(T);
    std::vector<T> left(n, T(1));
    std::vector<T> const right(n, T(0.001));
    std::vector<T> out(n, T(1));
    std::vector<char> const from(bytes * 3 / 2, 'x');
    std::vector<char> to(from.size());
    T const* const a = in_place ? out.data() : left.data();
    T const* const b = right.data();
    // called once before: that leaves the caches as the next calls find them
    result const found{
        name, bytes,
        timing::medians_in_turn(
            static_cast<std::size_t>(state.max_iterations), std::max<std::size_t>(1, 4 * MiB / bytes),
            timing::thread_time, [](auto& run) { run(); },
            [&] { tutti::operators::combine(op, a, b, out.data(), n), benchmark::ClobberMemory(); },
            [&] {
                in_place ? hand_written(op, out.data(), b, n) : hand_written(op, a, b, out.data(), n);
                benchmark::ClobberMemory();
            },
            [&] { std::memcpy(to.data(), from.data(), from.size()), benchmark::ClobberMemory(); })};
    for (auto _ : state) { state.SetIterationTime(found.seconds.front()); }
    for (std::size_t i = 0; auto const* const counter : {"tutti_GB/s", "hand_GB/s", "copy_GB/s"}) {
        state.counters[counter] = 3 * static_cast<double>(bytes) / found.seconds[i++] * 1e-9;
    }
    results.push_back(found);
}

template <class T, class Op>
void add(std::string const& name, Op op) {
    struct size {
        std::size_t bytes;
        char const* name;
        int turns;
    };
    for (bool const in_place : {false, true}) {
        auto const full = name + (in_place ? " in place" : " three operands");
        for (auto const& at : {size{4 * KiB, "4KiB", 51}, size{64 * KiB, "64KiB", 51}, size{MiB, "1MiB", 151},
                               size{16 * MiB, "16MiB", 9}}) {
            benchmark::RegisterBenchmark((full + "/" + at.name).c_str(), [=](benchmark::State& state) {
                measure<T>(state, full, op, in_place, at.bytes);
            })->Iterations(at.turns)->UseManualTime();
        }
    }
}

template <class T>
void add_all(std::string const& type) {
    add<T>(type + " plus", std::plus<>{});
    add<T>(type + " stateful", shifted<T>{T(0.5)});
    add<T>(type + " lambda", [](auto a, auto b) { return a + b; });
}

void print_ratios() {
    double worst_hand = 0;
    double worst_copy = 0;
    std::printf("\ntime of tutti::combine at 1 MiB, relative to%-13s hand    copy\n", "");
    for (auto const& r : results) {
        if (r.bytes != MiB) { continue; }
        worst_hand = std::max(worst_hand, r.ratio_to(1));
        worst_copy = std::max(worst_copy, r.ratio_to(2));
        std::printf("%-54s %7.2f %7.2f\n", r.name.c_str(), r.ratio_to(1), r.ratio_to(2));
    }
    if (worst_hand == 0) { return; }
    auto const verdict = [](double worst) { return worst <= 1.10 ? "within 10 %" : "NOT within 10 %"; };
    std::printf("summary: at worst %.2f times the hand-written loop (%s), "
                "%.2f times the copy of the same traffic (%s)\n",
                worst_hand, verdict(worst_hand), worst_copy, verdict(worst_copy));
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) { return 1; }
    add_all<float>("float");
    add_all<double>("double");
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    print_ratios();
}
