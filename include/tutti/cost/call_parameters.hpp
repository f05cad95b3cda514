// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>

#include <tutti/cost/choice_rule.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/node_map.hpp>
#include <tutti/problem.hpp>

namespace tutti::pricing {

/// Quotients that a step depends on are taken to be this much larger, or smaller, than computed: whole ones stay whole
/// however a compiler, or a rank, rounds.
inline constexpr double rounding = 1e-9;

/// `bytes` rounded down to a whole number, at most the largest std::size_t.
[[nodiscard, gnu::cold]] inline std::size_t whole_bytes(double bytes) {
    constexpr auto most = std::numeric_limits<std::size_t>::max();
    return bytes < static_cast<double>(most) ? static_cast<std::size_t>(bytes) : most;
}

/// What any machine is supposed to be like.
[[nodiscard, gnu::cold]] inline machine_model const& supposed_machine() {
    static auto const& result = *new machine_model;
    return result;
}

/// The parameters of the choice of an algorithm: the same on all ranks. Refers to the machine, which outlives it.
struct call_parameters {
    std::size_t size = 1;          ///< ranks
    std::size_t bytes = 0;         ///< of the vector; 0 where elements are serialised and their size is unknown
    std::size_t longest_part = 0;  ///< bytes, where every rank has a part; 0: all are of one size
    bool parts_differ = false;     ///< ranks have given counts; of a gather or scatter, perhaps only the root
    bool indivisible = false;      ///< the vector, or the part of a rank, must not be cut
    machine_model const* machine = &supposed_machine();
    double combine_per_byte = machine_model::usual_combine_per_byte;  ///< γ of the operator, in seconds per byte
    node_map nodes{};                   ///< which ranks share a node
    bool others_send = true;            ///< all ranks send at once: distances make a difference
    bool lends_objects = false;         ///< the communicator lends the senders' own memory: `lends_objects`
    std::optional<choice_rule> rule{};  ///< tuning rule that overrides the estimate

    /// For calls of a collective on this machine, whose rules count. Size, bytes and nodes must be set before.
    [[gnu::noinline, gnu::cold]] void adopt(machine_model const& its_machine, std::string_view collective) {
        machine = &its_machine;
        combine_per_byte = its_machine.combine_per_byte;
        rule = rule_for(its_machine.choices, collective, size, bytes);
    }

    void adopt(machine_model&& its_machine, std::string_view collective) = delete;

    /// What messages cost that leave their node, if any does.
    [[nodiscard, gnu::cold]] loggp const& link() const {
        return nodes.shares_memory(size) ? machine->within_node : machine->between_nodes;
    }
    /// `machine_model::exchange_factor` of these.
    [[nodiscard, gnu::cold]] double exchange_factor() const {
        return on_one_node() ? machine->exchange_factor_within_node : machine->exchange_factor;
    }
    /// Bytes. On a node none is cut: where processors copy it, it keeps them busy for as long, and has to be found more
    /// often.
    [[nodiscard, gnu::cold]] double longest_message() const {
        return on_one_node() ? std::numeric_limits<double>::max() : machine->longest_message;
    }

    [[nodiscard, gnu::cold]] fitted_contention const& fitted() const { return machine->fitted; }

    /// Whether all ranks share a machine, so that it is their processors that move messages.
    [[nodiscard, gnu::noinline, gnu::cold]] bool on_one_node() const { return size > 1 && nodes.shares_memory(size); }

    /// Whether ranks read each other's vectors where they lie: threads on one node do.
    [[nodiscard, gnu::cold]] bool reads_in_place() const { return lends_objects && size > 1 && nodes.count(size) == 1; }

    /// How many ranks take turns on a processor, on the node where there are most; 1 where nothing is known of that.
    [[nodiscard, gnu::noinline, gnu::cold]] double ranks_per_processor() const {
        if (nodes.processors() == 0) { return 1; }
        return std::max(static_cast<double>(nodes.most_on_a_node(size)) / static_cast<double>(nodes.processors()), 1.0);
    }

    /// Length of a message whose transfer takes as long as its latency: of longer messages the bytes count, of shorter
    /// ones the number.
    [[nodiscard, gnu::cold]] std::size_t bytes_per_latency() const {
        return link().per_byte > 0 ? whole_bytes(link().transfer(0) / link().per_byte * (1 + rounding))
                                   : std::numeric_limits<std::size_t>::max();
    }

    /// By which factors messages cost more if all ranks send one at once, each to the rank `distance` away.
    [[nodiscard, gnu::noinline, gnu::cold]] contention contention_at(std::size_t distance) const {
        auto const& distances = machine->distances;
        if (distances.empty() || !others_send) { return {}; }
        auto const shorter = std::max<std::size_t>(std::min(distance % size, size - distance % size), 1);
        auto const power = schedules::bit_width(shorter) - 1;
        if (power + 1 >= distances.size()) { return distances.back(); }
        auto const& lower = distances[power];
        auto const& upper = distances[power + 1];
        auto const beyond = static_cast<double>(shorter) / static_cast<double>(std::size_t{1} << power) - 1;
        return {lower.latency + beyond * (upper.latency - lower.latency),
                lower.per_byte + beyond * (upper.per_byte - lower.per_byte),
                lower.overhead + beyond * (upper.overhead - lower.overhead)};
    }

    /// By which factor messages take longer after a round of another distance. Two or three ranks have one distance,
    /// and a node has no links.
    [[nodiscard, gnu::cold]] double change_of_distance() const {
        return size > 3 && !on_one_node() ? machine->partner_change_factor : 1;
    }

    /// The factors of a round that follows a round of another distance. `meetings` is the factor per byte of other
    /// causes of contention: the larger of both counts.
    [[nodiscard, gnu::noinline, gnu::cold]] contention contention_of_changing_partners(std::size_t distance,
                                                                                       double meetings = 1) const {
        auto result = contention_at(distance);
        result.per_byte *= std::max(change_of_distance(), meetings);
        if (size > 3 && !on_one_node() && others_send) {
            result.latency = std::max(result.latency, machine->slowest_route);
        }
        return result;
    }

    /// The mean of the factors over all distances.
    [[nodiscard, gnu::noinline, gnu::cold]] contention mean_contention() const {
        auto const& distances = machine->distances;
        if (distances.empty() || !others_send) { return {}; }
        contention mean{0, 0, 0};
        for (auto const& each : distances) {
            mean.overhead += each.overhead / static_cast<double>(distances.size());
            mean.latency += each.latency / static_cast<double>(distances.size());
            mean.per_byte += each.per_byte / static_cast<double>(distances.size());
        }
        return mean;
    }
};

}  // namespace tutti::pricing

namespace tutti {
using pricing::call_parameters;
}  // namespace tutti
