// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include <tutti/analysis/bounds.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/generator/butterfly.hpp>

#include "exhibit.hpp"
#include "formulas.hpp"
#include "listed.hpp"

namespace tutti::paper {

namespace {

/// What a segment takes to send and to combine.
using segment_costs = std::initializer_list<std::pair<int, int>>;

/// Calls visit(size, segments, tcomm, tcomp) for the numbers of ranks of both tables.
void for_all_cases(numbers segments, segment_costs all_costs, auto const& visit) {
    for (auto const size : numbers{4, 5, 7, 8, 12, 15, 16, 31, 32, 63, 64, 100}) {
        for (auto const count : segments) {
            for (auto const& [tcomm, tcomp] : all_costs) { visit(size, count, tcomm, tcomp); }
        }
    }
}

/// Four ranks pass three segments of one element on in five steps.
listed five_steps() {
    return {{{0, 1, 0, 0},
             {0, 2, 3, 0},
             {1, 1, 0, 1},
             {1, 3, 2, 1},
             {1, 2, 0, 2},
             {2, 3, 1, 2},
             {2, 1, 2, 3},
             {0, 3, 0, 3},
             {2, 2, 0, 4}}};
}

}  // namespace

std::vector<exhibit> table_1() {
    exhibit result{.title = "LL table I: standard algorithms, one port",
                   .text = "Times T(s), best segment sizes s_opt and best times T_opt of binomial, pipeline and binary "
                           "tree, beside simulations of the same schedules, in which every operation starts as soon as "
                           "both its ranks are free."};
    std::string const left_shifted = "the table counts rounds in lock step, and schedules need not keep step: ";
    tally of_binomial{"binomial takes ⌈log2 p⌉(α + βm + γm)"};
    tally of_pipeline{"pipeline takes (p-1)a + 2(q-1)a with a = tcomm + tcomp; where tcomp = 0"};
    tally of_pipeline_that_combines{"the same where tcomp > 0",
                                    left_shifted + "each further segment takes 2 tcomm + tcomp, not 2a"};
    tally of_binary_tree{"binary tree takes 2(N-1)a + 4(q-1)a; where p = 2^N - 1 and q = 1"};
    tally of_binary_tree_in_segments{"the same where q > 1",
                                     left_shifted + "each further segment takes 3 tcomm + 2 tcomp, not 4a"};
    tally never_above{"the times are upper bounds, also where s does not divide m", "some schedule is longer"};
    tally least{"no segment size makes T(s) less than T_opt (steps of 1/4)", "some other size is better"};
    tally defined{"the formulae are valid for p > 3; s_opt of the binary tree for 4 ≤ p ≤ 7",
                  "N = 3 makes it m α / 0: there one segment is best, whatever its size"};

    // q segments of equal size: one element is one segment
    sheet rows{"table1.csv", {"algorithm", "p", "q", "tcomm", "tcomp", "table", "simulated"}};
    auto const add = [&](auto const& generator, numbers segments) {
        for_all_cases(segments, {{1, 0}, {2, 1}, {1, 1}, {1, 2}}, [&](auto size, auto count, int tcomm, int tcomp) {
            auto const costs = cost_model::linear(tcomm, 0, tcomp, ports::unidirectional);
            auto const table = table_formula(generator, size, count, costs)->time(1);
            auto const simulated = makespan(generator, size, partition::equal(count, count), costs);
            auto const name = name_of(collective::reduce{}, generator);
            rows.add(name, size, count, tcomm, tcomp, table, simulated);
            never_above.add(simulated <= table);
            auto* const of = name == "binomial"              ? &of_binomial
                             : name == "pipeline"            ? tcomp == 0 ? &of_pipeline : &of_pipeline_that_combines
                             : !std::has_single_bit(size + 1) ? nullptr
                             : count == 1                    ? &of_binary_tree
                                                             : &of_binary_tree_in_segments;
            if (of != nullptr) { of->add(equal(simulated, table)); }
        });
    };
    add(binomial{}, {1});
    add(pipeline{}, {1, 2, 3, 5, 8, 16});
    add(binary_tree{}, {1, 2, 3, 5, 8, 16});

    // s_opt and T_opt beside what whole segments reach
    sheet sizes{
        "table1_segment_sizes.csv",
        {"algorithm", "p", "m", "alpha", "beta", "gamma", "s_opt", "T_opt", "s_integer", "T_integer", "simulated"}};
    auto const add_sizes = [&](auto const& generator, std::size_t size, std::size_t elements, int gamma) {
        auto const costs = cost_model::linear(10, 1, gamma, ports::unidirectional);
        auto const formula = *table_formula(generator, size, elements, costs);
        auto const whole = formula.best_integer_segment();
        auto const simulated = makespan(generator, size, partition::by_segment(elements, whole.segment), costs);
        sizes.add(name_of(collective::reduce{}, generator), size, elements, 10, 1, gamma,
                  fixed(formula.best_segment(), 3), fixed(formula.best_time(), 3), whole.segment, whole.time,
                  simulated);
        auto fastest = std::numeric_limits<double>::infinity();
        for (double s = 1; s <= static_cast<double>(elements); s += 0.25) {
            fastest = std::min(fastest, formula.time(s));
        }
        least.add(formula.best_time() <= fastest * (1 + 1e-12));
        never_above.add(simulated <= whole.time);
    };
    auto const add_all_sizes = [&](auto const& generator) {
        for (auto const size : numbers{8, 16, 64, 256}) {
            for (auto const elements : numbers{64, 1000, 4096}) {
                for (auto const gamma : {0, 1}) { add_sizes(generator, size, elements, gamma); }
            }
        }
    };
    add_all_sizes(pipeline{});
    add_all_sizes(binary_tree{});

    for (std::size_t size = 4; size < 8; ++size) {
        auto const formula =
            *table_formula(binary_tree{}, size, 1000, cost_model::linear(10, 1, 0, ports::unidirectional));
        defined.add(formula.first > formula.next);
    }
    result.claims = {of_binomial, of_pipeline, of_pipeline_that_combines, of_binary_tree, of_binary_tree_in_segments,
                     never_above, least, defined};
    result.sheets = {rows, sizes};
    return {result};
}

std::vector<exhibit> table_2() {
    exhibit result{
        .title = "LL table II: lower bounds of each term, one port",
        .text = "What each algorithm takes at least if only messages (α = 1), only elements sent (β = 1) or only "
                "elements combined (γ = 1) cost something, beside simulations: in one segment for the "
                "latency, in segments of one element for the other two."};
    tally any{"no reduction beats ⌈log2 p⌉α, 2mβ, (p-1)/p mγ: the optimal in-order reduction, uni-greedy"};
    tally of_binomial{"binomial takes ⌈log2 p⌉ times α, mβ, mγ"};
    tally latency{"latency of the pipeline is (p-1)α, of the binary tree 2(N-1)α (p = 2^N - 1) or less"};
    tally bandwidth{"pipeline takes at least (p+2m-3)β"};
    tally computation{"pipeline takes at least (p+2m-3)γ",
                      "left-shifted, ranks combine neighbouring segments together: (p+m-2)γ"};
    tally of_binary_tree{"binary tree takes at least 2(N+2m-3)β, 2(N+2m-3)γ",
                         "left-shifted, each further element takes 3β or 2γ, not 4"};
    sheet rows{"table2.csv", {"algorithm", "term", "p", "m", "bound", "simulated"}};

    // only messages, only elements sent, or only elements combined cost something
    auto const add_term = [&](std::string const& term, std::size_t alpha, std::size_t beta, std::size_t gamma) {
        auto const costs = cost_model::linear(static_cast<double>(alpha), static_cast<double>(beta),
                                              static_cast<double>(gamma), ports::unidirectional);
        auto const add = [&](std::string const& name, auto const& generator, tally& holds, bool exactly,
                             std::size_t size, std::size_t elements, std::size_t segments, double bound) {
            auto const simulated = makespan(generator, size, partition::equal(elements, segments), costs);
            rows.add(name, term, size, elements, fixed(bound, 3), simulated);
            holds.add(exactly ? equal(simulated, bound) : simulated >= bound - 1e-9);
            return simulated;
        };
        for (auto const size : numbers{4, 5, 7, 8, 15, 16, 31, 64}) {
            for (auto const elements : numbers{4, 16, 64}) {
                auto const m = static_cast<double>(elements);
                auto const best = alpha != 0 ? 1 : elements;  // segments that make the term least
                auto const bound = [&](auto const& of) { return table_two(of, size, m).sum(costs); };
                // the in-order reduction that none is shorter than
                add("any (uni_greedy)", uni_greedy{.alpha = alpha, .beta = beta, .gamma = gamma}, any, false, size,
                    elements, best, table_two_in_order(size, m).greatest(costs));
                add("binomial", binomial{}, of_binomial, true, size, elements, 1, bound(binomial{}));
                add("pipeline", pipeline{}, alpha != 0 ? latency : beta != 0 ? bandwidth : computation, alpha != 0,
                    size, elements, best, bound(pipeline{}));
                tally not_more;
                auto const time = add("binary_tree", binary_tree{}, alpha != 0 ? not_more : of_binary_tree, false, size,
                                      elements, best, bound(binary_tree{}));
                if (alpha != 0) { latency.add(time <= bound(binary_tree{})); }
            }
        }
    };
    add_term("latency", 1, 0, 0);
    add_term("bandwidth", 0, 1, 0);
    add_term("computation", 0, 0, 1);
    result.claims = {any, of_binomial, latency, bandwidth, computation, of_binary_tree};

    auto const cut = partition::equal(3, 3);
    auto const verdict = verify(collective::reduce{}, five_steps(), 4, 0, cut);
    auto const steps = makespan(five_steps(), 4, cut, cost_model::linear(0, 1, 0, ports::unidirectional));
    result.claims.push_back(
        {"no reduction beats 2mβ: p = 4, m = 3, β = 1, segments out of order", "6 or more",
         verdict.ok ? analysis::draw::number(steps) : verdict.reason, !verdict.ok || steps >= 6,
         "of p-1 transfers per element p/2 run at once: for even p, without the rule that ranks take "
         "up segments in order, only m(p-1)/(p/2) steps are needed"});
    result.sheets = {rows};
    return {result};
}

std::vector<exhibit> table_3() {
    exhibit result{.title = "LL table III: reductions with a port for each direction",
                   .text =
                       "Times in lock step beside the rounds of the schedules and simulations of them. One round takes "
                       "a = α + (β+γ)s."};
    tally of_binomial{"binomial takes ⌈log2 p⌉ rounds"};
    tally of_pipeline{"pipeline takes p+q-2 rounds"};
    tally as_printed{"binary tree takes 2(N+q-1) rounds, p = 2^N - 1",
                     "a misprint: its own s_opt and T_opt, and the schedule, have 2(N+q-2)"};
    tally corrected{"what its s_opt and T_opt say: binary tree takes 2(N+q-2) rounds, p = 2^N - 1"};
    tally of_bi_greedy{"bi-greedy takes ⌈log2 p⌉ + q - 1 rounds, as an optimal broadcast reversed; no tree "
                       "that sends segment by segment takes less"};
    tally never_above{"no schedule takes longer than in lock step", "some rank waits for another one's later round"};
    tally powers{"butterfly takes 2⌈log2 p⌉α + (p-1)/p (2β+γ)m, p a power of two", "blocks are not equally long"};
    tally others{"for other p that is a lower bound"};

    // formula beside rounds, and beside the time of a simulation in which no rank waits for a round
    sheet rows{"table3.csv", {"algorithm", "p", "q", "tcomm", "tcomp", "table", "rounds", "lock_step", "simulated"}};
    auto const add = [&](auto const& generator, tally& holds, numbers segments) {
        for_all_cases(segments, {{1, 0}, {2, 1}, {1, 2}}, [&](auto size, auto count, int tcomm, int tcomp) {
            auto const costs = cost_model::linear(tcomm, 0, tcomp, ports::bidirectional);
            auto const cut = partition::equal(count, count);
            auto const table = table_formula(generator, size, count, costs)->time(1);
            auto const rounds = generate(collective::reduce{}, generator, problem{0, size, 0, cut}).rounds();
            auto const lock_step = static_cast<double>(rounds) * (tcomm + tcomp);
            auto const simulated = makespan(generator, size, cut, costs);
            rows.add(name_of(collective::reduce{}, generator), size, count, tcomm, tcomp, table, rounds, lock_step,
                     simulated);
            never_above.add(simulated <= table);
            auto same = equal(table, lock_step);
            if (&holds == &corrected && !std::has_single_bit(size + 1)) { return; }
            if (&holds == &corrected) { as_printed.add(equal(table + 2.0 * (tcomm + tcomp), lock_step)); }
            if (&holds == &of_bi_greedy) {
                auto const per_block = cost_model::per_block(tcomm, tcomp, costs.model);  // a message holds one block
                same = same && equal(lock_step, analysis::tree_lower_bound(size, analysis::cut_summary::of(cut),
                                                                           per_block));
            }
            holds.add(same);
        });
    };
    add(binomial{}, of_binomial, {1});
    add(pipeline{}, of_pipeline, {1, 2, 3, 5, 8, 16});
    add(binary_tree{}, corrected, {1, 2, 3, 5, 8, 16});
    add(bi_greedy{}, of_bi_greedy, {1, 2, 3, 5, 8, 16});

    sheet butterflies{"table3_butterfly.csv", {"p", "m", "alpha", "beta", "gamma", "table", "simulated"}};
    for (auto const size : numbers{4, 5, 6, 7, 8, 12, 16, 24, 31, 32, 48, 64, 100}) {
        for (auto const elements : numbers{64, 640, 6400}) {
            auto const costs = cost_model::linear(50, 6, 1, ports::bidirectional);
            auto const table = butterfly_time(size, static_cast<double>(elements), costs);
            auto const simulated =
                makespan(butterfly{}, size, partition::equal(elements, blocks_for(butterfly{}, size, 0)), costs);
            butterflies.add(size, elements, 50, 6, 1, fixed(table, 3), simulated);
            std::has_single_bit(size) ? powers.add(equal(table, simulated)) : others.add(simulated >= table);
        }
    }
    result.claims = {of_binomial, of_pipeline, as_printed, corrected, of_bi_greedy, never_above, powers, others};
    auto const real =
        makespan(bi_greedy{}, 16, partition::equal(5, 5), cost_model::linear(1, 1, 0, ports::bidirectional));
    auto const printed = 8.0 * (1 + 5);
    result.claims.push_back(
        {"section VI: a reversed broadcast takes (⌈log2 p⌉+q-1)(α+βm+γm); p = 16, m = q = 5, α = β = 1",
         analysis::draw::number(printed), analysis::draw::number(real), equal(printed, real),
         "a misprint: m must be the segment size s"});
    result.sheets = {rows, butterflies};
    return {result};
}

}  // namespace tutti::paper
