// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

#include <algorithm>
#include <cstddef>
#include <iomanip>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include <tutti/collective/plan_that_learns.hpp>
#include <tutti/communicator.hpp>
#include <tutti/communicator/call.hpp>
#include <tutti/cost/choice_rule.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/execution/default_algorithm.hpp>
#include <tutti/execution/options.hpp>
#include <tutti/learning/call_history.hpp>
#include <tutti/learning/call_records.hpp>
#include <tutti/selection/canonical.hpp>

namespace tutti {

/// How blocking calls without a named algorithm learn from their own times; see `use`.
struct learning {
    bool on = true;  ///< false: what has been learned is forgotten
};

namespace selection {

/// What is learned on the communicator; null if nothing is.
template <class C>
[[nodiscard]] call_records const* learned_on(C& ranks) {
    bool const learns = ranks.supervisor().has_hook(control::call_hook::learning);
    return learns ? &call_history<C>::of(ranks).records() : nullptr;
}

/// "all_reduce of 8192 bytes: 2 trials; * 3.1 us recursive_multiplying in 1 block (expected 2.9 us), 4.0 us ring ..."
[[nodiscard]] inline std::string to_string(call_record const& of) {
    constexpr double us = 1e6;
    std::ostringstream text;
    text << std::setprecision(3) << of.kind().collective << " of " << of.bytes() << " bytes: ";
    if (of.names.size() < 2) {
        text << "nothing to choose from\n";
        return text.str();
    }
    auto const made = of.calls.made();
    text << (of.calls.is_retired() ? "no trials, since calls take longer than a second"
             : made == 0           ? "no trial has ended"
                                   : std::to_string(made) + (made == 1 ? " trial" : " trials"))
         << '\n';
    for (std::size_t i = 0; i != of.names.size(); ++i) {
        auto const& each = of.names[i];
        text << (i == of.calls.chosen() ? "  * " : "    ");
        if (of.calls.seconds(i) > 0) { text << of.calls.seconds(i) * us << " us, "; }
        text << each.expected * us << " us expected: " << each.algorithm << " in " << each.blocks
             << (each.blocks == 1 ? " block" : " blocks");
        if (each.ports != 0) {
            text << ", " << each.ports << (each.ports == 1 ? " message" : " messages") << " at once";
        }
        text << '\n';
    }
    if (of.last_by_arrivals) {
        text << "    " << of.calls_by_arrivals << (of.calls_by_arrivals == 1 ? " call" : " calls")
             << " by when ranks came: " << of.last_by_arrivals->algorithm.name() << '\n';
    }
    return text.str();
}

}  // namespace selection

/// From now on, blocking calls on `world` without a named algorithm learn from their own times. A kind of call is a
/// collective, a length, a root, and the known properties of element and operator. Some calls of each repeated kind try
/// up to three other algorithms than the first choice of the cost model. All ranks agree on the times, and all take the
/// fastest from the same call on.
///
/// Bits: for floating-point sums, and for operators that are not known to be exact (`is_exact`), only algorithms with
/// the terms of the first choice are tried, on up to 64 ranks: bits are the same as without learning.
/// Arrivals: if all algorithms give the same bits, an all_reduce of more than 64 KiB on three or more ranks uses the
/// arrival times of earlier ones, as `arrival_aware` without a monitor.
/// Requires: called by all ranks, between the same collectives. All ranks know the same properties of the operators of
/// a call.
/// Result: `{.on = false}` discards what was learned. Nonblocking calls take the choice at their beginning, and try
/// nothing. A plan begins with the choice at its creation, and learns from its own runs. A tuning rule comes first.
/// Errors: `mismatched_calls` if some rank calls something else. Later, a call that one rank refuses fails in
/// communication, and `recover` discards what was learned.
/// Cost: 8 (k - 1) to 32 (k - 1) calls of each kind by k - 1 other algorithms within the first two hundred, again after
/// 5000, 10000, ... calls; two or three agreements of 2 ⌈log2 p⌉ messages each time. Every other call looks up its
/// kind.
template <world World>
void use(World const& world, learning const& how) {
    auto& ranks = control::complete_communicator_of(world);
    control::enter_together(ranks, control::call::named("use learning", how.on ? 1 : 0));
    auto& history = selection::call_history<std::remove_cvref_t<decltype(ranks)>>::of(ranks);
    auto const* const before = selection::learned_on(ranks);
    auto const& usual = ranks.store().template get<engine::default_algorithm>();
    bool const is_reproducible =
        before != nullptr ? before->reproducible : usual.hold == &selection::hold_reproducible<>;
    engine::default_algorithm chosen{is_reproducible ? &selection::hold_reproducible<> : nullptr};
    if (how.on) { chosen = {&selection::hold_learned, &history.records()}; }
    ranks.supervisor().set_hook(control::call_hook::learning, how.on);
    ranks.supervisor().remember_calls(how.on);
    engine::default_algorithm::set(ranks, chosen);
    ranks.supervisor().begin_generation();
    history.forget(is_reproducible);
    ranks.store().template get<engine::learner_in_use>() = {
        &history, &engine::lead<std::remove_cvref_t<decltype(ranks)>>};
}

/// What was learned about each kind of call, as text: algorithms, times, decisions.
template <world World>
[[nodiscard]] std::string explain_learning(World const& world) {
    std::string text;
    if (auto const* const of = selection::learned_on(control::complete_communicator_of(world))) {
        for (auto const& each : of->all) { text += selection::to_string(*each); }
    }
    return text.empty() ? "nothing is learned on this communicator\n" : text;
}

/// The model in use, with a rule for each kind of call about which something was learned. After `save`, later runs
/// start with it, and change nothing more.
template <world World>
[[nodiscard]] machine_model learned(World const& world) {
    auto& ranks = control::complete_communicator_of(world);
    auto result = ranks.store().template get<machine_model>();
    auto const* const of = selection::learned_on(ranks);
    if (of == nullptr) { return result; }
    for (auto const& each : of->all) {
        if (each->calls.made() == 0) { continue; }
        auto const& chosen = each->names[each->calls.chosen()];
        choice_rule rule{std::string{each->kind().collective}, each->bytes(), each->bytes() + 1, chosen.algorithm};
        rule.ports = chosen.ports;
        rule.segment = chosen.blocks > 1 ? (each->bytes() - 1) / chosen.blocks + 1 : 0;
        rule.ranks = static_cast<std::size_t>(ranks.size());
        result.choices.insert(result.choices.begin(), std::move(rule));
    }
    return result;
}

}  // namespace tutti

#define TUTTI_UNLESS_LINKED <tutti/execution/check_call.hpp>
#include <tutti/seam.hpp>
