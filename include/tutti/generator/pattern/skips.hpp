// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include <tutti/cost/price.hpp>

namespace tutti::generators {

/// The distances 1 = s_0 < s_1 < ... < s_q = p that circulant algorithms bridge: s_k = ⌈s_{k+1} / d⌉.
///
/// q = ⌈log_d p⌉, and s_{k+1} <= d s_k: whatever a rank knows after the distances below s_k, the multiples
/// s_k, ..., (d-1) s_k make d times as much, or complete.
/// Requires 1 <= p <= 2^63, d >= 2. Cost: O(log p), computed once.
/// Source: [traeff25], for d = 2.
class dividing_skips {
public:
    static constexpr std::size_t most = 63;  ///< largest q

    constexpr dividing_skips(std::size_t size, std::size_t divisor) : divisor_{divisor} {
        for (auto left = size; left > 1; left = divided(left)) { ++count_; }
        skips_[count_] = size;
        for (auto k = count_; k-- > 0;) { skips_[k] = divided(skips_[k + 1]); }
    }

    /// q: the distances below p.
    [[nodiscard]] constexpr std::size_t count() const { return count_; }
    [[nodiscard]] constexpr std::size_t size() const { return skips_[count_]; }
    [[nodiscard]] constexpr std::size_t divisor() const { return divisor_; }

    /// s_k, k = 0 .. q.
    [[nodiscard]] constexpr std::size_t operator[](std::size_t k) const { return skips_[k]; }

    friend bool operator==(dividing_skips const&, dividing_skips const&) = default;

private:
    [[nodiscard]] constexpr std::size_t divided(std::size_t distance) const {
        return distance / divisor_ + (distance % divisor_ != 0 ? 1 : 0);
    }

    std::array<std::size_t, most + 1> skips_{};
    std::size_t divisor_;
    std::size_t count_ = 0;
};

/// The distances with d = 2, which double or complete what a rank knows. For powers of two they are a hypercube's.
class halving_skips : public dividing_skips {
public:
    explicit constexpr halving_skips(std::size_t size) : dividing_skips{size, 2} {}
    friend bool operator==(halving_skips const&, halving_skips const&) = default;
};

/// The sum over the rounds of a circulant in which ranks send up to `ports` messages at a time.
[[nodiscard, gnu::cold]] inline double time_of_circulant(std::size_t ports, pricing::message_costs const& costs,
                                                         call_parameters const& now) {
    dividing_skips const skips{now.size, ports + 1};
    auto const part = pricing::part_of(now);
    bool const fills_trees = std::has_single_bit(now.size);
    double result = 0;
    for (std::size_t k = 0; k != skips.count(); ++k) {
        auto const distance = skips[k];
        auto const others = skips[k + 1] - distance;  // parts that are sent, `distance` of them in a message
        auto const messages = (others - 1) / distance + 1;
        auto const bytes = part * static_cast<double>(others) / static_cast<double>(messages);
        auto const farthest = std::min(messages * distance, now.size / 2);
        bool const in_tree = now.contention_at(farthest).latency > 1;
        // of two messages with links of their own, the second has none to overtake
        bool const own_links = !in_tree || fills_trees;
        bool const in_order =
            messages == 1 || (messages == 2 && own_links && bytes < machine_model::usual_rendezvous_threshold);
        bool const crowded = !in_order && bytes > static_cast<double>(now.bytes_per_latency());
        auto const factors = now.contention_of_changing_partners(farthest, crowded ? now.fitted().several_ports : 1);
        auto const meetings = in_tree && fills_trees ? now.fitted().each_port * static_cast<double>(messages - 1) : 0;
        result += (1 + meetings) * costs.round(messages, bytes, factors);
    }
    return result;
}

}  // namespace tutti::generators
