// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "calls.hpp"
#include "recorder.hpp"

/// The terms of MPI's own sums of doubles, whose operator records nothing.
namespace tutti::inspect {

/// A summand. The last one nearly cancels the others, so that the sum mostly shows which roundings there were.
[[nodiscard]] inline double summand(std::uint64_t seed, ranks self) {
    auto const digest = control::digest_with(seed, operand(static_cast<std::size_t>(self.rank)));
    auto const value = std::ldexp(static_cast<double>(digest >> 11U), static_cast<int>(digest % 8) - 50);
    if (self.rank + 1 != self.size) { return digest % 16 < 8 ? value : -value; }
    double others = 0;
    while (self.rank-- != 0) { others += summand(seed, self); }
    return -0.999 * others;
}

/// The term over these operands, where the least subtree with i and j has `common(i, j)` of them. 0 if there is none.
template <class Common>
[[nodiscard]] element term_from(std::span<std::size_t const> operands, Common const& common, recorder& by) {
    std::map<std::size_t, std::vector<std::size_t>> siblings;  // of the first one's subtrees, by the size of both
    for (auto const each : operands.subspan(1)) { siblings[common(operands[0], each)].push_back(each); }
    auto term = operand(operands[0]);
    std::size_t held = 1;
    for (auto const& [size, sibling] : siblings) {
        auto const other = inspect::term_from(std::span{sibling}, common, by);
        held += sibling.size();
        if (held != size || other == 0) { return 0; }
        by.combine(&other, &term, 1);
    }
    return term;
}

/// The terms of this rank's results, as if `by` had recorded them. For each two ranks, these have M and -M and all
/// others 1, which M absorbs: the sum counts the operands outside the least subtree with both. p (p - 1)/2 calls.
/// Source: P. Xie and others, Revealing Floating-Point Accumulation Orders, arXiv 2411.00442.
[[nodiscard]] inline std::vector<run> terms_of_sum(call const& now, recorder& by) {
    ranks const self{now.comm};
    auto const p = static_cast<std::size_t>(self.size);
    auto const rank = static_cast<std::size_t>(self.rank);
    std::vector<std::vector<run>> sums(p * p);
    std::set<std::uint64_t> firsts;  // of runs in any sum
    for (std::size_t i = 0; i != p; ++i) {
        for (std::size_t j = i + 1; j != p; ++j) {
            auto const mine = rank == i ? 0x1p80 : rank == j ? -0x1p80 : 1.0;
            sums[i * p + j] = sums[j * p + i] = result_of(now, MPI_DOUBLE, MPI_SUM, std::bit_cast<std::uint64_t>(mine));
            for (auto const& each : sums[i * p + j]) { firsts.insert(each.first); }
        }
    }
    std::vector<std::size_t> operands(now.which == kind::scan ? rank + 1 : now.which == kind::exscan ? rank : p);
    std::iota(operands.begin(), operands.end(), std::size_t{0});
    std::vector<run> result;
    for (auto const first : firsts) {
        auto const common = [&, at = first](std::size_t i, std::size_t j) {
            auto const& all = sums[i * p + j];
            auto const next = std::find_if(all.begin(), all.end(), [&](run const& each) { return each.first > at; });
            auto const outside = std::bit_cast<double>(std::prev(next)->value);
            bool const counts = outside >= 0 && outside <= static_cast<double>(operands.size());
            return counts ? operands.size() - static_cast<std::size_t>(outside) : 0;
        };
        auto const term = inspect::term_from(std::span<std::size_t const>{operands}, common, by);
        if (result.empty() || result.back().value != term) { result.push_back({first, term}); }
    }
    return result;
}

}  // namespace tutti::inspect
