// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include <bit>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/analysis/bounds.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/generator/bi_greedy.hpp>
#include <tutti/generator/binary_tree.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/butterfly.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/uni_greedy.hpp>

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

/// Formula beside simulation for q segments of equal size.
struct by_segments {
    sheet rows{"table1.csv", {"algorithm", "p", "q", "tcomm", "tcomp", "table", "simulated"}};
    tally binomial_equal;
    tally pipeline_without_combine;
    tally pipeline_with_combine;
    tally binary_one_segment;
    tally binary_more;
    tally never_above;

    template <class Generator>
    void add(Generator const& generator, std::size_t size, std::size_t count, int tcomm, int tcomp) {
        // one element is one segment
        auto const costs = cost_model::linear(tcomm, 0, tcomp, ports::unidirectional);
        auto const table = table_formula(generator, size, count, costs)->time(1);
        auto const simulated =
            simulate(collective::reduce{}, generator, size, 0, partition::equal(count, count), costs).makespan();
        auto const name = name_of(collective::reduce{}, generator);
        rows.add(name, size, count, tcomm, tcomp, table, simulated);
        never_above.add(simulated <= table);
        bool const same = equal(simulated, table);
        if (name == "binomial") {
            binomial_equal.add(same);
        } else if (name == "pipeline") {
            (tcomp == 0 ? pipeline_without_combine : pipeline_with_combine).add(same);
        } else if (std::has_single_bit(size + 1)) {
            (count == 1 ? binary_one_segment : binary_more).add(same);
        }
    }
};

/// s_opt and T_opt beside what whole segments reach.
class by_sizes {
public:
    template <class Generator>
    void add(Generator const& generator) {
        for (auto const size : numbers{8, 16, 64, 256}) {
            for (auto const elements : numbers{64, 1000, 4096}) {
                for (auto const gamma : {0, 1}) { add(generator, size, elements, gamma); }
            }
        }
    }

    sheet rows{
        "table1_segment_sizes.csv",
        {"algorithm", "p", "m", "alpha", "beta", "gamma", "s_opt", "T_opt", "s_integer", "T_integer", "simulated"}};
    tally least;
    tally never_above;

private:
    template <class Generator>
    void add(Generator const& generator, std::size_t size, std::size_t elements, int gamma) {
        auto const costs = cost_model::linear(10, 1, gamma, ports::unidirectional);
        auto const formula = *table_formula(generator, size, elements, costs);
        auto const whole = formula.best_integer_segment();
        auto const simulated =
            simulate(collective::reduce{}, generator, size, 0, partition::by_segment(elements, whole.segment), costs)
                .makespan();
        rows.add(name_of(collective::reduce{}, generator), size, elements, 10, 1, gamma,
                 fixed(formula.best_segment(), 3), fixed(formula.best_time(), 3), whole.segment, whole.time, simulated);
        auto fastest = std::numeric_limits<double>::infinity();
        for (double s = 1; s <= static_cast<double>(elements); s += 0.25) {
            fastest = std::min(fastest, formula.time(s));
        }
        least.add(formula.best_time() <= fastest * (1 + 1e-12));
        never_above.add(simulated <= whole.time);
    }
};

/// Formula beside the schedule's rounds, and beside the time of a simulation in which no rank waits for a round.
struct rounds_and_times {
    sheet rows{"table3.csv", {"algorithm", "p", "q", "tcomm", "tcomp", "table", "rounds", "lock_step", "simulated"}};
    tally binomial_equal;
    tally pipeline_equal;
    tally bi_greedy_equal;
    tally binary_as_printed;
    tally binary_corrected;
    tally never_above;

