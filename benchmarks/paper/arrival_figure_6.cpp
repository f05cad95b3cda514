// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include <cstddef>
#include <string>
#include <vector>

#include <tutti/generator/sorted_linear_tree.hpp>

#include "exhibit.hpp"
#include "gantt.hpp"
#include "late_all_reduce.hpp"

namespace tutti::paper {

namespace {

constexpr std::size_t size = 4;

std::string times(timeline const& plain, timeline const& in_order) {
    return draw::number(plain.makespan()) + " to " + draw::number(in_order.makespan());
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
                             "some case", share(other.yes, other.cases), other.yes != 0, "there is none"});
    return {result};
}

}  // namespace tutti::paper
