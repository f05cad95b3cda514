// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iomanip>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/analysis/bounds.hpp>
#include <tutti/analysis/broken_schedule.hpp>
#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/process.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/analysis/terms.hpp>
#include <tutti/collective/plan.hpp>
#include <tutti/cost/call_parameters.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/selection/candidates/all.hpp>
#include <tutti/selection/plan_program.hpp>
#include <tutti/selection/predicted_cost.hpp>

namespace tutti::selection {

/// "L = 0.9 us, o = 0.3 us, g = 0.3 us, G = 0.25 ns and gamma = 0.1 ns per byte"
[[nodiscard]] inline std::string costs_in_words(call_parameters const& now) {
    constexpr double us = 1e6, ns = 1e9;
    std::ostringstream text;
    auto const& link = now.link();
    text << "L = " << link.latency * us << " us, o = " << link.overhead * us << " us, g = " << link.gap * us
         << " us, G = " << link.per_byte * ns << " ns and gamma = " << now.combine_per_byte * ns << " ns per byte";
    return text.str();
}

/// What else the formulas reckon with, by which algorithms are chosen, and where the costs come from.
[[nodiscard]] inline std::string choice_in_words(call_parameters const& now, bool costs_are_supposed) {
    std::ostringstream text;
    text << "chosen by formulas, with " << now.machine->handling * 1e6 << " us to handle a message, exchanges at "
         << now.exchange_factor() << " times a message, ";
    if (!now.on_one_node()) { text << "messages of at most " << now.longest_message() << " bytes, "; }
    auto const nodes = now.nodes.count(now.size);
    text << nodes << (nodes == 1 ? " node" : " nodes") << "; costs are "
         << (costs_are_supposed ? "supposed of any machine: measure(world) measures them" : "of the model in use")
         << '\n';
    return text.str();
}

/// "recursive_multiplying in 1 block, 3 messages at once"
[[nodiscard]] inline std::string to_string(predicted_cost const& of) {
    auto const counted = [](std::size_t n, std::string const& noun) {
        return std::to_string(n) + ' ' + noun + (n == 1 ? "" : "s");
    };
    return of.algorithm + " in " + counted(of.blocks, "block") +
           (of.ports == 0 ? "" : ", " + counted(of.ports, "message") + " at once");
}

/// A line for each; a star marks the one that is chosen.
[[nodiscard]] inline std::string to_string(std::vector<predicted_cost> const& all) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(2);
    for (auto const& each : all) {
        text << (each.chosen ? "* " : "  ") << std::setw(12) << each.seconds * 1e6 << " us  " << to_string(each)
             << '\n';
    }
    return text.str();
}

}  // namespace tutti::selection

