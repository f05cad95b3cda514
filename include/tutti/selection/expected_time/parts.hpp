// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

#include <tutti/generator/binary_blocks.hpp>
#include <tutti/generator/bucket.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/pattern/skips.hpp>
#include <tutti/generator/ported_circulant.hpp>
#include <tutti/generator/round_optimal.hpp>
#include <tutti/problem.hpp>
#include <tutti/selection/call_parameters.hpp>
#include <tutti/selection/expected_time/trees.hpp>
#include <tutti/selection/message_costs.hpp>

namespace tutti {

/// Bytes of a rank's part of the vector, the longest where they differ: in every round one rank or another has it.
[[nodiscard, gnu::cold]] inline double part_of(call_parameters const& now) {
    return std::max(static_cast<double>(now.longest_part),
                    static_cast<double>(now.bytes) / static_cast<double>(now.size));
}

/// Bytes from which on most MPIs send by rendezvous: a message waits for its receiver, and others overtake it.
inline constexpr double rendezvous_threshold = 64 * 1024;

/// Every rank sends to the next one and combines what it receives. Two ranks exchange; of more ranks no two send to
/// each other, so that the factor of an exchange does not count.
[[nodiscard, gnu::cold]] inline double time_of_shift(double bytes, message_costs const& costs,
                                                     call_parameters const& now) {
    auto const factors = now.contention_at(1);
    return now.size == 2 ? costs.exchange(bytes, factors) : costs.one_way(bytes, factors);
}

/// Each part goes through all ranks in `messages` messages; a rank passes one on while the next one arrives.
[[nodiscard, gnu::cold]] inline double time_of_shifts(std::size_t messages, message_costs const& costs,
                                                      call_parameters const& now) {
    auto const count = static_cast<double>(messages);
    auto const bytes = part_of(now) / count;
    auto const hop = time_of_shift(bytes, costs, now);
    // of two ranks each waits for the other
    auto const next = messages == 1 || now.size == 2 ? hop : costs.stage(bytes, 1, now.contention_at(1));
    return static_cast<double>(now.size - 1) * std::max(hop, count * next) + std::min(hop - next, (count - 1) * next);
}

/// The sum over the rounds of a circulant in which ranks send up to `ports` messages at a time.
[[nodiscard, gnu::cold]] inline double time_of_circulant(std::size_t ports, message_costs const& costs,
                                                         call_parameters const& now) {
    dividing_skips const skips{now.size, ports + 1};
    auto const part = part_of(now);
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
        bool const in_order = messages == 1 || (messages == 2 && own_links && bytes < rendezvous_threshold);
        bool const crowded = !in_order && bytes > static_cast<double>(now.bytes_per_latency());
        auto const factors = now.contention_of_changing_partners(farthest, crowded ? now.fitted.several_ports : 1);
        auto const meetings = in_tree && fills_trees ? now.fitted.each_port * static_cast<double>(messages - 1) : 0;
        result += (1 + meetings) * costs.round(messages, bytes, factors);
    }
    return result;
}

[[nodiscard, gnu::cold]] inline double time_of(collective::reduce_scatter, circulant const&, message_costs const& costs,
                                               call_parameters const& now) {
    return time_of_circulant(1, costs, now);
}
[[nodiscard, gnu::cold]] inline double time_of(collective::reduce_scatter, ported_circulant const& generator,
                                               message_costs const& costs, call_parameters const& now) {
    return time_of_circulant(generator.ports, costs, now);
}

/// Every rank sends to the next one only.
[[nodiscard, gnu::cold]] inline double time_of(collective::reduce_scatter, bucket const& generator,
                                               message_costs const& costs, call_parameters const& now) {
    return time_of_shifts(generator.segments, costs, now);
}

/// No part travels whole in every round; the owner of the longest part receives it p - 1 times.
[[nodiscard, gnu::cold]] inline double time_of(collective::reduce_scatter, round_optimal const&,
                                               message_costs const& costs, call_parameters const& now) {
    auto const whole = static_cast<double>(now.bytes);
    return 2 * log2_of(now.size) * costs.latency() +
           costs.length(now.fitted.circulants * whole, now.mean_contention()) + costs.combine(whole);
}

