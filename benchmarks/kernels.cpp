// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// How fast blocks are combined: tutti::operators::combine against
//   hand   a loop written for one operator and one type, with restricted pointers and at -O3
//   plain  the same loop with the options of this file
//   copy   memcpy of as many bytes as a combine reads and writes: a bound that memory sets
// All four alternate within one run; each figure is a median.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

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
#define AS_COMPILED __attribute__((noinline))

// Loops by hand: sum and shifted sum, of three blocks and in place.
#define LOOPS(name, attribute)                                                                                        \
    template <class T>                                                                                                \
    struct name {                                                                                                     \
        attribute static void sum(T const* __restrict a, T const* __restrict b, T* __restrict out, std::size_t n) {   \
            for (std::size_t i = 0; i < n; ++i) { out[i] = a[i] + b[i]; }                                             \
        }                                                                                                             \
        attribute static void sum(T* __restrict a, T const* __restrict b, std::size_t n) {                            \
            for (std::size_t i = 0; i < n; ++i) { a[i] = a[i] + b[i]; }                                               \
        }                                                                                                             \
        attribute static void shift(T offset, T const* __restrict a, T const* __restrict b, T* __restrict out,        \
                                    std::size_t n) {                                                                  \
            for (std::size_t i = 0; i < n; ++i) { out[i] = a[i] + b[i] + offset; }                                    \
        }                                                                                                             \
        attribute static void shift(T offset, T* __restrict a, T const* __restrict b, std::size_t n) {                \
            for (std::size_t i = 0; i < n; ++i) { a[i] = a[i] + b[i] + offset; }                                      \
        }                                                                                                             \
    };
LOOPS(hand_written, AT_O3)
LOOPS(plain, AS_COMPILED)
#undef LOOPS

/// By which a block is combined, or copied.
enum implementation : std::size_t { by_tutti, by_hand, by_plain, by_copy };

/// Seconds for one combine of one size by each implementation.
struct result {
    std::string name;
    std::size_t bytes;
    std::array<double, 4> seconds;

    [[nodiscard]] double ratio_to(implementation other) const { return seconds[by_tutti] / seconds[other]; }
};
std::vector<result> results;

template <class T, class Op>
struct bench {
    std::string name;
    Op op;
    bool in_place;
    std::size_t bytes;

    void operator()(benchmark::State& state) const {
        std::size_t const n = bytes / sizeof(T);
        std::vector<T> left(n, T(1));
        std::vector<T> const right(n, T(0.001));
        std::vector<T> out(n, T(1));
        std::vector<char> const from(bytes * 3 / 2, 'x');
        std::vector<char> to(from.size());
        Op own = op;
        T const* const a = in_place ? out.data() : left.data();
        std::array<std::function<void()>, 4> const runs{
            [&] { tutti::operators::combine(own, a, right.data(), out.data(), n), benchmark::ClobberMemory(); },
            [&] { loop<hand_written<T>>(left, right, out), benchmark::ClobberMemory(); },
            [&] { loop<plain<T>>(left, right, out), benchmark::ClobberMemory(); },
            [&] { std::memcpy(to.data(), from.data(), from.size()), benchmark::ClobberMemory(); }};

        std::array<std::vector<double>, 4> times;
        std::size_t const calls = std::max<std::size_t>(1, 4 * MiB / bytes);
        for (std::size_t turn = 0; auto _ : state) {
            // Another one is the first each time: what ran before is no one's advantage.
            for (std::size_t i = 0; i != runs.size(); ++i) {
                auto const at = (turn + i) % runs.size();
                runs[at]();  // leaves the caches as the next calls find them
                times[at].push_back(timing::time_of(calls, timing::thread_time, runs[at]));
            }
            ++turn;
            state.SetIterationTime(times[by_tutti].back());
        }
        result found{name, bytes, {}};
        for (std::size_t i = 0; auto const* const counter : {"tutti_GB/s", "hand_GB/s", "plain_GB/s", "copy_GB/s"}) {
            found.seconds[i] = timing::median(times[i]);
            state.counters[counter] = 3 * static_cast<double>(bytes) / found.seconds[i] * 1e-9;
            ++i;
        }
        results.push_back(found);
    }

    template <class Loops>
    void loop(std::vector<T> const& left, std::vector<T> const& right, std::vector<T>& out) const {
        std::size_t const n = out.size();
        if constexpr (requires { op.offset; }) {
            in_place ? Loops::shift(op.offset, out.data(), right.data(), n)
                     : Loops::shift(op.offset, left.data(), right.data(), out.data(), n);
        } else {
            in_place ? Loops::sum(out.data(), right.data(), n) : Loops::sum(left.data(), right.data(), out.data(), n);
        }
    }
};

template <class T, class Op>
void add(std::string const& name, Op op) {
    struct size {
        std::size_t bytes;
        char const* name;
        int turns;
    };
    constexpr std::array sizes{size{4 * KiB, "4KiB", 51}, size{64 * KiB, "64KiB", 51}, size{MiB, "1MiB", 151},
                               size{16 * MiB, "16MiB", 9}};
    for (bool const in_place : {false, true}) {
        std::string const full = name + (in_place ? " in place" : " three operands");
        for (auto const& at : sizes) {
            bench<T, Op> const one{full, op, in_place, at.bytes};
            benchmark::RegisterBenchmark((full + "/" + at.name).c_str(), one)->Iterations(at.turns)->UseManualTime();
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
    std::printf("\ntime of tutti::combine at 1 MiB, relative to%-13s hand    copy   plain\n", "");
    for (auto const& r : results) {
        if (r.bytes != MiB) { continue; }
        worst_hand = std::max(worst_hand, r.ratio_to(by_hand));
        worst_copy = std::max(worst_copy, r.ratio_to(by_copy));
        std::printf("%-54s %7.2f %7.2f %7.2f\n", r.name.c_str(), r.ratio_to(by_hand), r.ratio_to(by_copy),
                    r.ratio_to(by_plain));
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
