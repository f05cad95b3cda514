// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::benchmark::guidelines {

/// What `left` should take no longer than: a call, or several one after the other, a;b.
struct guideline {
    std::string_view name;
    std::string_view left;
    std::string_view right;
};

inline constexpr std::string_view equal_counts = " by equal counts";
inline constexpr std::string_view all_at_root = " by counts with all at the root";

/// Self-consistent performance guidelines of calls that name no algorithm, on vectors of one length. The vectors of a
/// composition's calls lie in one memory: nothing is copied.
/// Sources: Träff, Gropp and Thakur, Self-consistent MPI performance guidelines, 2010; Hunold and Carpen-Amarie, Tuning
/// MPI collectives by verifying performance guidelines (PGMPITuneLib), 2018.
inline constexpr std::array<guideline, 31> all_guidelines{{
    {"composed", "all_gather", "gather;broadcast"},
    {"by counts", "all_gather", "all_gather by equal counts"},
    {"of zeros", "all_gather", "all_reduce"},
    {"all to all", "all_gather", "alltoall of the parts"},
    {"composed", "all_reduce", "reduce;broadcast"},
    {"composed", "all_reduce", "reduce_scatter;all_gather"},
    {"composed", "all_reduce", "reduce_scatter;all_gather by equal counts"},
    {"composed", "broadcast", "scatter;all_gather"},
    {"of nothing", "broadcast", "all_gather by counts with all at the root"},
    {"circulant", "broadcast", "round_optimal in as many blocks"},
    {"to one", "gather", "all_gather"},
    {"by counts", "gather", "gather by equal counts"},
    {"of zeros", "gather", "reduce"},
    {"to one", "reduce", "all_reduce"},
    {"composed", "reduce", "reduce_scatter;gather"},
    {"composed", "reduce", "reduce_scatter;gather by equal counts"},
    {"by counts", "reduce", "reduce_scatter by counts with all at the root"},
    {"a part", "reduce_scatter", "all_reduce"},
    {"composed", "reduce_scatter", "reduce;scatter"},
    {"by counts", "reduce_scatter", "reduce_scatter by equal counts"},
    {"combined", "inclusive_scan", "exclusive_scan;combine"},
    {"a part", "scatter", "broadcast"},
    {"by counts", "scatter", "scatter by equal counts"},
    {"circulant", "all_gather", "circulant"},
    {"circulant", "reduce_scatter", "circulant"},
    {"circulant", "all_reduce", "circulant"},
    // tutti's own
    {"a prefix", "exclusive_scan", "inclusive_scan"},
    {"composed", "scan_reduce", "exclusive_scan;all_reduce"},
    {"to one", "reduce", "scan_reduce"},
    {"a part", "exclusive_scan", "scan_reduce"},
    {"a part", "all_reduce", "scan_reduce"},
}};

/// The calls of one side. Counts are those of each call.
[[nodiscard]] inline std::vector<std::string> calls_of(std::string_view side) {
    std::string_view const counts = side.ends_with(equal_counts) ? equal_counts : std::string_view{};
    side.remove_suffix(counts.size());
    std::vector<std::string> result;
    for (std::size_t first = 0; first <= side.size();) {
        auto const last = std::min(side.find(';', first), side.size());
        result.push_back(std::string{side.substr(first, last - first)} + std::string{counts});
        first = last + 1;
    }
    return result;
}

}  // namespace tutti::benchmark::guidelines
