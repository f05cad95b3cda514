// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <map>

#include <tutti/analysis/broken_schedule.hpp>
#include <tutti/analysis/simulate.hpp>

#include "algorithm.hpp"
#include "lookup.hpp"
#include "options.hpp"

namespace tutti::explore {

[[nodiscard]] inline bool is_linear(options const& wanted) { return wanted.alpha || wanted.beta || wanted.gamma; }
[[nodiscard]] inline bool is_per_block(options const& wanted) { return wanted.tcomm || wanted.tcomp; }

/// Only the ratio of costs matters to an algorithm that counts time in whole numbers: the least power of ten that
/// makes all of them whole.
[[nodiscard]] inline double whole_unit(algorithm const& by,
                                       std::map<std::string_view, std::vector<double>> const& values) {
    constexpr double largest = 1e9;         // sums of many still fit into 64 bits
    constexpr double largest_whole = 1e14;  // those of a few, and it is written without an exponent
    constexpr double rounding = 1e-9;
    auto const refuse = [&](std::string const& why) {
        throw usage_error{"algorithm " + by.name + " counts time in whole numbers, and " + why};
    };
    for (double unit = 1;; unit *= 10) {
        bool whole = true;
        for (auto const& [name, list] : values) {
            for (auto const value : list) {
                auto const scaled = value * unit;
                if (value > largest_whole) {
                    refuse(std::string{name} + " is too large for that; give all costs in a larger unit");
                }
                if (unit > 1 && scaled > largest) {
                    refuse("no unit of time makes " + std::string{name} +
                           " and the other costs whole; give them with fewer digits");
                }
                whole = whole && std::abs(scaled - std::round(scaled)) <= rounding * scaled;
            }
        }
        if (whole) { return unit; }
    }
}

[[nodiscard]] inline std::string written(std::vector<double> const& values, double unit, bool whole) {
    std::string result;
    for (auto const value : values) {
        result += (result.empty() ? "" : ",") + analysis::draw::number(whole ? std::round(value * unit) : value);
    }
    return result;
}

/// The cost model that is asked for, in the ports that are, or those in which the algorithm counts.
[[nodiscard]] inline cost_model costs_of(options const& wanted, facts const& stated) {
    if (is_linear(wanted) && is_per_block(wanted)) {
        throw usage_error{
            "--tcomm and --tcomp are one cost model, --alpha, --beta and --gamma another; give one of them"};
    }
    if (!wanted.arrivals.empty() && wanted.arrivals.size() != *wanted.size) {
        throw usage_error{"--arrivals names " + counted(wanted.arrivals.size(), "time") + " for " +
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

/// Gives the parameters of an algorithm that are costs or arrivals the values of this exploration, unless --param
/// says otherwise.
inline void adopt_costs(algorithm& by, options const& wanted, cost_model const& costs, partition const& cut) {
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

/// What the program keeps for every block, it keeps for that many at most.
inline constexpr std::size_t most_blocks = 10'000'000;

inline void check_blocks(std::size_t blocks) {
    if (blocks <= most_blocks) { return; }
    throw usage_error{std::to_string(blocks) + " blocks are too many; ask for " + std::to_string(most_blocks) +
                      " at most"};
}

/// Throws `usage_error` for options that contradict each other.
inline void check_options(options const& wanted, family const& of) {
    auto const size = *wanted.size;
    std::vector<std::string> given;
    if (wanted.blocks && !wanted.counts) { given.emplace_back("--blocks"); }
    if (wanted.segment) { given.emplace_back("--segment"); }
    if (wanted.sizes) { given.emplace_back("--sizes"); }
    if (wanted.counts) { given.emplace_back("--counts"); }
    if (given.size() > 1) {
        throw usage_error{given[0] + " and " + given[1] + " both cut the vector; give one of them"};
    }
    if (wanted.segment && !wanted.elements) { throw usage_error{"--segment needs the number of --elements too"}; }
    if (wanted.blocks == 0U && wanted.elements.value_or(0) != 0) {
        throw usage_error{"--blocks 0 cannot hold " + counted(*wanted.elements, "element") +
                          "; give at least one block"};
    }
    if (wanted.counts && !of.divides) {
        throw usage_error{"--counts is for collectives in which every rank owns a part of the vector, and " +
                          std::string{of.collective} + " is none; --sizes cuts it"};
    }
    if (wanted.counts && wanted.counts->size() != size) {
        throw usage_error{"--counts names " + counted(wanted.counts->size(), "number") + " for " +
                          counted(size, "rank")};
    }
    if (wanted.counts && wanted.blocks && (*wanted.blocks == 0 || *wanted.blocks % size != 0)) {
        throw usage_error{"--blocks " + std::to_string(*wanted.blocks) + " cannot cut the parts of " +
                          counted(size, "rank") + " into equally many blocks; give a multiple of " +
                          std::to_string(size)};
    }
    if (wanted.elements && (wanted.sizes || wanted.counts)) {
        auto const& list = wanted.sizes ? *wanted.sizes : *wanted.counts;
        auto const sum = std::accumulate(list.begin(), list.end(), std::size_t{0});
        if (sum == *wanted.elements) { return; }
        throw usage_error{(wanted.sizes ? "--sizes sum to " : "--counts sum to ") + std::to_string(sum) +
                          " elements, not to the " + std::to_string(*wanted.elements) + " of --elements"};
    }
}

/// The vector that is asked for, cut as is asked or as the algorithm wants it: as the collectives themselves do it, so
/// that no block is empty for want of elements.
[[nodiscard]] inline partition cut_of(options const& wanted, family const& of, algorithm const& chosen) {
    constexpr std::size_t element_bytes = 8;
    check_options(wanted, of);
    if (wanted.sizes) { return partition::of_sizes(*wanted.sizes); }
    if (wanted.segment) {
        check_blocks((*wanted.elements + *wanted.segment - 1) / *wanted.segment);
        return partition::by_segment(*wanted.elements, *wanted.segment);
    }
    bool const knows_elements = wanted.elements || wanted.counts;
    auto const elements = elements_of(wanted);
    std::size_t const owners = of.divides ? *wanted.size : 1;
    auto pieces = std::max<std::size_t>(
        chosen.blocks_for(*wanted.size, knows_elements ? elements * element_bytes : 0) / owners, 1);
    if (knows_elements) { pieces = std::min(pieces, std::max<std::size_t>(elements, 1)); }
    auto const blocks = wanted.blocks.value_or(owners * pieces);
    check_blocks(blocks);
    return wanted.counts ? ownership::cut(*wanted.counts, blocks / *wanted.size)
                         : partition::equal(wanted.elements.value_or(blocks), blocks);
}

[[nodiscard]] inline partition cut_for(options const& wanted, family const& of, algorithm& by) {
    if (*wanted.size > most_ranks_of_schedules) {
        throw usage_error{"a schedule can have " + std::to_string(most_ranks_of_schedules) +
                          " ranks at most; for more, --choose says what tutti chooses"};
    }
    if (!by.stated.supports(*wanted.size)) {
        throw usage_error{"algorithm " + by.name + " does not support " + counted(*wanted.size, "rank")};
    }
    assign_parameters(by, wanted);
    return cut_of(wanted, of, by);
}

[[nodiscard]] inline cost_model adopted_costs(options const& wanted, algorithm& by, partition const& cut) {
    auto costs = costs_of(wanted, by.stated);
    costs.transfers_at_once = by.transfers_at_once();
    adopt_costs(by, wanted, costs, cut);
    return costs;
}

/// What things take, which gives times their unit.
[[nodiscard]] inline std::string times_in_words(options const& wanted) {
    auto const number = [](std::optional<double> const& time, double otherwise = 0) {
        return analysis::draw::number(time.value_or(otherwise));
    };
    if (is_linear(wanted)) {
        return "a message of n elements takes " + number(wanted.alpha) + " + " + number(wanted.beta) +
               " n, to combine them " + number(wanted.gamma) + " n";
    }
    if (is_per_block(wanted)) {
        return "a block takes " + number(wanted.tcomm, 1) + " to send, " + number(wanted.tcomp) + " to combine";
    }
    return wanted.tau ? "a block takes " + number(wanted.tau) + " to send and combine"
                      : "every message takes 1, combines take no time";
}

/// The cost model in words.
[[nodiscard]] inline std::string description(options const& wanted, cost_model const& costs) {
    auto result = std::string{name(costs.model)} + " ports; ";
    if (costs.transfers_at_once != generators::unlimited_transfers) {
        result += "at most " + counted(costs.transfers_at_once, "transfer") + " at a time; ";
    }
    return result + times_in_words(wanted);
}

/// Throws `usage_error` if there cannot be such ranks, or such a root among them.
inline void check_ranks(options const& wanted) {
    if (!wanted.size) { throw usage_error{"--size must be given: the number of ranks"}; }
    if (wanted.root >= *wanted.size) {
        throw usage_error{"--root " + std::to_string(wanted.root) + " is not one of " + counted(*wanted.size, "rank")};
    }
}

/// The schedules of one algorithm for what is asked for, and what was found out about them.
///
/// Adopts parameters and costs into the algorithm. Throws `usage_error` for what it cannot do, `broken_schedule` if the
/// schedules do not verify and that was asked for.
struct exploration {
    exploration(options const& wanted, family const& of, algorithm& by)
        : cut{cut_for(wanted, of, by)},
          costs{adopted_costs(wanted, by, cut)},
          schedules{by.record(*wanted.size, of.rooted ? wanted.root : 0, cut)} {
        if (wanted.verify) {
            verdict = of.verify(schedules);
            if (!verdict) {
                throw analysis::broken_schedule{std::string{of.collective} + " by " + by.name +
                                      " does not verify: " + verdict.reason};
            }
        }
        line = simulate(collective::reduce{}, tabulated{&schedules}, schedules.size, schedules.root, cut,
                        costs, wanted.arrivals);
    }
    exploration(exploration const&) = delete;
    exploration& operator=(exploration const&) = delete;
    ~exploration() = default;

    partition const cut;
    cost_model const costs;
    schedule_table const schedules;
    analysis::verification verdict;  ///< only if it was asked for
    analysis::timeline line;
};

}  // namespace tutti::explore
