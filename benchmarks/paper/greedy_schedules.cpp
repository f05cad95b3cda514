// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include <bit>

#include <tutti/analysis/verify.hpp>
#include <tutti/generator/papers/bi_greedy.hpp>

#include "exhibit.hpp"
#include "listed.hpp"

namespace tutti::paper {

namespace {

constexpr std::size_t size = 15;
constexpr std::size_t segments = 5;
constexpr uni_greedy greedy{.tcomm = 2, .tcomp = 1};

/// The paper's remark: at time 12 someone who has a part of the fourth segment sends it to the root, which waits.
constexpr std::size_t early_segment = 3;
constexpr std::size_t early_start = 12;

/// The greedy rule with that one operation out of order.
listed out_of_order() {
    listed result;
    std::vector<std::size_t> free(size, 0);
    for (std::size_t segment = 0; segment < segments; ++segment) {
        std::vector<std::size_t> left(size);
        std::iota(left.begin(), left.end(), std::size_t{0});
        bool early = segment == early_segment;
        while (left.size() > 1) {
            std::sort(left.begin(), left.end(),
                      [&](auto a, auto b) { return std::pair{free[a], a} < std::pair{free[b], b}; });
            auto start = free[left[1]];
            auto sends = left[0] == 0 ? 1U : 0U;
            auto const is_early = early && start >= early_start;
            if (is_early) {
                early = false;
                start = early_start;
                sends = 0;
            }
            auto const sender = left[sends];
            auto const receiver = is_early ? 0 : left[1 - sends];
            result.operations.push_back({segment, sender, receiver, start});
            free[sender] = start + greedy.tcomm;
            if (!is_early) { free[receiver] = start + greedy.tcomm + greedy.tcomp; }
            left.erase(left.begin() + sends);
        }
        if (segment == 0) { free[0] = std::max(free[0], early_start) + greedy.tcomm + greedy.tcomp; }
    }
    return result;
}

/// Whether `rank` is idle at `time`, has received `segment` and has not sent it.
bool holds(std::size_t rank, std::size_t segment, std::size_t time, partition const& cut) {
    bool received = false;
    bool sent = false;
    std::size_t free = 0;
    for (auto const& each : generators::transfers_of(greedy, size, 0, cut)) {
        if (each.start >= time) { continue; }
        if (each.receiver == rank) { free = std::max(free, each.start + greedy.tcomm + greedy.tcomp); }
        if (each.sender == rank) { free = std::max(free, each.start + greedy.tcomm); }
        received = received || (each.receiver == rank && each.segment == segment);
        sent = sent || (each.sender == rank && each.segment == segment);
    }
    return received && !sent && free <= time;
}

}  // namespace

std::vector<exhibit> figure_3() {
    exhibit result{.title = "LL figure 3: uni-greedy on 15 ranks",
                   .text = "15 ranks and 5 equal segments, one port, a transfer takes 2 and a combine 1. Which ranks "
                           "pair up depends on how ties are broken, the makespan does not."};
    auto const cut = partition::equal(segments, segments);
    auto const costs = cost_model::per_block(2, 1, ports::unidirectional);
    auto const line = simulate(collective::reduce{}, greedy, size, 0, cut, costs);
    add_gantt(result, "figure3", line, "Uni-greedy: p = 15, q = 5, tcomm = 2, tcomp = 1",
              "A colour for each segment; full: sends, light: receives, hatched: combines.");
    auto const predicted = static_cast<double>(generators::makespan(greedy, size, cut));
    result.claims.push_back({"the schedule, carried out, ends when the greedy rule says (39 in this example)",
                             analysis::draw::number(predicted), analysis::draw::number(line.makespan()),
                             equal(predicted, 39) && equal(predicted, line.makespan())});

    bool const eight = holds(8, early_segment, early_start, cut);
    result.claims.push_back({"at time 12 processor 8 could send its part of the fourth segment to processor 0",
                             "processor 8 holds it", eight ? "rank 8 holds it" : "rank 8 does not", eight,
                             "ties are broken in another way"});
    auto const other = out_of_order();
    auto const verdict = verify(collective::reduce{}, other, size, 0, cut);
    auto const shorter = simulate(collective::reduce{}, other, size, 0, cut, costs);
    result.claims.push_back(
        {"if someone sends its part of the fourth segment to processor 0 at time 12, the whole is shorter by 1",
         analysis::draw::number(predicted - 1),
         verdict.ok ? analysis::draw::number(shorter.makespan()) : verdict.reason,
         verdict.ok && equal(shorter.makespan(), predicted - 1), "greedy after that is not optimal"});
    add_gantt(result, "figure3_out_of_order", shorter, "The same with one segment out of order",
              "Root 0 receives its first part of the fourth segment (block 3) at time 12, before the second one. The "
              "paper leaves this figure out.");
    return {result};
}

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
                             "24", analysis::draw::number(line.makespan()), equal(line.makespan(), 24),
                             "ranks that do not wait for the others' rounds end earlier"});
    tally rounds;
    for (std::size_t ranks = 2; ranks <= 300; ++ranks) {
        for (auto const count : numbers{1, 2, 3, 4, 5, 7, 8, 13, 16, 24}) {
            auto const needed = generators::for_each_transfer(bi_greedy{}, ranks, 0, partition::equal(count, count),
                                                              [](auto const&) {});
            rounds.add(needed == static_cast<std::size_t>(std::bit_width(ranks - 1)) + count - 1);
        }
    }
    result.claims.push_back({"conjecture: ⌈log2 p⌉ + q - 1 rounds for all p and q (here 2 ≤ p ≤ 300, ten q up to 24)",
                             share(rounds.cases, rounds.cases), rounds.found(), rounds.yes == rounds.cases,
                             "the greedy rule needs more rounds for some p and q"});
    return {result};
}

}  // namespace tutti::paper