    template <class Generator>
    void add(Generator const& generator, std::size_t size, std::size_t count, int tcomm, int tcomp) {
        auto const costs = cost_model::linear(tcomm, 0, tcomp, ports::bidirectional);
        auto const cut = partition::equal(count, count);
        auto const table = table_formula(generator, size, count, costs)->time(1);
        auto const rounds = generate(collective::reduce{}, generator, problem{0, size, 0, cut}).rounds();
        auto const lock_step = static_cast<double>(rounds) * (tcomm + tcomp);
        auto const simulated = simulate(collective::reduce{}, generator, size, 0, cut, costs).makespan();
        rows.add(name_of(collective::reduce{}, generator), size, count, tcomm, tcomp, table, rounds, lock_step,
                 simulated);
        never_above.add(simulated <= table);
        bool const same = equal(table, lock_step);
        if constexpr (std::is_same_v<Generator, binomial>) {
            binomial_equal.add(same);
        } else if constexpr (std::is_same_v<Generator, pipeline>) {
            pipeline_equal.add(same);
        } else if constexpr (std::is_same_v<Generator, bi_greedy>) {
            auto const per_block = cost_model::per_block(tcomm, tcomp, costs.model);  // a message holds one block
            bi_greedy_equal.add(
                same && equal(lock_step, analysis::tree_lower_bound(size, analysis::cut_summary::of(cut), per_block)));
        } else if (std::has_single_bit(size + 1)) {
            binary_corrected.add(same);
            binary_as_printed.add(equal(table + 2.0 * (tcomm + tcomp), lock_step));
        }
    }
};

class butterflies {
public:
    void add(std::size_t size, std::size_t elements) {
        auto const costs = cost_model::linear(50, 6, 1, ports::bidirectional);
        auto const cut = partition::equal(elements, blocks_for(butterfly{}, size, 0));
        auto const table = butterfly_time(size, static_cast<double>(elements), costs);
        auto const simulated = simulate(collective::reduce{}, butterfly{}, size, 0, cut, costs).makespan();
        rows.add(size, elements, 50, 6, 1, fixed(table, 3), simulated);
        if (std::has_single_bit(size)) {
            powers.add(equal(table, simulated));
        } else {
            others.add(simulated >= table);
        }
    }

    sheet rows{"table3_butterfly.csv", {"p", "m", "alpha", "beta", "gamma", "table", "simulated"}};
    tally powers;
    tally others;
};

/// One of the three terms: only messages, only elements sent, or only elements combined cost something.
struct term {
    std::string name;
    std::size_t alpha;
    std::size_t beta;
    std::size_t gamma;

    [[nodiscard]] cost_model costs() const {
        return cost_model::linear(static_cast<double>(alpha), static_cast<double>(beta), static_cast<double>(gamma),
                                  ports::unidirectional);
    }
    /// What makes the term least: one segment for latency, as many as there are elements for the others.
    [[nodiscard]] partition cut(std::size_t elements) const {
        return partition::equal(elements, alpha != 0 ? 1 : elements);
    }
};

class terms {
public:
    template <class Generator>
    void add(Generator const& generator, term const& of, std::size_t size, std::size_t elements) {
        auto const bound = table_two(generator, size, static_cast<double>(elements)).sum(of.costs());
        auto const cut = std::same_as<Generator, binomial> ? partition::equal(elements, 1) : of.cut(elements);
        add_row(name_of(collective::reduce{}, generator), of, size, elements, bound,
                simulate(collective::reduce{}, generator, size, 0, cut, of.costs()).makespan());
    }

    /// The in-order reduction that none is shorter than.
    void add_any(term const& of, std::size_t size, std::size_t elements) {
        auto const bound = table_two_in_order(size, static_cast<double>(elements)).greatest(of.costs());
        uni_greedy const greedy{.alpha = of.alpha, .beta = of.beta, .gamma = of.gamma};
        add_row("any (uni_greedy)", of, size, elements, bound,
                simulate(collective::reduce{}, greedy, size, 0, of.cut(elements), of.costs()).makespan());
    }

