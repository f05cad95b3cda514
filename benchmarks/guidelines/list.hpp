// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/collective.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/pairwise.hpp>
#include <tutti/generator/round_optimal.hpp>
#include <tutti/partition.hpp>

#include "calls.hpp"

namespace tutti::benchmark::guidelines {

/// The left side should take no longer than the right one.
struct comparison {
    std::string_view guideline;
    std::string left;
    std::string right;
    double left_seconds;
    double right_seconds;

    [[nodiscard]] double ratio() const { return right_seconds > 0 ? left_seconds / right_seconds : 1; }
};

/// Self-consistent performance guidelines of calls that name no algorithm, for vectors of `elements` elements, a
/// multiple of the number of ranks. The vectors of a composition's calls lie in one memory: nothing is copied.
/// Sources: Träff, Gropp and Thakur, Self-consistent MPI performance guidelines, 2010; Hunold and Carpen-Amarie, Tuning
/// MPI collectives by verifying performance guidelines (PGMPITuneLib), 2018.
[[nodiscard]] inline std::vector<comparison> compare(calls const& on, std::size_t elements) {
    using namespace collective;
    std::vector<comparison> result;
    auto const n = elements;
    auto const size = on.size();
    std::vector<std::size_t> const equal(size, n / size);
    std::vector<std::size_t> at_root(size, 0);
    at_root.front() = n;

    auto const t_reduce = on.of(reduce{}, n);
    auto const t_all_reduce = on.of(all_reduce{}, n);
    auto const t_broadcast = on.of(broadcast{}, n);
    auto const t_reduce_scatter = on.of(reduce_scatter{}, n);
    auto const t_all_gather = on.of(all_gather{}, n);
    auto const t_gather = on.of(gather{}, n);
    auto const t_scatter = on.of(scatter{}, n);
    auto const t_inclusive = on.of(inclusive_scan{}, n);
    auto const t_exclusive = on.of(exclusive_scan{}, n);
    auto const t_scan_reduce = on.of(scan_reduce{}, n);
    auto const add = [&](std::string_view guideline, std::string left, ends const& l, std::string right,
                         ends const& r) {
        result.push_back({guideline, std::move(left), std::move(right), last_of(l), last_of(r)});
    };

    add("composed", "all_gather", t_all_gather, "gather;broadcast", on.of(broadcast{}, n, t_gather));
    add("by counts", "all_gather", t_all_gather, "all_gather by equal counts", on.of(all_gather{}, n, {}, equal));
    add("of zeros", "all_gather", t_all_gather, "all_reduce", t_all_reduce);
    auto const each_to_each = partition::equal(n, size);
    add("all to all", "all_gather", t_all_gather, "alltoall of the parts",
        on.by(all_gather{}, reverse(pairwise{}), each_to_each));
    add("composed", "all_reduce", t_all_reduce, "reduce;broadcast", on.of(broadcast{}, n, t_reduce));
    add("composed", "all_reduce", t_all_reduce, "reduce_scatter;all_gather", on.of(all_gather{}, n, t_reduce_scatter));
    add("composed", "all_reduce", t_all_reduce, "reduce_scatter;all_gather by equal counts",
        on.of(all_gather{}, n, on.of(reduce_scatter{}, n, {}, equal), equal));
    add("composed", "broadcast", t_broadcast, "scatter;all_gather", on.of(all_gather{}, n, t_scatter));
    add("of nothing", "broadcast", t_broadcast, "all_gather by counts with all at the root",
        on.of(all_gather{}, n, {}, at_root));
    auto const optimal = on.chosen(broadcast{}, n);
    add("circulant", "broadcast", t_broadcast, "round_optimal in as many blocks",
        on.by(broadcast{}, round_optimal{.segments = optimal.blocks.blocks()}, optimal.blocks));
    add("to one", "gather", t_gather, "all_gather", t_all_gather);
    add("by counts", "gather", t_gather, "gather by equal counts", on.of(gather{}, n, {}, equal));
    add("of zeros", "gather", t_gather, "reduce", t_reduce);
    add("to one", "reduce", t_reduce, "all_reduce", t_all_reduce);
    add("composed", "reduce", t_reduce, "reduce_scatter;gather", on.of(gather{}, n, t_reduce_scatter));
    add("composed", "reduce", t_reduce, "reduce_scatter;gather by equal counts",
        on.of(gather{}, n, on.of(reduce_scatter{}, n, {}, equal), equal));
    add("by counts", "reduce", t_reduce, "reduce_scatter by counts with all at the root",
        on.of(reduce_scatter{}, n, {}, at_root));
    add("a part", "reduce_scatter", t_reduce_scatter, "all_reduce", t_all_reduce);
    add("composed", "reduce_scatter", t_reduce_scatter, "reduce;scatter", on.of(scatter{}, n, t_reduce));
    add("by counts", "reduce_scatter", t_reduce_scatter, "reduce_scatter by equal counts",
        on.of(reduce_scatter{}, n, {}, equal));
    add("combined", "inclusive_scan", t_inclusive, "exclusive_scan;combine", on.combined(t_exclusive, n));
    add("a part", "scatter", t_scatter, "broadcast", t_broadcast);
    add("by counts", "scatter", t_scatter, "scatter by equal counts", on.of(scatter{}, n, {}, equal));
    auto const for_ranks = partition::equal(n, size);
    add("circulant", "all_gather", t_all_gather, "circulant", on.by(all_gather{}, reverse(circulant{}), for_ranks));
    add("circulant", "reduce_scatter", t_reduce_scatter, "circulant", on.by(reduce_scatter{}, circulant{}, for_ranks));
    add("circulant", "all_reduce", t_all_reduce, "circulant",
        on.by(all_reduce{}, then(circulant{}, reverse(circulant{})), for_ranks));
    // tutti's own
    add("a prefix", "exclusive_scan", t_exclusive, "inclusive_scan", t_inclusive);
    add("composed", "scan_reduce", t_scan_reduce, "exclusive_scan;all_reduce", on.of(all_reduce{}, n, t_exclusive));
    add("to one", "reduce", t_reduce, "scan_reduce", t_scan_reduce);
    add("a part", "exclusive_scan", t_exclusive, "scan_reduce", t_scan_reduce);
    add("a part", "all_reduce", t_all_reduce, "scan_reduce", t_scan_reduce);
    return result;
}

}  // namespace tutti::benchmark::guidelines
