// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <tutti/cost/price.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/skips.hpp>

namespace tutti::generators {

/// `circulant` for ranks that have k = `ports` messages in flight at once, and need fewer rounds.
///
/// The distances are s_i = ⌈s_{i+1} / (k+1)⌉. In the round of s_i rank r sends what it has of the parts of the ranks
/// r + j s_i, ..., r + min((j+1) s_i, s_{i+1}) - 1, for j = 1 .. k, to the first of them, and keeps those of
/// r, ..., r + s_i - 1.
/// Requires 1 <= ports <= send_window, else std::invalid_argument when schedules are generated.
/// Each part is combined in one place. Reversed, it is an all_gather. With one port it is `circulant`, step for step.
/// Cost, for equal parts: at most k ⌈log_{k+1} p⌉ messages, (p-1)/p m (β + γ). To generate: O(k log_{k+1} p).
/// Source: [traeff25]; [bruck97], for k ports.
/// Counts of reduce_scatter, k - 1 ports: ⌈log_k p⌉, of up to k - 1 messages | m (p - 1)/p | m (p - 1)/p.
/// Counts of all_reduce, k - 1 ports: 2 ⌈log_k p⌉, of up to k - 1 messages | 2 m (p - 1)/p | m (p - 1)/p.
struct ported_circulant {
    std::size_t ports = 3;
    friend bool operator==(ported_circulant const&, ported_circulant const&) = default;
};

constexpr facts describe(collective::reduce_scatter, std::type_identity<ported_circulant>) {
    return {.name = "ported_circulant", .requires_commutative = true, .one_ported = false, .keeps_round_order = true};
}

[[nodiscard, gnu::cold]] inline lazy_schedule generate(collective::reduce_scatter, ported_circulant const& generator,
                                                       problem const& at) {
    if (generator.ports == 0 || generator.ports > schedules::send_window) {
        throw std::invalid_argument{"tutti: ported_circulant has from 1 to " + std::to_string(schedules::send_window) +
                                    " messages under way, not " + std::to_string(generator.ports) +
                                    "; choose ports in between"};
    }
    return circulant_schedule(dividing_skips{at.size, generator.ports + 1}, at);
}

[[nodiscard, gnu::cold]] inline double time_of(collective::reduce_scatter, ported_circulant const& generator,
                                               pricing::message_costs const& costs, call_parameters const& now) {
    return time_of_circulant(generator.ports, costs, now);
}

}  // namespace tutti::generators

namespace tutti {
using generators::ported_circulant;
}  // namespace tutti
