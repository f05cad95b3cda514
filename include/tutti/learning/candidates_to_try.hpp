// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <tutti/analysis/terms.hpp>
#include <tutti/collective.hpp>
#include <tutti/cost/call_parameters.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/generator/any_generator.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/selection/call_parameters_of.hpp>
#include <tutti/selection/candidates/all.hpp>
#include <tutti/selection/canonical.hpp>
#include <tutti/selection/planner.hpp>

namespace tutti::selection {

/// Ranks up to which terms are compared; a choice, since a term has as many operands, and each rank has one.
inline constexpr std::size_t most_ranks_compared = 64;

/// Whether the result of a call has the same bits by two generators: nothing is combined, or the operator is exact; or
/// two operands that commute are combined; or the terms are the same.
template <class Collective>
[[nodiscard]] bool same_bits(Collective which, planned_call const& call,
                             generators::any_generator<Collective> const& one,
                             generators::any_generator<Collective> const& other) {
    if constexpr (!collective::combines<Collective>) {
        return true;
    } else {
        if (call.kind->exact || (call.size == 2 && call.kind->commutes)) { return true; }
        return call.size <= most_ranks_compared && analysis::same_terms(which, one, other, call.size, call.root);
    }
}

/// The machine model in use, and what it would be if its costs were wrong: what these models choose is worth trying.
struct perturbed_models {
    explicit perturbed_models(machine_model const& in_use)
        : as_is{in_use}, latency_bound{in_use}, bandwidth_bound{in_use} {
        for (auto* const link : {&latency_bound.between_nodes, &latency_bound.within_node}) {
            link->latency *= wrong;
            link->overhead *= wrong;
            link->gap *= wrong;
        }
        latency_bound.handling *= wrong;
        for (auto* const link : {&bandwidth_bound.between_nodes, &bandwidth_bound.within_node}) {
            link->per_byte *= wrong;
        }
        bandwidth_bound.combine_per_byte *= wrong;
        for (auto& [name, cost] : bandwidth_bound.combines) { cost *= wrong; }
    }

    static constexpr double wrong = 10;

    machine_model as_is;
    machine_model latency_bound;    ///< messages, whatever their length, cost that many times as much
    machine_model bandwidth_bound;  ///< bytes do
};

/// An algorithm that may be tried, chosen and performed for a machine with these costs.
template <class Collective>
struct candidate_to_try {
    expected_generator<Collective> of;
    machine_model const* machine;
};

/// The algorithms for a call among which times decide: the one that the cost model puts first and, of those with the
/// same bits, the ones that it would put first if messages, or if bytes, cost ten times as much, and the one that it
/// puts next.
/// Result: one to four; one for calls for which there is a tuning rule.
template <class Collective>
[[nodiscard]] std::vector<candidate_to_try<Collective>>
candidates_to_try(Collective which, planned_call const& call, perturbed_models const& machines, bool is_reproducible) {
    auto const now = selection::call_parameters_of(which, call);
    auto const on = [&](machine_model const& machine) {
        auto other = now;
        other.machine = &machine;
        if constexpr (collective::combines<Collective>) {
            other.combine_per_byte = pricing::combine_cost(machine, call.kind->combine, call.kind->element);
            if (is_reproducible) { return selection::canonical(which, other).best_first(); }
        }
        return selection::candidates_for(which, other, call.kind->commutes).best_first();
    };
    auto all = on(machines.as_is);
    std::vector<candidate_to_try<Collective>> result{{all.front(), &machines.as_is}};
    bool const is_fixed = now.rule || call.size == 1 || call.elements == 0 || !call.counts.empty();
    if (is_fixed) { return result; }
    auto const is_known = [&](expected_generator<Collective> const& each) {
        return std::any_of(result.begin(), result.end(), [&](auto const& other) {
            return other.of.generator.name() == each.generator.name() &&
                   other.of.generator.blocks(now.size, now.bytes) == each.generator.blocks(now.size, now.bytes) &&
                   other.of.generator.ports() == each.generator.ports();
        });
    };
    auto const add_fastest = [&](auto all_of_them, machine_model const& machine) {
        std::stable_sort(all_of_them.begin(), all_of_them.end(),
                         [](auto const& a, auto const& b) { return a.seconds < b.seconds; });
        for (auto const& each : all_of_them) {
            if (is_known(each)) { return; }
            if (!selection::same_bits(which, call, result.front().of.generator, each.generator)) { continue; }
            return result.push_back({each, &machine});
        }
    };
    add_fastest(on(machines.latency_bound), machines.latency_bound);
    add_fastest(on(machines.bandwidth_bound), machines.bandwidth_bound);
    all.erase(all.begin());
    add_fastest(std::move(all), machines.as_is);
    return result;
}

}  // namespace tutti::selection
