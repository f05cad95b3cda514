// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// What bits that depend on nothing but the elements cost. In one process: reduce_sequence against std::reduce with the
// same operator. Over four threads: all_reduce_sequence against a local std::reduce and an all_reduce of the sums. Both
// alternate within one run; each figure is a median.

#include <array>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <numeric>
#include <vector>

#include <tutti/collective/sequence.hpp>
#include <tutti/threads.hpp>

#include "support/timing.hpp"

namespace {

namespace timing = tutti::timing;

constexpr int repetitions = 31;
constexpr std::array<std::size_t, 6> lengths{1, 100, 1000, 100'000, 1'000'000, 4'000'000};

/// The medians of both, in seconds.
template <class First, class Second>
std::array<double, 2> alternate(std::size_t calls, double (*clock)(), First first, Second second) {
    std::array<std::vector<double>, 2> times;
    for (int i = 0; i != repetitions; ++i) {
        times[0].push_back(timing::time_of(calls, clock, first));
        times[1].push_back(timing::time_of(calls, clock, second));
    }
    return {timing::median(times[0]), timing::median(times[1])};
}

template <class T>
void in_one_process(char const* type) {
    for (auto const n : lengths) {
        std::vector<T> const x(n, T(1.25));
        [[maybe_unused]] T volatile sum{};
        auto const [sequence, usual] = alternate(
            1 + 1'000'000 / n, timing::thread_time, [&] { sum = *tutti::reduce_sequence(x, std::plus<>{}); },
            [&] { sum = std::reduce(x.begin(), x.end(), T{}, std::plus<>{}); });
        std::printf("%-7s %9zu elements %12.3f us %12.3f us %6.2f\n", type, n, sequence * 1e6, usual * 1e6,
                    sequence / usual);
    }
}

void over_threads(int ranks) {
    for (auto const n : lengths) {
        tutti::threads::run(ranks, [&](auto& world) {
            std::vector<double> const x(n, 1.25);
            [[maybe_unused]] double volatile sum = 0;
            auto const [sequence, usual] = alternate(
                1 + 20'000 / n / 20, timing::wall_time,
                [&] { sum = tutti::all_reduce_sequence(world, x, std::plus<>{}); },
                [&] {
                    sum = tutti::all_reduce(world, std::reduce(x.begin(), x.end(), 0.0, std::plus<>{}), std::plus<>{});
                });
            if (world.rank() == 0) {
                std::printf("%d ranks %9zu doubles each %9.3f us %12.3f us %6.2f\n", ranks, n, sequence * 1e6,
                            usual * 1e6, sequence / usual);
            }
        });
    }
}

}  // namespace

int main() {
    std::printf("%-26s %15s %15s %6s\n", "", "sequence", "usual", "ratio");
    in_one_process<double>("double");
    in_one_process<float>("float");
    in_one_process<long>("long");
    over_threads(2);
    over_threads(4);
}
