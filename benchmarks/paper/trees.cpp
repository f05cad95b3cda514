// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include <bit>

#include <tutti/generator/papers/fibonacci.hpp>
#include <tutti/generator/papers/limited_reducers.hpp>
#include <tutti/generator/papers/limited_transfers.hpp>
#include <tutti/generator/papers/overlapped_greedy.hpp>
#include <tutti/generator/pattern/tree/greedy.hpp>

#include "exhibit.hpp"
#include "tree_lengths.hpp"

namespace tutti::paper {

namespace {

void for_all_costs(std::size_t most, std::function<void(generators::overlapped_costs)> const& visit) {
    for (std::size_t d = 0; d <= most; ++d) {
        for (std::size_t c = 0; c <= most; ++c) {
            if (d + c != 0) { visit({d, c}); }
        }
    }
}

/// Compares n₁/m₁ and n₂/m₂ without rounding.
bool greater(std::size_t n1, std::size_t m1, std::size_t n2, std::size_t m2) { return n1 * m2 > n2 * m1; }

struct worst_costs {
    bool overall = true;  ///< no costs have a greater ratio for any n
    tally each;           ///< nor for the same n
};

worst_costs search(std::string const& name, generators::greedy_tree const& strategy,
                   generators::overlapped_costs conjectured) {
    auto const worst = lengths(strategy, conjectured);
    auto const worst_best = lengths(generators::grow_greedy_tree(conjectured, strategy.size()), conjectured);
    std::size_t top = 1;
    for (std::size_t i = 1; i < worst.size(); ++i) {
        if (greater(worst[i], worst_best[i], worst[top], worst_best[top])) { top = i; }
    }
    worst_costs result{.each = {"if meant for each n by itself: " + name, "for some n other costs are worse"}};
    std::vector<bool> holds(worst.size(), true);
    for_all_costs(12, [&](generators::overlapped_costs costs) {
        auto const own = lengths(strategy, costs);
        auto const best = lengths(generators::grow_greedy_tree(costs, strategy.size()), costs);
        for (std::size_t i = 1; i < own.size(); ++i) {
            if (greater(own[i], best[i], worst[i], worst_best[i])) { holds[i] = false; }
            if (greater(own[i], best[i], worst[top], worst_best[top])) { result.overall = false; }
        }
    });
    for (std::size_t i = 1; i < holds.size(); ++i) { result.each.add(holds[i]); }
    return result;
}

/// (⌊log2 K⌋ + 1 + ⌈n/K - 2⌉)(d + c), n ≥ 2K
std::size_t printed_bound(std::size_t n, std::size_t limit, generators::overlapped_costs costs) {
    auto const doubling = static_cast<std::size_t>(std::bit_width(limit));
    return (doubling + (n + limit - 1) / limit - 2) * (costs.transfer + costs.combine);
}

/// (f + ⌈(n - 2^f)/K⌉)(d + c), f = ⌊log2 K⌋ + 1, n ≥ 2K
std::size_t corrected_bound(std::size_t n, std::size_t limit, generators::overlapped_costs costs) {
    auto const doubling = static_cast<std::size_t>(std::bit_width(limit));
    auto const rest = n - (std::size_t{1} << doubling);
    return (doubling + (rest + limit - 1) / limit) * (costs.transfer + costs.combine);
}

/// That the costs of figure 2 are the worst for the two strategies.
std::vector<claim> worst_cost_claims() {
    constexpr std::size_t most = 600;
    auto const binomial = search("binomial strategy",
                                 generators::tree_of(overlapped_greedy::binomial_strategy(), most), {1, 1});
    auto const fibonacci_tree = search("Fibonacci strategy", generators::tree_of(fibonacci{}, most), {0, 1});
    return {
        {"conjecture: these costs are the worst for both strategies (d, c ≤ 12; the greatest ratio for n ≤ 600)",
         "no greater ratio", binomial.overall && fibonacci_tree.overall ? "no greater ratio" : "a greater ratio",
         binomial.overall && fibonacci_tree.overall, "other costs are worse"},
        binomial.each,
        fibonacci_tree.each,
    };
}

/// What the paper proves of lengths.
exhibit tree_bounds() {
    exhibit result{
        .title = "CA bounds: lengths of trees",
        .text = "What the paper proves of the lengths of its trees, for n ≤ 1024 and d, c ≤ 10; with limits of K "
                "transfers or K reducers for n ≤ 80, K ≤ n/2 and d, c ≤ 4."};
    tally bounded{"lemma 5, proposition 6: ⌈log2 n⌉ max(d,c) ≤ optimum ≤ ⌈log2 n⌉ (d+c)"};
    tally of_binomial{"proposition 13: a binomial tree of 2^k elements takes k(d+c)"};
    tally of_fibonacci{"proposition 16: a Fibonacci tree of F_{k+2} elements takes d + (k-1)max(d,c) + c"};
    for_all_costs(10, [&](generators::overlapped_costs costs) {
        auto const [d, c] = costs;
        constexpr std::size_t most = 1024;
        auto const best = lengths(generators::tree_of(overlapped_greedy{d, c}, most), costs);
        for (std::size_t n = 2; n <= most; ++n) {
            auto const rounds = static_cast<std::size_t>(std::bit_width(n - 1));
            bounded.add(rounds * std::max(d, c) <= best[n - 1] && best[n - 1] <= rounds * (d + c));
        }
        auto const binomial = lengths(generators::tree_of(overlapped_greedy::binomial_strategy(), most), costs);
        for (std::size_t k = 1; k <= 10; ++k) { of_binomial.add(binomial[(std::size_t{1} << k) - 1] == k * (d + c)); }
        auto const fibonacci_tree = lengths(generators::tree_of(fibonacci{}, most), costs);
        for (std::size_t k = 1, previous = 1, n = 2; n <= most; ++k) {
            of_fibonacci.add(fibonacci_tree[n - 1] == d + (k - 1) * std::max(d, c) + c);
            n += std::exchange(previous, n);
        }
    });

    tally same_length{"theorem 10: for d ≥ c K reducers take as long as K transfers"};
    tally power_of_two{"proposition 8, corollary 11: (⌊log2 K⌋ + 1 + ⌈n/K - 2⌉)(d+c) at most, K a power of two"};
    tally other_limit{"the same for other K", "the proof has n - 2^(⌊log2 K⌋+1) < n - 2K, which is false there; n "
                                              "= 6, K = 3, d = 0, c = 1 takes 3, not 2"};
    tally corrected{"corrected: (f + ⌈(n - 2^f)/K⌉)(d+c) at most, f = ⌊log2 K⌋ + 1, every K"};
    for_all_costs(4, [&](generators::overlapped_costs costs) {
        auto const [d, c] = costs;
        for (std::size_t n = 2; n <= 80; ++n) {
            for (std::size_t limit = 1; limit <= n / 2; ++limit) {
                auto const transfers = generators::makespan_of(limited_transfers{limit, d, c}, n);
                auto const reducers = generators::makespan_of(limited_reducers{limit, d, c}, n);
                auto const longer = std::max(transfers, reducers);
                (std::has_single_bit(limit) ? power_of_two : other_limit).add(longer <= printed_bound(n, limit, costs));
                corrected.add(longer <= corrected_bound(n, limit, costs));
                if (d >= c) { same_length.add(transfers == reducers); }
            }
        }
    });
    result.claims = {bounded, of_binomial, of_fibonacci, same_length, power_of_two, other_limit, corrected};
    return result;
}

exhibit figure_1_of_trees() {
    exhibit result{.title = "CA figure 1: four elements",
                   .text =
                       "n = 4, a transfer takes as long as a combine (d = c = 1): the greedy tree's schedule, where a "
                       "machine combines while the next element comes."};
    auto const line = simulate(collective::reduce{}, overlapped_greedy{}, 4, 0, partition::equal(1, 1),
                               cost_model::per_block(1, 1, ports::overlapped));
    add_gantt(result, "trees_figure1", line, "Overlapped greedy: n = 4, d = c = 1",
              "Upper half of a lane: transfers, lower half: combines.");
    std::vector<std::string> starts;
    for (auto const& each : line.events) {
        if (each.what == analysis::activity::transfer) { starts.push_back(analysis::draw::number(each.start)); }
    }
    std::sort(starts.begin(), starts.end());
    auto const listed = joined(starts);
    result.claims = {
        {"transfers start at 0, d and 2d", "0, 1, 2", listed, listed == "0, 1, 2", "another tree of the same length"}};
    return result;
}

/// Lengths of the strategy's trees over those of the best ones, at the same costs; entry i is for i + 1 elements.
std::vector<double> ratios_of(generators::greedy_tree const& strategy, generators::overlapped_costs costs) {
    auto const own = lengths(strategy, costs);
    auto const best = lengths(generators::grow_greedy_tree(costs, strategy.size()), costs);
    std::vector<double> result(own.size(), 1.0);
    for (std::size_t i = 1; i < own.size(); ++i) {
        result[i] = static_cast<double>(own[i]) / static_cast<double>(best[i]);
    }
    return result;
}

std::string greatest(std::vector<double> const& values) {
    auto const at = std::max_element(values.begin(), values.end());
    return fixed(*at, 4) + " at n = " + std::to_string(at - values.begin() + 1);
}

bool at_most(std::vector<double> const& values, double limit) {
    return *std::max_element(values.begin(), values.end()) <= limit;
}

exhibit figure_2_of_trees() {
    constexpr std::size_t most = 10000;
    auto const binomial = ratios_of(generators::tree_of(overlapped_greedy::binomial_strategy(), most), {1, 1});
    auto const fibonacci_ratios = ratios_of(generators::tree_of(fibonacci{}, most), {0, 1});

    exhibit result{
        .title = "CA figure 2: approximation ratios of the binomial and the Fibonacci strategy",
        .text = "The length of the binomial strategy's tree at d = c, and of the Fibonacci strategy's tree at "
                "min(d, c) = 0, over that of the best tree, for 2 ≤ n ≤ 10000. Where n is no power of two, or no "
                "Fibonacci number, the strategies' trees depend on how ties are broken, which the paper leaves "
                "open; here the smallest machine wins."};
    sheet rows{"trees_figure2.csv", {"n", "binomial", "fibonacci"}};
    for (std::size_t n = 2; n <= most; ++n) {
        rows.add(n, fixed(binomial[n - 1], 6), fixed(fibonacci_ratios[n - 1], 6));
    }
    result.sheets = {rows};
    result.claims = {
        {"theorem 18: at d = c the binomial strategy is a 2-approximation", "2 at most", greatest(binomial),
         at_most(binomial, 2)},
        {"theorem 19: the Fibonacci strategy is a 2-approximation", "2 at most", greatest(fibonacci_ratios),
         at_most(fibonacci_ratios, 2)},
    };
    for (auto& each : worst_cost_claims()) { result.claims.push_back(std::move(each)); }
    return result;
}

}  // namespace

std::vector<exhibit> tree_figures() { return {figure_1_of_trees(), figure_2_of_trees(), tree_bounds()}; }

}  // namespace tutti::paper
