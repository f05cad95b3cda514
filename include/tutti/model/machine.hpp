// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/model/choice_rule.hpp>
#include <tutti/model/hockney.hpp>
#include <tutti/model/loggp.hpp>
#include <tutti/type_name.hpp>

namespace tutti {

/// How many times as much as those between two ranks alone messages cost that all ranks send at once.
struct crowded_link {
    double latency = 1;
    double per_byte = 1;
    double overhead = 1;  ///< and gap: processors and adapters have the messages of several ranks to handle

    friend bool operator==(crowded_link const&, crowded_link const&) = default;
};

/// What messages and combines cost on a machine, in seconds and seconds per byte.
///
/// The values it begins with are those of no machine in particular: a fast network between nodes, memory that ranks
/// share within one.
struct machine_model {
    loggp between_nodes{.latency = 0.9e-6, .overhead = 0.3e-6, .gap = 0.3e-6, .per_byte = 0.25e-9};
    loggp within_node{.latency = 0.3e-6, .overhead = 0.1e-6, .gap = 0.1e-6, .per_byte = 0.15e-9};

    /// Two ranks that send each other a long message at once, cut as below, take so many times what one of the two
    /// messages takes: from 1, where links are full duplex, to 2.
    double exchange_factor = 1;
    /// The same for two ranks on a node, whose processors copy both messages.
    double exchange_factor_within_node = 1.75;

    /// Bytes. Longer messages between nodes are cut into such: what has come is combined while more comes; and where two
    /// ranks that exchange long ones take turns, shorter ones may overlap.
    double longest_message = 128 * 1024;

    /// Messages go through memory that the ranks share; the costs are those of such messages. Only for ranks that all
    /// are on one node, and communicators that can do so.
    bool through_memory = false;

    /// Where all ranks send at once, to the rank 1, 2, 4, ... away. Empty: distances make no difference.
    std::vector<crowded_link> distances = {};
    /// Long messages take so many times as long between nodes where all ranks send each to another distance than the one
    /// before: a rank that is early meets, on its receiver's link, what late ones still send there.
    double distance_change = 1;

    /// What tutti itself does for a message, on either side, while the processor is busy.
    double handling = 0.2e-6;

    double combine_per_byte = 0.1e-9;                          ///< γ of operators that have none of their own
    std::map<std::string, double, std::less<>> combines = {};  ///< γ by operator and type, named by `combine_name`

    std::vector<choice_rule> choices = {};  ///< where experience knows better than costs; the first that fits counts

    /// γ of an operator and type.
    [[nodiscard]] double combine_cost(std::string_view name) const {
        auto const found = combines.find(name);
        return found != combines.end() ? found->second : combine_per_byte;
    }

    friend bool operator==(machine_model const&, machine_model const&) = default;
};

/// What machine_model calls an operator on elements of a type, given the names of both: as in "std::plus<void> double".
[[nodiscard]] inline std::string combine_name(std::string_view op, std::string_view element) {
    auto result = std::string{op} + ' ' + std::string{element};
    auto const replace = [&](std::string_view what, std::string_view by) {
        for (auto at = result.find(what); at != result.npos; at = result.find(what)) {
            result.replace(at, what.size(), by);
        }
    };
    // compilers differ here
    replace("tutti::", "");
    replace("<>", "<void>");
    return result;
}
template <class Op, class T>
[[nodiscard]] std::string combine_name() {
    return combine_name(type_name<Op>(), type_name<T>());
}

/// γ of an operator on elements of a type, given the names of both.
[[nodiscard]] inline double combine_cost(machine_model const& machine, std::string_view op, std::string_view element) {
    return machine.combines.empty() ? machine.combine_per_byte : machine.combine_cost(combine_name(op, element));
}
template <class Op, class T>
[[nodiscard]] double combine_cost(machine_model const& machine) {
    return combine_cost(machine, type_name<Op>(), type_name<T>());
}

}  // namespace tutti
