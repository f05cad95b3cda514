// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include <tutti/generator/pre_reduced_ring.hpp>
#include <tutti/generator/ring.hpp>
#include <tutti/generator/ring_of_starts.hpp>
#include <tutti/generator/sorted_linear_tree.hpp>

#include "exhibit.hpp"

namespace tutti::paper {

namespace {

/// When each of `size` ranks arrives if one is late.
std::vector<double> one_late(std::size_t size, std::size_t rank, double delay) {
    std::vector<double> result(size, 0.0);
    result[rank] = delay;
    return result;
}

/// An all-reduction in which one segment takes tau = 1 to send and combine.
template <class Generator>
analysis::timeline all_reduced(Generator const& generator, std::vector<double> const& arrivals) {
    constexpr collective::all_reduce which{};
    auto const size = arrivals.size();
    auto const segments = blocks_for(which, generator, size, 0);
    return simulate(which, generator, size, 0, partition::equal(segments, segments), cost_model::unit(), arrivals);
}

double mean_finish(analysis::timeline const& line) {
    return std::accumulate(line.finish.begin(), line.finish.end(), 0.0) / static_cast<double>(line.size());
}

constexpr std::size_t size = 4;

std::string times(analysis::timeline const& plain, analysis::timeline const& in_order) {
    return analysis::draw::number(plain.makespan()) + " to " + analysis::draw::number(in_order.makespan());
}

/// In how many cases a delay of 4 tau makes 14 and 12, whoever is late.
tally elsewhere() {
    tally result;
    for (std::size_t ranks = 2; ranks <= 32; ++ranks) {
        for (std::size_t late = 0; late < ranks; ++late) {
            auto const arrivals = one_late(ranks, late, 4);
            result.add(equal(all_reduced(sorted_linear_tree{}, arrivals).makespan(), 14) &&
                       equal(all_reduced(sorted_linear_tree{arrivals}, arrivals).makespan(), 12));
        }
    }
    return result;
}

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

tally fewest_for_last() {
    tally result{"the last rank sends and receives p-1 segments, any other one 2p-1 (p = 4 to 32, one rank very late)",
                 "every rank must send its part of all p segments: the last one sends p+1 and receives p"};
    for (std::size_t ranks = 4; ranks <= 32; ++ranks) {
        auto const line = all_reduced(pre_reduced_ring{one_late(ranks, 0, 100)}, one_late(ranks, 0, 100));
        auto const transfers = [&](auto end, std::size_t rank) {
            return static_cast<std::size_t>(
                std::count_if(line.events.begin(), line.events.end(), [&](auto const& each) {
                    return each.what == analysis::activity::transfer && each.*end == rank;
                }));
        };
        bool as_said = transfers(&analysis::timeline::event::rank, 0) == ranks - 1;
        for (std::size_t rank = 1; rank < ranks; ++rank) {
            as_said = as_said && transfers(&analysis::timeline::event::rank, rank) == 2 * ranks - 1;
        }
        result.add(as_said && transfers(&analysis::timeline::event::peer, 0) == ranks - 1);
    }
    return result;
}

}  // namespace

std::vector<exhibit> arrival_figure_6() {
    exhibit result{.title = "JP figure 6: sorted linear tree",
                   .text = "All-reduce of 4 ranks and 4 segments in a pipeline, a segment takes τ = 1 to send and "
                           "combine; rank 0 arrives later than the others. In the order of ranks all wait for it; in "
                           "the order of arrival it is the last to add its part."};
    auto const arrivals = one_late(size, 0, 4);
    auto const plain = all_reduced(sorted_linear_tree{}, arrivals);
    auto const in_order = all_reduced(sorted_linear_tree{arrivals}, arrivals);
    add_gantt(result, "arrival_figure6_in_order_of_ranks", plain, "Linear tree: p = 4, rank 0 late by 4τ",
              "Upper half of a lane: sends, lower half: receives; a colour for each segment.");
    add_gantt(result, "arrival_figure6", in_order, "Sorted linear tree: p = 4, rank 0 late by 4τ",
              "The same in the order of arrival.");

    auto const found = times(plain, in_order);
    result.claims.push_back({"a rank late by 4τ: the order of arrival shortens the whole", "14 to 12", found,
                             found == "14 to 12",
                             "D + 3p-3 and max(3p-3, D + 2p-1) with p = 4 are these for a delay of 5τ"});
    auto const later = one_late(size, 0, 5);
    auto const found_later =
        times(all_reduced(sorted_linear_tree{}, later), all_reduced(sorted_linear_tree{later}, later));
    result.claims.push_back({"the same for a rank late by 5τ", "14 to 12", found_later, found_later == "14 to 12",
                             "the schedules take other times"});
    auto const other = elsewhere();
    result.claims.push_back({"14 to 12 for a delay of 4τ with another number of ranks or another late rank "
                             "(p up to 32)",
                             "some case", other.found(), other.yes != 0, "there is none"});
    return {result};
}

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
        {"the ring takes 8τ", "8", analysis::draw::number(plain.makespan()), equal(plain.makespan(), 8),
         "it takes another time"},
        {"the pre-reduced ring takes 7τ", "7", analysis::draw::number(reduced.makespan()), equal(reduced.makespan(), 7),
         bound},
        {"some ring of 4 segments takes 7τ, whoever starts which", "7", analysis::draw::number(least) + " at least",
         least <= 7, bound},
        {"the mean time at which ranks end is earlier", "earlier than " + analysis::draw::number(mean_finish(plain)),
         analysis::draw::number(mean_finish(reduced)), mean_finish(reduced) < mean_finish(plain), "it is not"},
        fewest_for_last(),
    };
    return {result};
}

}  // namespace tutti::paper
