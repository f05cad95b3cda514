// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "options.hpp"

/// What is printed in J. Proficz, "Improving all-reduce collective operations for imbalanced process arrival patterns":
/// measured on 48 nodes joined by 1 Gbit/s Ethernet.
namespace tutti::benchmark::arrivals::printed {

inline constexpr std::size_t ranks = 48;
inline constexpr std::array<double, 8> delays{0, 1, 5, 10, 50, 100, 500, 1000};  ///< milliseconds

/// By delay.
using row = std::array<double, delays.size()>;

/// The number for a delay, where there is one.
[[nodiscard]] inline std::optional<double> at(row const& numbers, double delay) {
    auto const found = std::find(delays.begin(), delays.end(), delay);
    if (found == delays.end()) { return std::nullopt; }
    return numbers[static_cast<std::size_t>(found - delays.begin())];
}

/// Table 3: mean elapsed times in ms where one rank is late.
struct times {
    std::string_view algorithm;
    row elapsed;
};

inline constexpr std::size_t bytes_of_table_3 = 1024 * 1024 * sizeof(float);
inline constexpr std::array<times, 4> table_3{{
    {"ring", {67.8, 67.6, 70.1, 75.6, 115.9, 165.5, 558.6, 1047.0}},
    {"Rabenseifner", {76.3, 75.9, 82.9, 85.7, 125.0, 181.6, 572.0, 1061.8}},
    {"sorted_linear_tree", {90.3, 90.3, 89.7, 89.7, 101.0, 149.8, 542.1, 1031.9}},
    {"pre_reduced_ring", {70.9, 70.8, 71.1, 73.0, 101.0, 149.7, 541.7, 1031.5}},
}};

/// Table 4: the pre-reduced ring beside the ring.
struct gain {
    std::string_view mode;
    std::size_t kilofloats;
    row difference;  ///< of mean elapsed times in ms, below 0 where the pre-reduced ring is faster
    row quotient;    ///< above 1 where it is

    [[nodiscard]] constexpr std::size_t bytes() const { return kilofloats * 1024 * sizeof(float); }
};

inline constexpr std::array<gain, 12> table_4{{
    {one_late, 128, {1.0, 1.5, -5.0, -4.1, -4.3, -3.2, -0.9, -0.8}, {0.85, 0.78, 1.53, 1.26, 1.08, 1.03, 1.00, 1.00}},
    {one_late, 512, {-1.0, -0.3, -10.3, -12.6, -16.4, -11.6, -1.5, -1.7},
     {1.04, 1.01, 1.37, 1.41, 1.26, 1.10, 1.00, 1.00}},
    {one_late, 1024, {2.9, 3.7, 1.2, -3.2, -14.1, -15.2, -15.8, -16.0},
     {0.96, 0.95, 0.98, 1.04, 1.14, 1.10, 1.03, 1.02}},
    {one_late, 2048, {7.8, 6.4, 3.4, -1.7, -8.5, -23.9, -27.1, -27.7},
     {0.93, 0.94, 0.97, 1.02, 1.06, 1.13, 1.05, 1.03}},
    {one_late, 4096, {7.6, 6.0, 5.2, 2.8, -20.9, -29.6, -38.1, -46.8},
     {0.96, 0.97, 0.97, 0.99, 1.10, 1.12, 1.06, 1.04}},
    {one_late, 8192, {5.8, 17.0, 13.7, 11.7, -29.0, -52.1, -75.7, -82.1},
     {0.98, 0.95, 0.96, 0.97, 1.08, 1.14, 1.10, 1.07}},
    {rand_late, 128, {1.2, 1.0, -1.1, -1.1, -2.7, -1.0, -0.9, -1.3}, {0.82, 0.85, 1.11, 1.09, 1.09, 1.02, 1.00, 1.00}},
    {rand_late, 512, {2.3, -0.3, -9.5, -9.3, -16.3, -11.5, -2.3, -2.9},
     {0.91, 1.01, 1.37, 1.35, 1.38, 1.18, 1.01, 1.01}},
    {rand_late, 1024, {2.9, 3.8, 1.7, 0.7, -13.0, -13.2, -14.1, -14.5},
     {0.96, 0.95, 0.98, 0.99, 1.17, 1.13, 1.05, 1.03}},
    {rand_late, 2048, {7.1, 8.3, 4.8, 3.0, -8.8, -21.2, -23.9, -24.5},
     {0.94, 0.92, 0.96, 0.97, 1.08, 1.16, 1.07, 1.04}},
    {rand_late, 4096, {6.1, 0.1, 3.2, 5.6, -21.8, -19.0, -42.6, -39.8},
     {0.97, 1.00, 0.98, 0.97, 1.11, 1.09, 1.11, 1.06}},
    {rand_late, 8192, {13.8, 16.3, 6.8, 7.1, 0.4, -34.4, -75.9, -75.1},
     {0.96, 0.95, 0.98, 0.98, 1.00, 1.10, 1.15, 1.10}},
}};

}  // namespace tutti::benchmark::arrivals::printed