namespace tutti::engine {

/// How a call is going to be performed, before anything of it is computed.
struct call_description {
    std::string algorithm;
    std::string_view why;
    std::size_t size;
    std::size_t root;
    std::size_t element_bytes;  ///< 0: serialised, unknown
    partition blocks;
    std::function<std::vector<step>(problem const&)> steps;  ///< of any rank
    std::size_t rounds;
    call_parameters now = {};
    std::function<std::vector<selection::predicted_cost>()> candidates =
        {};  ///< empty if the caller named one algorithm
    bool choice_keeps_terms = false;
    std::string_view way = {};                                  ///< that messages go now; empty where there is but one
    bool costs_are_supposed = false;                            ///< the machine model is the one that any machine has
};

/// A stored schedule as a generator, so that one simulator serves all algorithms.
struct stored_generator {
    call_description const* what;
};
template <class Collective>
constexpr facts describe(Collective, std::type_identity<stored_generator>) {
    return {.name = "stored_generator"};
}
template <class Collective>
[[nodiscard]] auto generate(Collective, stored_generator const& from, problem const& at) {
    return stored_schedule(from.what->rounds, from.what->steps(at));
}

/// Which operands are combined with which, on few ranks, and on what the bits of the results depend; "" where nothing
/// is combined.
template <class Collective>
[[nodiscard]] std::string terms_in_words(Collective which, call_description const& what) {
    constexpr std::size_t most_ranks = 16;
    if (!collective::combines<Collective> || what.size == 1 || what.blocks.elements() == 0) { return {}; }
    std::string text;
    analysis::result_terms found{.first = {}, .same_everywhere = false, .canonical = false};
    if (what.size <= most_ranks) {
        try {
            found = analysis::terms_of(which, stored_generator{&what}, what.size, what.root, what.blocks);
        } catch (analysis::broken_schedule const&) { return {}; }
        text = "term: " + found.first;
        if (collective::is_scan<Collective>) { text += " on the last rank"; }
        text += (found.same_everywhere ? "" : " in the first block, others elsewhere");
        text += (found.canonical ? ", the canonical tree\n" : "\n");
    }
    bool const chosen = what.candidates && !what.choice_keeps_terms;
    text += "bits depend on: operands, number of ranks";
    if (!found.canonical) {
        if (collective::is_rooted<Collective>) { text += ", root"; }
        text += ", algorithm";
        if (!found.same_everywhere) { text += ", place of an element in the vector"; }
    }
    if (chosen) { text += ", and the choice: length of the vector, machine model, node map"; }
    return text + '\n';
}

/// The most that any rank sends and combines, in elements; nothing if all ranks together have too many steps to look
/// at.
struct work_of_ranks {
    std::size_t sent = 0;
    std::size_t combined = 0;
};
[[nodiscard]] inline std::optional<work_of_ranks> most_work(call_description const& what) {
    constexpr std::size_t most_steps = 1'000'000;  // simulated in about a second
    work_of_ranks result;
    std::size_t steps = 0;
    for (std::size_t rank = 0; rank != what.size; ++rank) {
        work_of_ranks own;
        analysis::simulation::filled_blocks filled{
            what.blocks.blocks()};  // what comes into an empty block is no combine
        for (auto const& each : what.steps({rank, what.size, what.root, what.blocks})) {
            for (auto const& range : each.blocks) {
                for (auto block = range.first; block != range.last; ++block) {
                    auto const elements = what.blocks.size(block);
                    own.sent += each.what == action::send ? elements : 0;
                    own.combined += each.combines() && filled.test(each.target, block) ? elements : 0;
                    if (each.what != action::send) { filled.set(each.target, block); }
                }
            }
            if (++steps > most_steps) { return std::nullopt; }
        }
        result.sent = std::max(result.sent, own.sent);
        result.combined = std::max(result.combined, own.combined);
    }
    return result;
}

/// What an algorithm that the caller has named takes, simulated with one message at a time by the costs that are known
/// of the machine, beside what any algorithm takes for these blocks.
template <class Collective>
[[nodiscard]] std::string simulation_in_words(Collective which, call_description const& what) {
    constexpr double us = 1e6;
    auto const bytes = static_cast<double>(what.element_bytes);
    auto const& link = what.now.link();
    auto const costs =
        cost_model::linear(link.transfer(0) * us, link.per_byte * us * bytes, what.now.combine_per_byte * us * bytes);
    std::ostringstream text;
    text << analysis::simulate(which, stored_generator{&what}, what.size, what.root, what.blocks, costs).makespan()
         << " us, at least " << analysis::lower_bound(which, what.size, what.blocks, costs)
         << " us by any algorithm (one message at a time; " << selection::costs_in_words(what.now) << ')';
    return text.str();
}

/// The call, and by which way messages go; algorithm, reason, and what it costs: rounds, the most that any rank sends
/// and combines, and time. Where tutti has chosen, that is the time by which it has; and all that it has chosen among
/// follow, with theirs.
template <class Collective>
[[nodiscard]] std::string explain(Collective which, call_description const& what) {
    auto const candidates = what.candidates ? what.candidates() : std::vector<selection::predicted_cost>{};
    std::ostringstream text;
    auto const counted = [](std::size_t n, char const* noun) {
        return std::to_string(n) + ' ' + noun + (n == 1 ? "" : "s");
    };
    text << Collective::name << " of " << counted(what.blocks.elements(), "element");
    if (what.element_bytes != 0) {
        text << " of " << counted(what.element_bytes, "byte");
    } else {
        text << ", serialised";
    }
    text << " on " << counted(what.size, "rank");
    if (collective::is_rooted<Collective>) { text << ", root " << what.root; }
    if (!what.way.empty()) { text << ", messages " << what.way; }
    text << "\nalgorithm: " << what.algorithm << " in " << counted(what.blocks.blocks(), "block") << " (" << what.why
         << ")\npredicted: " << counted(what.rounds, "round");
    auto const work = most_work(what);
    if (work) {
        text << ", at most " << counted(work->sent, "element") << " sent and " << work->combined
             << " combined by a rank";
    }
    auto const chosen = std::ranges::find(candidates, true, &selection::predicted_cost::chosen);
    if (what.element_bytes != 0 && chosen != candidates.end()) {
        text << ", " << chosen->seconds * 1e6 << " us (" << selection::costs_in_words(what.now) << ')';
    } else if (what.element_bytes != 0 && work) {
        text << ", " << engine::simulation_in_words(which, what);
    }
    text << (work ? "\n" + engine::terms_in_words(which, what) : "; too many steps to simulate\n");
    if (!candidates.empty()) {
        text << selection::choice_in_words(what.now, what.costs_are_supposed)
             << "expected of the candidates, whose messages may overlap:\n" << selection::to_string(candidates);
    }
    return text.str();
}

template <class Collective>
struct explanation_is_included {};

template <class Collective>
std::string explain_program(selection::planned_call const& call, std::string_view way) {
    auto const chosen = selection::algorithm_of(Collective{}, call);
    auto const& generator = chosen.generator;
    call_description what{.algorithm = generator.name(),
                          .why = chosen.why,
                          .size = call.size,
                          .root = call.root,
                          .element_bytes = call.kind->travels_as_bytes ? call.kind->element_bytes : 0,
                          .blocks = chosen.blocks,
                          .steps =
                              [&](problem const& at) {
                                  auto const lazy = generator.schedule_of(at);
                                  return std::vector<step>(lazy.begin(), lazy.end());
                              },
                          .rounds = generator.schedule_of({call.root, call.size, call.root, chosen.blocks}).rounds(),
                          .now = chosen.now,
                          .way = way,
                          .costs_are_supposed = *call.machine == machine_model{}};
    if (call.algorithm == nullptr) {
        what.candidates = [&] { return selection::expectations(Collective{}, chosen.now, call.kind->commutes); };
    } else if (auto all = static_cast<selection::held_generator<Collective> const&>(*call.algorithm).choice(chosen.now);
               !all.among.empty()) {
        what.choice_keeps_terms = all.one_term;
        what.candidates = [&chosen, among = std::move(all.among)] {
            return selection::expectations(among, chosen.now);
        };
    }
    return engine::explain(Collective{}, what);
}

}  // namespace tutti::engine
