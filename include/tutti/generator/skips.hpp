// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>

namespace tutti {

/// The distances 1 = s_0 < s_1 < ... < s_q = p that circulant algorithms bridge: s_k = ⌈s_{k+1} / 2⌉.
///
/// q = ⌈log2 p⌉, and s_{k+1} <= 2 s_k: whatever a rank knows after the distances below s_k, s_k doubles or completes.
/// For powers of two these are the distances of a hypercube.
/// Requires 1 <= p <= 2^63. Cost: O(log p), computed once.
/// Source: Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms.
class halving_skips {
public:
    static constexpr std::size_t most = 63;  ///< largest q

    explicit constexpr halving_skips(std::size_t size) {
        for (auto left = size; left > 1; left -= left / 2) { ++count_; }
        skips_[count_] = size;
        for (auto k = count_; k-- > 0;) { skips_[k] = skips_[k + 1] - skips_[k + 1] / 2; }
    }

    /// q: the distances below p.
    [[nodiscard]] constexpr std::size_t count() const { return count_; }
    [[nodiscard]] constexpr std::size_t size() const { return skips_[count_]; }

    /// s_k, k = 0 .. q.
    [[nodiscard]] constexpr std::size_t operator[](std::size_t k) const { return skips_[k]; }

    friend bool operator==(halving_skips const&, halving_skips const&) = default;

private:
    std::array<std::size_t, most + 1> skips_{};
    std::size_t count_ = 0;
};

}  // namespace tutti
