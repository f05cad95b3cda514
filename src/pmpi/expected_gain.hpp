// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tutti/combinator/reverse.hpp>
#include <tutti/generators.hpp>
#include <tutti/node_map.hpp>
#include <tutti/selection/candidates/all.hpp>
#include <tutti/selection/plan_program.hpp>

namespace tutti::pmpi {

/// What MPI libraries take for operators that they do not know, or for short vectors.
[[nodiscard]] inline auto textbook(collective::reduce) { return binomial{}; }
[[nodiscard]] inline auto textbook(collective::all_reduce) { return recursive_multiplying{.radix = 2}; }
template <collective::scan_collective Scan>
[[nodiscard]] auto textbook(Scan) {
    return recursive_multiplying{.radix = 2};
}
[[nodiscard]] inline auto textbook(collective::reduce_scatter) { return binary_blocks{}; }
[[nodiscard]] inline auto textbook(collective::all_gather) { return reverse(circulant{}); }
[[nodiscard]] inline auto textbook(collective::scatter) { return binomial{}; }
[[nodiscard]] inline auto textbook(collective::gather) { return reverse(binomial{}); }
[[nodiscard]] inline auto textbook(collective::broadcast) { return reverse(binomial{}); }

/// The seconds that the cost model expects tutti's algorithm to save in a call, beside the textbook's.
template <class Collective>
[[nodiscard]] double expected_gain(Collective which, pricing::call_parameters const& now, bool commutes) {
    auto const least = selection::candidates_for(which, now, commutes).best().seconds;
    return pricing::expected_time(which, textbook(which), now) - least;
}

/// The same for a function of MPI by its name, called with this many bytes of doubles on a rank; 0 for functions that
/// tutti does not have, and lengths that are not known.
[[nodiscard]] inline double expected_gain(std::string_view function, std::int64_t bytes, std::size_t ranks,
                                          node_map const& nodes) {
    if (bytes <= 0 || ranks < 2) { return 0; }
    if (function.ends_with("_c")) { function.remove_suffix(2); }
    auto const in_vector = static_cast<std::size_t>(bytes);
    auto const gain = [&]<class Collective>(Collective which, std::size_t whole) {
        selection::call_kind kind;
        kind.element_bytes = sizeof(double);
        selection::planned_call call;
        call.kind = &kind;
        call.size = ranks;
        call.elements = std::max<std::size_t>(whole / sizeof(double), 1);
        call.nodes = &nodes;
        return std::max(expected_gain(which, selection::algorithm_of(which, call).now, true), 0.0);
    };
    auto const parts = in_vector * ranks;
    return function == "MPI_Allreduce"              ? gain(collective::all_reduce{}, in_vector)
           : function == "MPI_Reduce"               ? gain(collective::reduce{}, in_vector)
           : function == "MPI_Bcast"                ? gain(collective::broadcast{}, in_vector)
           : function == "MPI_Scan"                 ? gain(collective::inclusive_scan{}, in_vector)
           : function == "MPI_Exscan"               ? gain(collective::exclusive_scan{}, in_vector)
           : function == "MPI_Reduce_scatter_block" ? gain(collective::reduce_scatter{}, parts)
           : function == "MPI_Gather"               ? gain(collective::gather{}, parts)
           : function == "MPI_Scatter"              ? gain(collective::scatter{}, parts)
           : function == "MPI_Allgather"            ? gain(collective::all_gather{}, parts)
                                                    : 0;
}

}  // namespace tutti::pmpi