    sheet rows{"table2.csv", {"algorithm", "term", "p", "m", "bound", "simulated"}};
    tally any;
    tally equal_latency;
    tally pipeline_bandwidth;
    tally pipeline_computation;
    tally binary_later_terms;
    tally binomial_terms;

private:
    void add_row(std::string const& algorithm, term const& of, std::size_t size, std::size_t elements, double bound,
                 double simulated) {
        rows.add(algorithm, of.name, size, elements, fixed(bound, 3), simulated);
        bool const holds = simulated >= bound - 1e-9;
        if (algorithm.starts_with("any")) {
            any.add(holds);
        } else if (algorithm == "binomial") {
            binomial_terms.add(equal(simulated, bound));
        } else if (of.alpha != 0) {
            equal_latency.add(algorithm == "pipeline" ? equal(simulated, bound) : simulated <= bound);
        } else if (algorithm == "pipeline") {
            (of.beta != 0 ? pipeline_bandwidth : pipeline_computation).add(holds);
        } else {
            binary_later_terms.add(holds);
        }
    }
};

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
    by_segments times;
    auto const add = [&](auto const& generator, numbers segments) {
        for_all_cases(segments, {{1, 0}, {2, 1}, {1, 1}, {1, 2}}, [&](auto... at) { times.add(generator, at...); });
    };
    add(binomial{}, {1});
    add(pipeline{}, {1, 2, 3, 5, 8, 16});
    add(binary_tree{}, {1, 2, 3, 5, 8, 16});
    by_sizes sizes;
    sizes.add(pipeline{});
    sizes.add(binary_tree{});

    exhibit result{.title = "LL table I: standard algorithms, one port",
                   .text = "Times T(s), best segment sizes s_opt and best times T_opt of binomial, pipeline and binary "
                           "tree, beside simulations of the same schedules, in which every operation starts as soon as "
                           "both its ranks are free."};
    std::string const left_shifted = "the table counts rounds in lock step, and schedules need not keep step: ";
    result.claims = {
        times.binomial_equal.all("binomial takes ⌈log2 p⌉(α + βm + γm)", ""),
        times.pipeline_without_combine.all("pipeline takes (p-1)a + 2(q-1)a with a = tcomm + tcomp; where tcomp = 0",
                                           ""),
        times.pipeline_with_combine.all("the same where tcomp > 0",
                                        left_shifted + "each further segment takes 2 tcomm + tcomp, not 2a"),
        times.binary_one_segment.all("binary tree takes 2(N-1)a + 4(q-1)a; where p = 2^N - 1 and q = 1", ""),
        times.binary_more.all("the same where q > 1",
                              left_shifted + "each further segment takes 3 tcomm + 2 tcomp, not 4a"),
        (times.never_above + sizes.never_above)
            .all("the times are upper bounds, also where s does not divide m", "some schedule is longer"),
        sizes.least.all("no segment size makes T(s) less than T_opt (steps of 1/4)", "some other size is better"),
    };
    tally defined;
    for (std::size_t size = 4; size < 8; ++size) {
        auto const formula =
            *table_formula(binary_tree{}, size, 1000, cost_model::linear(10, 1, 0, ports::unidirectional));
        defined.add(formula.first > formula.next);
    }
    result.claims.push_back(defined.all("the formulae are valid for p > 3; s_opt of the binary tree for 4 ≤ p ≤ 7",
                                        "N = 3 makes it m α / 0: there one segment is best, whatever its size"));
    result.sheets = {times.rows, sizes.rows};
    return {result};
}

