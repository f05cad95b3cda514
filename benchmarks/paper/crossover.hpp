// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <bit>
#include <cstddef>
#include <limits>
#include <numeric>

namespace tutti::paper {

/// A fraction in lowest terms; x/0 is infinite.
struct fraction {
    std::size_t numerator = 0;
    std::size_t denominator = 1;

    [[nodiscard]] double value() const {
        return denominator == 0 ? std::numeric_limits<double>::infinity()
                                : static_cast<double>(numerator) / static_cast<double>(denominator);
    }
    friend bool operator==(fraction const&, fraction const&) = default;
};

/// Below which β/γ a butterfly is faster than a reduction in ⌈log2 p⌉ + q - 1 rounds for some length of the vector:
/// ((L-1)p + L + 1) / (2(p - L - 1)) with L = ⌈log2 p⌉, and for every β/γ if p is 2 or 3.
/// Requires at least two ranks, and α > 0.
/// With u² = m(β+γ)/α and k = (p-1)/p (1 + β/(β+γ)) - 1 the butterfly gains α (-(L+1) + 2u√(L-1) - k u²), at most
/// α (-(L+1) + (L-1)/k). Where that is 0 the best number of segments is L+1, so that whole segments change nothing.
/// Source: Lowery and Langou, table III and figure 7.
[[nodiscard]] constexpr fraction butterfly_threshold(std::size_t size) {
    auto const rounds = static_cast<std::size_t>(std::bit_width(size - 1));
    auto const numerator = (rounds - 1) * size + rounds + 1;
    auto const denominator = 2 * (size - rounds - 1);
    auto const common = std::gcd(numerator, denominator);
    return {numerator / common, denominator / common};
}

}  // namespace tutti::paper
