// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include "tree_claims.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <tutti/generator/fibonacci.hpp>
#include <tutti/generator/limited_reducers.hpp>
#include <tutti/generator/limited_transfers.hpp>
#include <tutti/generator/overlapped_greedy.hpp>
#include <tutti/generator/pattern/tree/greedy.hpp>


namespace tutti::paper {

namespace {

void for_all_costs(std::size_t most, std::function<void(overlapped_costs)> const& visit) {
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

worst_costs search(greedy_tree const& strategy, overlapped_costs conjectured) {
    auto const worst = lengths(strategy, conjectured);
    auto const worst_best = lengths(grow_greedy_tree(conjectured, strategy.size()), conjectured);
    std::size_t top = 1;
    for (std::size_t i = 1; i < worst.size(); ++i) {
        if (greater(worst[i], worst_best[i], worst[top], worst_best[top])) { top = i; }
    }
    worst_costs result;
    std::vector<bool> holds(worst.size(), true);
    for_all_costs(12, [&](overlapped_costs costs) {
        auto const own = lengths(strategy, costs);
        auto const best = lengths(grow_greedy_tree(costs, strategy.size()), costs);
        for (std::size_t i = 1; i < own.size(); ++i) {
            if (greater(own[i], best[i], worst[i], worst_best[i])) { holds[i] = false; }
            if (greater(own[i], best[i], worst[top], worst_best[top])) { result.overall = false; }
        }
    });
    for (std::size_t i = 1; i < holds.size(); ++i) { result.each.add(holds[i]); }
    return result;
}

/// (⌊log2 K⌋ + 1 + ⌈n/K - 2⌉)(d + c), n ≥ 2K
std::size_t printed_bound(std::size_t n, std::size_t limit, overlapped_costs costs) {
    auto const doubling = static_cast<std::size_t>(std::bit_width(limit));
    return (doubling + (n + limit - 1) / limit - 2) * (costs.transfer + costs.combine);
}

/// (f + ⌈(n - 2^f)/K⌉)(d + c), f = ⌊log2 K⌋ + 1, n ≥ 2K
std::size_t corrected_bound(std::size_t n, std::size_t limit, overlapped_costs costs) {
    auto const doubling = static_cast<std::size_t>(std::bit_width(limit));
    auto const rest = n - (std::size_t{1} << doubling);
    return (doubling + (rest + limit - 1) / limit) * (costs.transfer + costs.combine);
}

struct limit_tallies {
    tally printed;
    tally printed_power_of_two;
    tally corrected;
    tally same_length;

    void add(std::size_t n, std::size_t limit, overlapped_costs costs) {
        auto const transfers = length(limited_transfers{limit, costs.transfer, costs.combine}, n);
        auto const reducers = length(limited_reducers{limit, costs.transfer, costs.combine}, n);
        auto const longer = std::max(transfers, reducers);
        auto& of = std::has_single_bit(limit) ? printed_power_of_two : printed;
        of.add(longer <= printed_bound(n, limit, costs));
        corrected.add(longer <= corrected_bound(n, limit, costs));
        if (costs.transfer >= costs.combine) { same_length.add(transfers == reducers); }
    }
};

}  // namespace

std::vector<claim> worst_cost_claims() {
    constexpr std::size_t most = 600;
    auto const binomial = search(tree_of(overlapped_greedy::binomial_strategy(), most), {1, 1});
    auto const fibonacci_tree = search(tree_of(fibonacci{}, most), {0, 1});
    return {
        {"conjecture: these costs are the worst for both strategies (d, c ≤ 12; the greatest ratio for n ≤ 600)",
         "no greater ratio", binomial.overall && fibonacci_tree.overall ? "no greater ratio" : "a greater ratio",
         binomial.overall && fibonacci_tree.overall, "other costs are worse"},
        binomial.each.all("if meant for each n by itself: binomial strategy", "for some n other costs are worse"),
        fibonacci_tree.each.all("if meant for each n by itself: Fibonacci strategy",
                                "for some n other costs are worse"),
    };
}

exhibit tree_bounds() {
    tally bounded;
    tally binomial_length;
    tally fibonacci_length;
    for_all_costs(10, [&](overlapped_costs costs) {
        auto const [d, c] = costs;
        constexpr std::size_t most = 1024;
        auto const best = lengths(tree_of(overlapped_greedy{d, c}, most), costs);
        for (std::size_t n = 2; n <= most; ++n) {
            auto const rounds = static_cast<std::size_t>(std::bit_width(n - 1));
            bounded.add(rounds * std::max(d, c) <= best[n - 1] && best[n - 1] <= rounds * (d + c));
        }
        auto const binomial = lengths(tree_of(overlapped_greedy::binomial_strategy(), most), costs);
        for (std::size_t k = 1; k <= 10; ++k) {
            binomial_length.add(binomial[(std::size_t{1} << k) - 1] == k * (d + c));
        }
        auto const fibonacci_tree = lengths(tree_of(fibonacci{}, most), costs);
        for (std::size_t k = 1, previous = 1, n = 2; n <= most; ++k) {
            fibonacci_length.add(fibonacci_tree[n - 1] == d + (k - 1) * std::max(d, c) + c);
            auto const next = n + previous;
            previous = n;
            n = next;
        }
    });
    limit_tallies limits;
    for_all_costs(4, [&](overlapped_costs costs) {
        for (std::size_t n = 2; n <= 80; ++n) {
            for (std::size_t limit = 1; limit <= n / 2; ++limit) { limits.add(n, limit, costs); }
        }
    });

    exhibit result{
        .title = "CA bounds: lengths of trees",
        .text = "What the paper proves of the lengths of its trees, for n ≤ 1024 and d, c ≤ 10; with limits of K "
                "transfers or K reducers for n ≤ 80, K ≤ n/2 and d, c ≤ 4."};
    result.claims = {
        bounded.all("lemma 5, proposition 6: ⌈log2 n⌉ max(d,c) ≤ optimum ≤ ⌈log2 n⌉ (d+c)", ""),
        binomial_length.all("proposition 13: a binomial tree of 2^k elements takes k(d+c)", ""),
        fibonacci_length.all("proposition 16: a Fibonacci tree of F_{k+2} elements takes d + (k-1)max(d,c) + c", ""),
        limits.same_length.all("theorem 10: for d ≥ c K reducers take as long as K transfers", ""),
        limits.printed_power_of_two.all(
            "proposition 8, corollary 11: (⌊log2 K⌋ + 1 + ⌈n/K - 2⌉)(d+c) at most, K a power of two", ""),
        limits.printed.all("the same for other K", "the proof has n - 2^(⌊log2 K⌋+1) < n - 2K, which is false there; n "
                                                   "= 6, K = 3, d = 0, c = 1 takes 3, not 2"),
        limits.corrected.all("corrected: (f + ⌈(n - 2^f)/K⌉)(d+c) at most, f = ⌊log2 K⌋ + 1, every K", ""),
    };
    return result;
}

}  // namespace tutti::paper
