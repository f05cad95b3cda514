// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include <cstddef>
#include <string>
#include <vector>

#include <tutti/analysis/simulate.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/generator/binary_tree.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/uni_greedy.hpp>

#include "exhibit.hpp"
#include "formulas.hpp"
#include "listed.hpp"

namespace tutti::paper {

namespace {

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
         verdict.ok ? draw::number(steps) : verdict.reason, !verdict.ok || steps >= 6,
         "of p-1 transfers per element p/2 run at once: for even p, without the rule that ranks take "
         "up segments in order, only m(p-1)/(p/2) steps are needed"});
    result.sheets = {all.rows};
    return {result};
}

}  // namespace tutti::paper
