// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include <tutti/cost/choice_rule.hpp>
#include <tutti/cost/lines.hpp>
#include <tutti/cost/machine.hpp>

namespace tutti::model_file {

inline constexpr std::string_view exchange_name = "exchange factor";
inline constexpr std::string_view exchange_within_node_name = "within_node exchange factor";
inline constexpr std::string_view distance_change_name = "distance change";

inline constexpr std::size_t most_distances = 64;

/// Of the rank 2^power away.
[[nodiscard]] inline std::string distance_name(std::size_t power) {
    return "distance " +
           (power < most_distances ? std::to_string(std::size_t{1} << power) : "2^" + std::to_string(power));
}

/// Calls `visit(name, dimension, value)` with what every machine_model has, by reference.
template <class Model, class Visit>
void for_each_quantity(Model& model, Visit visit) {
    auto const link_probe = [&](std::string const& level, auto& costs) {
        visit(level + " latency", dimension::time, costs.latency);
        visit(level + " overhead", dimension::time, costs.overhead);
        visit(level + " gap", dimension::time, costs.gap);
        visit(level + " per_byte", dimension::time_per_byte, costs.per_byte);
    };
    link_probe("between_nodes", model.between_nodes);
    link_probe("within_node", model.within_node);
    visit(std::string{exchange_within_node_name}, dimension::transfers, model.exchange_factor_within_node);
    visit(std::string{exchange_name}, dimension::transfers, model.exchange_factor);
    visit("longest message", dimension::bytes, model.longest_message);
    for (std::size_t power = 0; power != model.distances.size(); ++power) {
        visit(distance_name(power) + " latency", dimension::transfers, model.distances[power].latency);
        visit(distance_name(power) + " per_byte", dimension::transfers, model.distances[power].per_byte);
        visit(distance_name(power) + " overhead", dimension::transfers, model.distances[power].overhead);
    }
    visit(std::string{distance_change_name}, dimension::transfers, model.partner_change_factor);
    visit("handling messages", dimension::time, model.handling);
    visit("combine default", dimension::time_per_byte, model.combine_per_byte);
}

/// Why nothing can be of this value; empty if it can.
[[nodiscard]] inline std::string_view invalid_reason(std::string_view name, dimension what, double value) {
    if (!std::isfinite(value)) { return "is not finite"; }
    if (value < 0) { return "is negative"; }
    if (what == dimension::transfers && value < 1) { return "is less than 1 transfer"; }
    if (what == dimension::bytes && value < 1) { return "is less than 1 byte"; }
    return name.ends_with(exchange_name) && value > 2 ? "is more than 2 transfers" : "";
}

/// Why no machine is like this; empty if one can be. What can be is what a file may hold.
[[nodiscard]] inline std::string invalid_reason(machine_model const& model) {
    std::string result;
    auto const look = [&](std::string const& name, dimension what, double value) {
        auto const flaw = invalid_reason(name, what, value);
        if (result.empty() && !flaw.empty()) { result = "its '" + name + "' " + std::string{flaw}; }
    };
    for_each_quantity(model, look);
    for (auto const& [name, value] : model.combines) { look("combine " + name, dimension::time_per_byte, value); }
    for (auto const& each : model.choices) {
        auto const flaw = tutti::invalid_reason(each);
        if (result.empty() && !flaw.empty()) { result = "it has a rule to choose by, but " + flaw; }
    }
    return result;
}

}  // namespace tutti::model_file
