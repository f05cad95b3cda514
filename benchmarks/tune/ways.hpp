// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/cost/choice_rule.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/generator.hpp>
#include <tutti/generator/any_generator.hpp>
#include <tutti/selection/call_parameters.hpp>
#include <tutti/selection/candidates.hpp>
#include <tutti/selection/predicted_cost.hpp>

#include "../collectives/by_tutti.hpp"
#include "../collectives/contenders.hpp"
#include "../collectives/operators.hpp"
#include "../collectives/vectors.hpp"
#include "trial.hpp"

namespace tutti::benchmark::tuning {

template <class Collective>
using operator_for = std::conditional_t<collective::combines<Collective>, operators::sum, operators::none>;

/// What can be tried, and how it is run.
struct ways {
    std::vector<trial> trials;
    std::vector<contender> contenders;  ///< one for each
};

/// Everything that tutti chooses from for a call on these vectors: cut as is expected to be best, and, where something
/// is cut, into the given segments. `each` is what combining costs in a simulation.
template <class Collective>
[[nodiscard]] ways all_ways(call_parameters const& now, std::vector<std::size_t> const& segments, vectors const& v,
                            machine_model const& model, cost each = {}) {
    constexpr Collective which{};
    ways result;
    using candidate = typename candidate_list<Collective>::candidate;
    auto const blocks_of = [&](candidate const& one) { return one.generator.blocks(now.size, now.bytes); };
    auto const add = [&](candidate const& one, bool chosen, std::size_t segment) {
        auto const name = one.generator.name();
        auto const ports = one.generator.ports();
        result.trials.push_back({{.collective = std::string{Collective::name},
                                  .algorithm = name,
                                  .segment = segment,
                                  .ports = ports,
                                  .ranks = now.size},
                                 {name, ports, blocks_of(one), one.seconds, chosen}});
        auto const world = std::make_shared<own_communicator>(model);
        auto run = [=, generator = one.generator, op = operator_for_tutti<operator_for<Collective>>(each)]() mutable {
            by_tutti::call(which, world->get(), v, op, generator);
        };
        result.contenders.push_back({name, "tutti", std::move(run)});
    };
    auto const all = selection::ranked(which, now, true);
    for (auto const& one : all.candidates()) { add(one, &one == &all.best(), 0); }
    for (auto const segment : segments) {
        for (auto const& one : all.candidates()) {
            auto asked = now;
            asked.rule = choice_rule{.algorithm = one.generator.name(), .segment = segment};
            auto const in_segments = selection::ranked(which, asked, true);
            if (blocks_of(in_segments.best()) != blocks_of(one)) { add(in_segments.best(), false, segment); }
        }
    }
    return result;
}

}  // namespace tutti::benchmark::tuning