/// Times of the groups of binary_blocks for a vector of `bytes` bytes.
class digit_group_times {
public:
    digit_group_times(double bytes, message_costs const& costs, call_parameters const& now)
        : groups_{now.size}, bytes_{bytes}, costs_{costs}, transfer_only_{costs.without_combines()}, now_{now} {}

    /// Until the largest group has the total: it waits for its own halvings, or for what smaller ones send.
    [[nodiscard, gnu::noinline]] double to_largest() const {
        double ready = 0;
        std::size_t before = 0;
        bool first = true;
        for (std::size_t level = 0; level <= groups_.top(); ++level) {
            if (!groups_.has(level)) { continue; }
            auto const halved = halvings(level, costs_);
            ready = first ? halved : std::max(halved, ready + to_group(before, level, costs_));
            before = level;
            first = false;
        }
        return ready;
    }

    /// From there until all groups have the whole vector.
    [[nodiscard, gnu::noinline]] double to_all() const {
        double begins = 0, ends = halvings(groups_.top(), transfer_only_);
        for (auto level = groups_.top(); groups_.has_smaller(level);) {
            auto const next = groups_.smaller(level);
            begins += to_group(next, level, transfer_only_);
            ends = std::max(ends, begins + halvings(next, transfer_only_));
            level = next;
        }
        return ends;
    }

    /// From there until a root in the largest group has gathered the parts.
    [[nodiscard, gnu::noinline]] double to_root() const {
        double result = 0;
        for (std::size_t level = 0; level != groups_.top(); ++level) {
            result += transfer_only_.one_way(part(level + 1), factors(level));
        }
        return result;
    }

    /// From there until each rank has the part that it owns, of which two ranks may have pieces.
    [[nodiscard, gnu::noinline]] double to_owners() const {
        return transfer_only_.round(groups_.one() ? 1 : 2, bytes_ / static_cast<double>(now_.size),
                                    now_.mean_contention());
    }

private:
    [[nodiscard]] double part(std::size_t halvings) const {
        return bytes_ / static_cast<double>(std::size_t{1} << halvings);
    }
    [[nodiscard]] contention factors(std::size_t level) const {
        return now_.contention_of_changing_partners(std::size_t{1} << level);
    }
    [[nodiscard]] double halvings(std::size_t levels, message_costs const& costs) const {
        double result = 0;
        for (std::size_t level = 0; level != levels; ++level) {
            result += costs.exchange(part(level + 1), factors(level));
        }
        return result;
    }
    // A rank of the smaller group sends to, or receives from, several of the larger one.
    [[nodiscard]] double to_group(std::size_t smaller, std::size_t larger, message_costs const& costs) const {
        auto const messages = std::size_t{1} << (larger - smaller);
        auto const links = now_.mean_contention();
        return costs.one_way(part(larger), links) +
               static_cast<double>(messages - 1) * transfer_only_.gap(part(larger), links);
    }

    digit_groups groups_;
    double bytes_;
    message_costs costs_;
    message_costs transfer_only_;
    call_parameters const& now_;  // outlives this
};

[[nodiscard]] inline double time_of(collective::all_reduce, binary_blocks const&, message_costs const& costs,
                                    call_parameters const& now) {
    digit_group_times const times{static_cast<double>(now.bytes), costs, now};
    return times.to_largest() + times.to_all();
}
[[nodiscard]] inline double time_of(collective::reduce, binary_blocks const&, message_costs const& costs,
                                    call_parameters const& now) {
    digit_group_times const times{static_cast<double>(now.bytes), costs, now};
    return times.to_largest() + times.to_root();
}
[[nodiscard]] inline double time_of(collective::reduce_scatter, binary_blocks const&, message_costs const& costs,
                                    call_parameters const& now) {
    digit_group_times const times{static_cast<double>(now.size) * part_of(now), costs, now};
    return times.to_largest() + times.to_owners();
}

}  // namespace tutti
