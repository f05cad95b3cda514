// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "costs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/analysis/draw/number.hpp>

#include "words.hpp"

namespace tutti::explore {

namespace {

[[nodiscard]] bool is_linear(options const& wanted) { return wanted.alpha || wanted.beta || wanted.gamma; }
[[nodiscard]] bool is_per_block(options const& wanted) { return wanted.tcomm || wanted.tcomp; }

/// Only the ratio of costs matters to an algorithm that counts time in whole numbers: the least power of ten that
/// makes all of them whole.
[[nodiscard]] double whole_unit(algorithm const& by, std::map<std::string_view, std::vector<double>> const& values) {
    constexpr double largest = 1e9;         // sums of many still fit into 64 bits
    constexpr double largest_whole = 1e14;  // those of a few, and it is written without an exponent
    constexpr double rounding = 1e-9;
    double unit = 1;
    for (bool whole = false; !whole; unit *= whole ? 1 : 10) {
        whole = true;
        for (auto const& [name, list] : values) {
            for (auto const value : list) {
                auto const scaled = value * unit;
                if (value > largest_whole) {
                    throw refusal{"algorithm " + by.name + " counts time in whole numbers, and " + std::string{name} +
                                  " is too large for that; give all costs in a larger unit"};
                }
                if (unit > 1 && scaled > largest) {
                    throw refusal{"algorithm " + by.name + " counts time in whole numbers, and no unit of time makes " +
                                  std::string{name} + " and the other costs whole; give them with fewer digits"};
                }
                whole = whole && std::abs(scaled - std::round(scaled)) <= rounding * scaled;
            }
        }
    }
    return unit;
}

[[nodiscard]] std::string written(std::vector<double> const& values, double unit, bool whole) {
    std::string result;
    for (auto const value : values) {
        result += (result.empty() ? "" : ",") + draw::number(whole ? std::round(value * unit) : value);
    }
    return result;
}

}  // namespace

cost_model costs_of(options const& wanted, facts const& stated) {
    if (is_linear(wanted) && is_per_block(wanted)) {
        throw refusal{"--tcomm and --tcomp are one cost model, --alpha, --beta and --gamma another; give one of them"};
    }
    if (!wanted.arrivals.empty() && wanted.arrivals.size() != *wanted.size) {
        throw refusal{"--arrivals names " + counted(wanted.arrivals.size(), "time") + " for " +
                      counted(*wanted.size, "rank")};
    }
    auto const model = wanted.model.value_or(stated.model);
    if (is_linear(wanted)) {
        return cost_model::linear(wanted.alpha.value_or(0), wanted.beta.value_or(0), wanted.gamma.value_or(0), model);
    }
    if (is_per_block(wanted)) {
        return cost_model::per_block(wanted.tcomm.value_or(1), wanted.tcomp.value_or(0), model);
    }
    return wanted.tau ? cost_model::per_block(*wanted.tau, 0, model) : cost_model::unit(model);
}

void adopt_costs(algorithm& by, options const& wanted, cost_model const& costs, partition const& cut) {
    std::map<std::string_view, std::vector<double>> values;
    if (is_linear(wanted)) {
        values["alpha"] = {costs.per_message};
        values["beta"] = {costs.per_element_sent};
        values["gamma"] = {costs.per_element_combined};
    } else if (is_per_block(wanted) || wanted.tau) {
        values["tcomm"] = {costs.per_block_sent};
        values["tcomp"] = {costs.per_block_combined};
    }
    auto const transfer = costs.transfer(cut.elements(), cut.blocks());
    auto const combine = costs.combine(cut.elements(), cut.blocks());
    if (!values.empty() && transfer + combine > 0) {  // of the whole vector
        values["transfer"] = {transfer};
        values["combine"] = {combine};
    }
    std::size_t largest = 0;
    for (std::size_t block = 0; block < cut.blocks(); ++block) { largest = std::max(largest, cut.size(block)); }
    values["tau"] = {wanted.tau.value_or(costs.transfer(largest) + costs.combine(largest))};
    values["arrivals"] = wanted.arrivals;

    auto const parameters = by.parameters();
    std::map<std::string_view, std::vector<double>> counted_whole;
    std::vector<parameter const*> adopted;
    for (auto const& each : parameters) {
        bool const named = std::any_of(wanted.parameters.begin(), wanted.parameters.end(),
                                       [&](auto const& given) { return given.first == each.name; });
        auto const found = values.find(each.name);
        if (named || found == values.end() || found->second.empty()) { continue; }
        adopted.push_back(&each);
        if (each.whole) { counted_whole.insert(*found); }
    }
    auto const unit = whole_unit(by, counted_whole);
    for (auto const* each : adopted) { each->assign(written(values[each->name], unit, each->whole)); }
}

std::string description(options const& wanted, cost_model const& costs) {
    auto const number = [](double value) { return draw::number(value); };
    auto result = std::string{name(costs.model)} + " ports; ";
    if (costs.transfers_at_once != unlimited_transfers) {
        result += "at most " + counted(costs.transfers_at_once, "transfer") + " at a time; ";
    }
    if (is_linear(wanted)) {
        return result + "a message of s elements takes " + number(costs.per_message) + " + " +
               number(costs.per_element_sent) + " s, to combine them " + number(costs.per_element_combined) + " s";
    }
    if (is_per_block(wanted)) {
        return result + "a block takes " + number(costs.per_block_sent) + " to send, " +
               number(costs.per_block_combined) + " to combine";
    }
    return result + (wanted.tau ? "a block takes " + number(*wanted.tau) + " to send and combine"
                                : "every message takes 1, combines take no time");
}

}  // namespace tutti::explore
