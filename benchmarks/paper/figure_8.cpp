// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include <cstddef>
#include <string>
#include <vector>

#include <tutti/analysis/simulate.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/generator/bi_greedy.hpp>

#include "exhibit.hpp"
#include "gantt.hpp"

namespace tutti::paper {

namespace {

/// Of how many pairs (p, q) the number of rounds is not ⌈log2 p⌉ + q - 1.
struct rounds_checked {
    std::size_t all = 0;
    std::size_t optimal = 0;
};

rounds_checked check_rounds() {
    rounds_checked result;
    for (std::size_t size = 2; size <= 300; ++size) {
        std::size_t least = 0;
        while ((std::size_t{1} << least) < size) { ++least; }
        for (auto const segments : numbers{1, 2, 3, 4, 5, 7, 8, 13, 16, 24}) {
            auto const rounds =
                for_each_operation(bi_greedy{}, size, 0, partition::equal(segments, segments), [](auto const&) {});
            ++result.all;
            if (rounds == least + segments - 1) { ++result.optimal; }
        }
    }
    return result;
}

}  // namespace

std::vector<exhibit> figure_8() {
    exhibit result{.title = "LL figure 8: bi-greedy on 16 ranks",
                   .text = "16 ranks and 5 equal segments, a port to send and one to receive, a transfer takes 2 and a "
                           "combine 1."};
    auto const cut = partition::equal(5, 5);
    auto const line =
        simulate(collective::reduce{}, bi_greedy{}, 16, 0, cut, cost_model::per_block(2, 1, ports::bidirectional));
    add_gantt(result, "figure8", line, "Bi-greedy: p = 16, q = 5, tcomm = 2, tcomp = 1",
              "Upper half of a lane: sends, lower half: receives, over both: combines.");
    result.claims.push_back({"it takes as long as a reversed optimal broadcast, (⌈log2 p⌉ + q - 1)(tcomm + tcomp)",
                             "24", draw::number(line.makespan()), equal(line.makespan(), 24),
                             "ranks that do not wait for the others' rounds end earlier"});
    auto const rounds = check_rounds();
    result.claims.push_back({"conjecture: ⌈log2 p⌉ + q - 1 rounds for all p and q (here 2 ≤ p ≤ 300, ten q up to 24)",
                             share(rounds.all, rounds.all), share(rounds.optimal, rounds.all),
                             rounds.optimal == rounds.all, "the greedy rule needs more rounds for some p and q"});
    return {result};
}

}  // namespace tutti::paper
