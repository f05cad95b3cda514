// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/cost/choice_rule.hpp>
#include <tutti/cost/contention.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/text.hpp>

namespace tutti::pricing {

/// The costs of messages between two ranks, in seconds and seconds per byte: L, o, g and G.
///
/// A message of m bytes takes o + L + m G + o, and occupies each side's processor for o. Consecutive messages start
/// max(g, m G) apart.
/// Source: [culler93], [alexandrov95].
struct loggp {
    double latency = 0;   ///< L: in the network
    double overhead = 0;  ///< o: of the processor, on either side
    double gap = 0;       ///< g: between short messages
    double per_byte = 0;  ///< G

    /// The time from the send of a message to its arrival.
    [[nodiscard]] constexpr double transfer(std::size_t bytes) const {
        return latency + 2 * overhead + static_cast<double>(bytes) * per_byte;
    }
    /// From one message to the next.
    [[nodiscard]] constexpr double interval(std::size_t bytes) const {
        return std::max(gap, static_cast<double>(bytes) * per_byte);
    }

    friend bool operator==(loggp const&, loggp const&) = default;
};

/// The costs of messages and combines on a machine, in seconds and seconds per byte.
///
/// The default values describe a generic cluster: a fast network between nodes, and shared memory within a node.
struct machine_model {
    static constexpr loggp usual_between_nodes{
        .latency = 0.9e-6, .overhead = 0.3e-6, .gap = 0.3e-6, .per_byte = 0.25e-9};
    static constexpr loggp usual_within_node{
        .latency = 0.3e-6, .overhead = 0.1e-6, .gap = 0.1e-6, .per_byte = 0.15e-9};
    static constexpr double usual_exchange_factor_within_node = 1.75;
    /// Bytes from which on most MPIs send by rendezvous: a message waits for its receiver, and others overtake it.
    static constexpr double usual_rendezvous_threshold = 64 * 1024;
    static constexpr double usual_longest_message = 128 * 1024;
    static constexpr double usual_handling = 0.2e-6;
    static constexpr double usual_combine_per_byte = 0.1e-9;
    /// Seconds from when a rank gives its processor back until the next one runs. Four processes on one processor, each
    /// calling sched_yield(), Intel Xeon, Linux 6, 2026-11-28.
    static constexpr double usual_turn = 1.2e-6;

    loggp between_nodes = usual_between_nodes;
    loggp within_node = usual_within_node;

    /// If two ranks send each other a long message at once, cut as below, both take this many times one message: from
    /// 1, with full-duplex links, to 2.
    double exchange_factor = 1;
    /// The same for two ranks on a node, whose processors copy both messages.
    double exchange_factor_within_node = usual_exchange_factor_within_node;

    /// Bytes. Longer messages between nodes are cut into messages of this length: one part is combined while the next
    /// arrives. If two ranks exchange long messages in turn, shorter ones may overlap.
    double longest_message = usual_longest_message;

    /// Messages go through memory that the ranks share, and the costs are those of such messages. Only if all ranks are
    /// on one node, and their communicator supports it.
    bool through_memory = false;

    /// Contention if all ranks send at once, to the rank 1, 2, 4, ... away. Empty: distances make no difference.
    dynamic_array<contention> distances = {};
    /// If all ranks send to another distance than before, long messages between nodes take this many times as long: on
    /// the receiver's link, an early rank meets messages of late ones.
    double partner_change_factor = 1;
    /// In such rounds latencies are this many times as long: some rank always waits for the slowest route.
    double slowest_route = 1;

    fitted_contention fitted = {};

    /// tutti's own work for a message, on either side, which occupies the processor.
    double handling = usual_handling;

    double combine_per_byte = usual_combine_per_byte;          ///< γ of operators that have none of their own
    std::map<std::string, double, std::less<>> combines = {};  ///< γ by operator and type, named by `combine_name`

    std::vector<choice_rule> choices = {};  ///< where experience knows better than costs; the first that fits counts

    /// γ of an operator and type.
    [[nodiscard]] double combine_cost(std::string_view name) const {
        // one by one, since no more than a handful is measured, and a look-up by key is compiled for every caller
        for (auto const& [known, cost] : combines) {
            if (known == name) { return cost; }
        }
        return combine_per_byte;
    }

    friend bool operator==(machine_model const&, machine_model const&) = default;
};

/// What machine_model calls an operator on elements of a type, given the names of both: as in "std::plus<void> double".
[[nodiscard, gnu::cold]] inline std::string combine_name(std::string_view op, std::string_view element) {
    constexpr std::string_view own = "tutti::";
    std::string result;
    auto const append = [&](std::string_view text) {
        while (!text.empty()) {
            if (text.starts_with(own)) {  // compilers differ here
                text.remove_prefix(own.size());
                continue;
            }
            if (text.starts_with("<>")) {
                result += "<void";
            } else {
                result += text.front();
            }
            text.remove_prefix(1);
        }
    };
    append(op);
    result += ' ';
    append(element);
    return result;
}
template <class Op, class T>
[[nodiscard, gnu::cold]] std::string combine_name() {
    return pricing::combine_name(text::type_name<Op>(), text::type_name<T>());
}

/// γ of an operator on elements of a type, given the names of both.
[[nodiscard, gnu::cold]] inline double combine_cost(machine_model const& machine, std::string_view op,
                                                    std::string_view element) {
    return machine.combines.empty() ? machine.combine_per_byte : machine.combine_cost(combine_name(op, element));
}
template <class Op, class T>
[[nodiscard]] double combine_cost(machine_model const& machine) {
    return pricing::combine_cost(machine, text::type_name<Op>(), text::type_name<T>());
}

}  // namespace tutti::pricing

namespace tutti {
using pricing::loggp;
using pricing::machine_model;
}  // namespace tutti
