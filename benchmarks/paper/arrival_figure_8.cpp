// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <tutti/generator/pre_reduced_ring.hpp>
#include <tutti/generator/ring.hpp>
#include <tutti/generator/ring_of_starts.hpp>

#include "exhibit.hpp"
#include "gantt.hpp"
#include "late_all_reduce.hpp"

namespace tutti::paper {

namespace {

constexpr std::size_t size = 4;

/// Of all rings of 4 ranks and 4 segments, whoever starts which and whoever is late.
double least_makespan() {
    auto least = std::numeric_limits<double>::infinity();
    for (std::size_t late = 0; late < size; ++late) {
        auto const arrivals = one_late(size, late, 2);
        for (std::size_t a = 0; a < size; ++a) {
            for (std::size_t b = a; b < size; ++b) {
                for (std::size_t c = b; c < size; ++c) {
                    least = std::min(least, all_reduced(ring_of_starts{{a, b, c, size - 1}}, arrivals).makespan());
                }
            }
        }
    }
    return least;
}

/// In how many cases the last of p ranks sends and receives p-1 segments, and any other one 2p-1.
tally fewest_for_last() {
    tally result;
    for (std::size_t ranks = 4; ranks <= 32; ++ranks) {
        auto const line = all_reduced(pre_reduced_ring{one_late(ranks, 0, 100)}, one_late(ranks, 0, 100));
        auto const transfers = [&](auto end, std::size_t rank) {
            return static_cast<std::size_t>(
                std::count_if(line.events.begin(), line.events.end(),
                              [&](auto const& each) { return each.what == activity::transfer && each.*end == rank; }));
        };
        bool as_said = transfers(&timeline::event::rank, 0) == ranks - 1;
        for (std::size_t rank = 1; rank < ranks; ++rank) {
            as_said = as_said && transfers(&timeline::event::rank, rank) == 2 * ranks - 1;
        }
        result.add(as_said && transfers(&timeline::event::peer, 0) == ranks - 1);
    }
    return result;
}

}  // namespace

std::vector<exhibit> arrival_figure_8() {
    exhibit result{.title = "JP figure 8: pre-reduced ring",
                   .text = "All-reduce of 4 ranks and 4 segments round a ring, a segment takes τ = 1 to send and "
                           "combine; rank 0 arrives 2τ later than the others, who begin without it."};
    auto const arrivals = one_late(size, 0, 2);
    auto const plain = all_reduced(ring{}, arrivals);
    auto const reduced = all_reduced(pre_reduced_ring{arrivals}, arrivals);
    add_gantt(result, "arrival_figure8_ring", plain, "Ring: p = 4, rank 0 late by 2τ",
              "Upper half of a lane: sends, lower half: receives; a colour for each segment.");
    add_gantt(result, "arrival_figure8", reduced, "Pre-reduced ring: p = 4, rank 0 late by 2τ",
              "Two segments are started by rank 1 in the place of ranks 2 and 3.");

    constexpr auto bound = "the last rank sends its part of four segments, and the last one has two hops to go: "
                           "2 + 4 + 2 = 8 at least";
    auto const least = least_makespan();
    result.claims = {
        {"the ring takes 8τ", "8", draw::number(plain.makespan()), equal(plain.makespan(), 8), "it takes another time"},
        {"the pre-reduced ring takes 7τ", "7", draw::number(reduced.makespan()), equal(reduced.makespan(), 7), bound},
        {"some ring of 4 segments takes 7τ, whoever starts which", "7", draw::number(least) + " at least", least <= 7,
         bound},
        {"the mean time at which ranks end is earlier", "earlier than " + draw::number(mean_finish(plain)),
         draw::number(mean_finish(reduced)), mean_finish(reduced) < mean_finish(plain), "it is not"},
        fewest_for_last().all("the last rank sends and receives p-1 segments, any other one 2p-1 (p = 4 to 32, one "
                              "rank very late)",
                              "every rank must send its part of all p segments: the last one sends p+1 and receives p"),
    };
    return {result};
}

}  // namespace tutti::paper
