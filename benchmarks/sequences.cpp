// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// What bits that depend on nothing but the elements cost. In one process: reduce_sequence against std::reduce with the
// same operator; and sums without order, of numbers in the caches and of numbers that are not. Over threads:
// all_reduce_sequence against a local std::reduce and an all_reduce of the sums. Both alternate within one run; each
// figure is a median.

#include <cstdio>
#include <functional>
#include <numeric>

#include <tutti/sequences.hpp>
#include <tutti/threads.hpp>

#include "support/timing.hpp"

namespace {

namespace timing = tutti::timing;

constexpr std::size_t repetitions = 31;
constexpr auto nothing = [](auto&) {};
constexpr std::array<std::size_t, 6> lengths{1, 100, 1000, 100'000, 1'000'000, 4'000'000};

template <class T>
void in_one_process(char const* type) {
    for (auto const n : lengths) {
        std::vector<T> const x(n, T(1.25));
        [[maybe_unused]] T volatile sum{};
        auto const [sequence, usual] = timing::medians_in_turn(
            repetitions, 1 + 1'000'000 / n, timing::thread_time, nothing,
            [&] { sum = *tutti::reduce_sequence(x, std::plus<>{}); },
            [&] { sum = std::reduce(x.begin(), x.end(), T{}, std::plus<>{}); });
        std::printf("%-7s %9zu elements %12.3f us %12.3f us %6.2f\n", type, n, sequence * 1e6, usual * 1e6,
                    sequence / usual);
    }
}

/// Other memory is read before each run, where `cold`.
template <class Sum, class T>
void without_order(char const* name, std::size_t n, bool cold) {
    std::vector<T> x(n);
    for (std::size_t i = 0; i != n; ++i) { x[i] = static_cast<T>(i * 2654435761U % 2000) / 1000 - 1; }
    std::vector<char> other(cold ? std::size_t{256} << 20U : 1);
    [[maybe_unused]] T volatile sum{};
    auto const [ours, theirs] = timing::medians_in_turn(
        repetitions, cold ? 1 : 1 + 1'000'000 / n, timing::thread_time,
        [&](auto&) {
            for (std::size_t i = 0; i < other.size(); i += 64) { ++other[i]; }
        },
        [&] {
            Sum all;
            all += x;
            sum = all.value();
        },
        [&] { sum = std::reduce(x.begin(), x.end(), T{}, std::plus<>{}); });
    std::printf("%-14s %9zu %-8s %12.3f us %12.3f us %6.2f\n", name, n, cold ? "cold" : "in cache", ours * 1e6,
                theirs * 1e6, ours / theirs);
}

void over_threads(int ranks) {
    for (auto const n : lengths) {
        tutti::threads::run(ranks, [&](auto& world) {
            std::vector<double> const x(n, 1.25);
            [[maybe_unused]] double volatile sum = 0;
            auto const [sequence, usual] = timing::medians_in_turn(
                repetitions, 1 + 20'000 / n / 20, timing::wall_time, nothing,
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
    for (bool const cold : {false, true}) {
        for (std::size_t const n : {1000U, 1'000'000U}) {
            without_order<tutti::binned_sum<double>, double>("binned double", n, cold);
            without_order<tutti::exact_sum<double>, double>("exact double", n, cold);
            without_order<tutti::binned_sum<float>, float>("binned float", n, cold);
            without_order<tutti::exact_sum<float>, float>("exact float", n, cold);
        }
    }
    over_threads(2);
    over_threads(4);
}
