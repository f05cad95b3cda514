// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/cost/call_parameters.hpp>
#include <tutti/cost/choice_rule.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/generator/any_generator.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/selection/candidates.hpp>
#include <tutti/selection/canonical.hpp>
#include <tutti/selection/predicted_cost.hpp>

#include "../collectives/calls.hpp"
#include "../collectives/contenders.hpp"
#include "../collectives/operators.hpp"
#include "../collectives/vectors.hpp"
#include "rules.hpp"

namespace tutti::benchmark::tuning {

template <class Collective>
using operator_for = std::conditional_t<collective::combines<Collective>, operators::sum, operators::none>;

/// What tutti chooses by for a call of `Collective` on `n` doubles here, which are combined by `Op`.
template <class Collective, class Op>
[[nodiscard]] call_parameters parameters_of(machine_model const& model, std::size_t size, std::size_t n, Op const&) {
    call_parameters now{
        .size = size, .bytes = n * sizeof(double), .nodes = communicator_of<MPI_Comm>::get(MPI_COMM_WORLD).nodes()};
    now.adopt(model, Collective::name);
    if constexpr (collective::combines<Collective>) { now.combine_per_byte = pricing::combine_cost<Op, double>(model); }
    return now;
}

/// What can be tried, and how it is run.
struct ways {
    std::vector<trial> trials;
    std::vector<contender> contenders;  ///< one for each
};

/// Adds one candidate, or one cut into segments of so many bytes. `each` is what combining costs in a simulation.
template <class Collective>
void add_way(ways& to, typename selection::candidate_list<Collective>::candidate const& one, bool chosen,
             std::size_t segment, call_parameters const& now, machine_model const& model, cost each) {
    auto const name = one.generator.name();
    auto const ports = one.generator.ports();
    to.trials.push_back({{.collective = std::string{Collective::name},
                          .algorithm = name,
                          .segment = segment,
                          .ports = ports,
                          .ranks = now.size},
                         {name, ports, one.generator.blocks(now.size, now.bytes), one.seconds, chosen}});
    auto const world = std::make_shared<own_communicator>(model);
    auto run = [=, generator = one.generator, op = operator_for_tutti<operator_for<Collective>>(each)](
                   vectors const& v) mutable { by_tutti::call(Collective{}, world->get(), v, op, generator); };
    to.contenders.push_back({name, "tutti", std::move(run)});
}

/// Everything that tutti chooses from for a call: cut as is expected to be best, and, where something is cut, into the
/// given segments.
template <class Collective>
[[nodiscard]] ways all_ways(call_parameters const& now, std::vector<std::size_t> const& segments,
                            machine_model const& model, cost each = {}) {
    constexpr Collective which{};
    ways result;
    using candidate = typename selection::candidate_list<Collective>::candidate;
    auto const blocks_of = [&](candidate const& one) { return one.generator.blocks(now.size, now.bytes); };
    auto const add = [&](candidate const& one, bool chosen, std::size_t segment) {
        add_way<Collective>(result, one, chosen, segment, now, model, each);
    };
    auto const all = selection::candidates_for(which, now, true);
    for (auto const& one : all.candidates()) { add(one, &one == &all.best(), 0); }
    for (auto const segment : segments) {
        for (auto const& one : all.candidates()) {
            auto asked = now;
            asked.rule = choice_rule{.algorithm = one.generator.name(), .segment = segment};
            auto const in_segments = selection::candidates_for(which, asked, true);
            if (blocks_of(in_segments.best()) != blocks_of(one)) { add(in_segments.best(), false, segment); }
        }
    }
    return result;
}

/// What `reproducible` chooses from, and what else keeps the order of operands; chosen is what `reproducible` chooses.
template <class Collective>
[[nodiscard]] ways ways_in_order(call_parameters const& now, machine_model const& model, cost each) {
    ways result;
    auto const canonical = selection::canonical(Collective{}, now);
    auto const others = selection::candidates_for(Collective{}, now, false);
    for (auto const& one : canonical.candidates()) {
        add_way<Collective>(result, one, &one == &canonical.best(), 0, now, model, each);
    }
    for (auto const& one : others.candidates()) { add_way<Collective>(result, one, false, 0, now, model, each); }
    return result;
}

}  // namespace tutti::benchmark::tuning
