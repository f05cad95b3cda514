// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/analysis/bounds.hpp>
#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/analysis/simulation/process.hpp>
#include <tutti/collective/perform.hpp>
#include <tutti/communicator.hpp>
#include <tutti/generator.hpp>
#include <tutti/operation.hpp>
#include <tutti/selection/automatic.hpp>
#include <tutti/selection/expectation.hpp>
#include <tutti/selection/in_words.hpp>
#include <tutti/selection/situation.hpp>

namespace tutti {

/// How a call is going to be performed, before anything of it is computed.
struct course {
    std::string algorithm;
    std::string_view why;
    std::size_t size;
    std::size_t root;
    std::size_t element_bytes;  ///< 0: serialised, unknown
    partition blocks;
    std::function<std::vector<step>(problem const&)> steps;  ///< of any rank
    std::size_t rounds;
    situation now = {};
    std::function<std::vector<expectation>()> candidates = {};  ///< of tutti's choice; empty if the caller named one
    std::function<std::string_view()> way = {};                 ///< that messages go now; empty where there is but one
};

/// A course as a generator, so that one simulator serves all algorithms.
struct recorded {
    course const* what;
};
template <class Collective>
constexpr facts describe(Collective, std::type_identity<recorded>) {
    return {.name = "recorded"};
}
template <class Collective>
[[nodiscard]] auto generate(Collective, recorded const& from, problem const& at) {
    return stored_schedule(from.what->rounds, from.what->steps(at));
}

/// The call, and by which way messages go; algorithm, reason, and what it costs: rounds, the most that any rank sends
/// and combines, and the time by the costs that are known of the machine, beside the time that any algorithm takes for
/// these blocks. Then, if tutti has chosen, among which algorithms, and what each is expected to take.
template <class Collective>
[[nodiscard]] std::string explain(Collective which, course const& what) {
    constexpr double us = 1e6;
    constexpr std::size_t most_steps = 1'000'000;  // simulated in about a second
    auto const chosen_from = [&what] {
        if (!what.candidates) { return std::string{}; }
        return "expected of the candidates, whose messages may overlap:\n" + selection::in_words(what.candidates());
    };
    auto const bytes = static_cast<double>(what.element_bytes);
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
    if (what.way) { text << ", messages " << what.way(); }
    text << "\nalgorithm: " << what.algorithm << " in " << counted(what.blocks.blocks(), "block") << " (" << what.why
         << ")\npredicted: " << counted(what.rounds, "round");
    std::size_t sent = 0, combined = 0, steps = 0;
    for (std::size_t rank = 0; rank != what.size && steps <= most_steps; ++rank) {
        std::size_t sends = 0, combines = 0;
        simulation::filled_blocks filled{what.blocks.blocks()};  // what comes into an empty block is no combine
        for (auto const& each : what.steps({rank, what.size, what.root, what.blocks})) {
            for (auto const& range : each.blocks) {
                for (auto block = range.first; block != range.last; ++block) {
                    auto const elements = what.blocks.size(block);
                    sends += each.what == action::send ? elements : 0;
                    combines += each.combines() && filled.test(each.target, block) ? elements : 0;
                    if (each.what != action::send) { filled.set(each.target, block); }
                }
            }
            ++steps;
        }
        sent = std::max(sent, sends);
        combined = std::max(combined, combines);
    }
    if (steps > most_steps) {
        text << "; too many steps to simulate\n" << chosen_from();
        return text.str();
    }
    auto const costs = cost_model::linear(what.now.link.transfer(0) * us, what.now.link.per_byte * us * bytes,
                                          what.now.combine_per_byte * us * bytes);
    auto const time = simulate(which, recorded{&what}, what.size, what.root, what.blocks, costs).makespan();
    text << ", at most " << counted(sent, "element") << " sent and " << combined << " combined by a rank";
    if (what.element_bytes != 0) {
        text << ", " << time << " us, at least " << lower_bound(which, what.size, what.blocks, costs)
             << " us by any algorithm (one message at a time; " << selection::costs_in_words(what.now) << ')';
    }
    return text.str() + '\n' + chosen_from();
}

/// A function that says how a call is performed.
template <class Invocation>
[[nodiscard]] std::function<std::string()> explanation(Invocation const& call) {
    using collective_type = typename Invocation::collective_type;
    using T = typename Invocation::element_type;
    return with_schedule(call, [&](auto const& generator, partition const& blocks, std::string_view why,
                                   situation const& now) {
        auto const steps = [generator](problem const& at) {
            auto const lazy = generate(collective_type{}, generator, at);
            std::vector<step> all;
            for (step const& each : lazy) { all.push_back(each); }
            return all;
        };
        auto const root = static_cast<std::size_t>(call.root);
        auto const size = static_cast<std::size_t>(call.world.size());
        course what{.algorithm = name_of(collective_type{}, generator),
                    .why = why,
                    .size = size,
                    .root = root,
                    .element_bytes = travels_as_bytes<T> ? sizeof(T) : 0,
                    .blocks = blocks,
                    .steps = steps,
                    .rounds = generate(collective_type{}, generator, problem{root, size, root, blocks}).rounds(),
                    .now = now};
        if constexpr (std::same_as<std::remove_cvref_t<decltype(call.algorithm)>, automatic>) {
            constexpr bool commutes = may_reorder<collective_type, typename Invocation::operator_type, T>;
            what.candidates = [now = what.now] { return expectations<commutes>(collective_type{}, now); };
        }
        if constexpr (may_share_memory<typename Invocation::communicator_type>) {
            what.way = [&world = call.world] {
                return std::string_view{world.shares_memory() ? "through memory" : "by MPI"};
            };
        }
        return std::function<std::string()>{[what = std::move(what)] { return explain(collective_type{}, what); }};
    });
}

}  // namespace tutti