std::vector<exhibit> table_2() {
    terms all;
    for (auto const& of : {term{"latency", 1, 0, 0}, term{"bandwidth", 0, 1, 0}, term{"computation", 0, 0, 1}}) {
        for (auto const size : numbers{4, 5, 7, 8, 15, 16, 31, 64}) {
            for (auto const elements : numbers{4, 16, 64}) {
                all.add_any(of, size, elements);
                all.add(binomial{}, of, size, elements);
                all.add(pipeline{}, of, size, elements);
                all.add(binary_tree{}, of, size, elements);
            }
        }
    }
    exhibit result{
        .title = "LL table II: lower bounds of each term, one port",
        .text = "What each algorithm takes at least if only messages (α = 1), only elements sent (β = 1) or only "
                "elements combined (γ = 1) cost something, beside simulations: in one segment for the "
                "latency, in segments of one element for the other two."};
    result.claims = {
        all.any.all("no reduction beats ⌈log2 p⌉α, 2mβ, (p-1)/p mγ: the optimal in-order reduction, uni-greedy", ""),
        all.binomial_terms.all("binomial takes ⌈log2 p⌉ times α, mβ, mγ", ""),
        all.equal_latency.all("latency of the pipeline is (p-1)α, of the binary tree 2(N-1)α (p = 2^N - 1) or less",
                              ""),
        all.pipeline_bandwidth.all("pipeline takes at least (p+2m-3)β", ""),
        all.pipeline_computation.all("pipeline takes at least (p+2m-3)γ",
                                     "left-shifted, ranks combine neighbouring segments together: (p+m-2)γ"),
        all.binary_later_terms.all("binary tree takes at least 2(N+2m-3)β, 2(N+2m-3)γ",
                                   "left-shifted, each further element takes 3β or 2γ, not 4"),
    };
    auto const cut = partition::equal(3, 3);
    auto const costs = cost_model::linear(0, 1, 0, ports::unidirectional);
    auto const verdict = verify(collective::reduce{}, five_steps(), 4, 0, cut);
    auto const steps = simulate(collective::reduce{}, five_steps(), 4, 0, cut, costs).makespan();
    result.claims.push_back(
        {"no reduction beats 2mβ: p = 4, m = 3, β = 1, segments out of order", "6 or more",
         verdict.ok ? analysis::draw::number(steps) : verdict.reason, !verdict.ok || steps >= 6,
         "of p-1 transfers per element p/2 run at once: for even p, without the rule that ranks take "
         "up segments in order, only m(p-1)/(p/2) steps are needed"});
    result.sheets = {all.rows};
    return {result};
}

std::vector<exhibit> table_3() {
    rounds_and_times times;
    auto const add = [&](auto const& generator, numbers segments) {
        for_all_cases(segments, {{1, 0}, {2, 1}, {1, 2}}, [&](auto... at) { times.add(generator, at...); });
    };
    add(binomial{}, {1});
    add(pipeline{}, {1, 2, 3, 5, 8, 16});
    add(binary_tree{}, {1, 2, 3, 5, 8, 16});
    add(bi_greedy{}, {1, 2, 3, 5, 8, 16});
    butterflies halving;
    for (auto const size : numbers{4, 5, 6, 7, 8, 12, 16, 24, 31, 32, 48, 64, 100}) {
        for (auto const elements : numbers{64, 640, 6400}) { halving.add(size, elements); }
    }

    exhibit result{.title = "LL table III: reductions with a port for each direction",
                   .text =
                       "Times in lock step beside the rounds of the schedules and simulations of them. One round takes "
                       "a = α + (β+γ)s."};
    result.claims = {
        times.binomial_equal.all("binomial takes ⌈log2 p⌉ rounds", ""),
        times.pipeline_equal.all("pipeline takes p+q-2 rounds", ""),
        times.binary_as_printed.all("binary tree takes 2(N+q-1) rounds, p = 2^N - 1",
                                    "a misprint: its own s_opt and T_opt, and the schedule, have 2(N+q-2)"),
        times.binary_corrected.all("what its s_opt and T_opt say: binary tree takes 2(N+q-2) rounds, p = 2^N - 1", ""),
        times.bi_greedy_equal.all("bi-greedy takes ⌈log2 p⌉ + q - 1 rounds, as an optimal broadcast reversed; no tree "
                                  "that sends segment by segment takes less",
                                  ""),
        times.never_above.all("no schedule takes longer than in lock step",
                              "some rank waits for another one's later round"),
        halving.powers.all("butterfly takes 2⌈log2 p⌉α + (p-1)/p (2β+γ)m, p a power of two",
                           "blocks are not equally long"),
        halving.others.all("for other p that is a lower bound", ""),
    };
    auto const costs = cost_model::linear(1, 1, 0, ports::bidirectional);
    auto const real = simulate(collective::reduce{}, bi_greedy{}, 16, 0, partition::equal(5, 5), costs).makespan();
    auto const printed = 8 * (costs.transfer(5) + costs.combine(5));
    result.claims.push_back(
        {"section VI: a reversed broadcast takes (⌈log2 p⌉+q-1)(α+βm+γm); p = 16, m = q = 5, α = β = 1",
         analysis::draw::number(printed), analysis::draw::number(real), equal(printed, real),
         "a misprint: m must be the segment size s"});
    result.sheets = {times.rows, halving.rows};
    return {result};
}

}  // namespace tutti::paper
