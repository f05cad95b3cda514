// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/cost/call_parameters.hpp>
#include <tutti/selection/candidates/all.hpp>
#include <tutti/selection/canonical.hpp>

#include "contenders.hpp"
#include "operators.hpp"
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

/// What tutti may choose for a call of `Collective`, and how each is run: a contender for each trial.
template <class Collective>
struct candidates {
    call_parameters const& now;
    machine_model const& model;
    cost each = {};  ///< what combining costs in a simulation
    std::vector<trial> trials = {};
    std::vector<contender> contenders = {};

    /// Everything that tutti chooses from: cut as is expected to be best, and, where something is cut, into the given
    /// segments.
    void add_all(std::vector<std::size_t> const& segments) {
        auto const all = selection::candidates_for(Collective{}, now, true);
        for (auto const& one : all.candidates()) { add(one, &one == &all.best()); }
        for (auto const segment : segments) {
            for (auto const& one : all.candidates()) {
                auto asked = now;
                asked.rule = choice_rule{.algorithm = one.generator.name(), .segment = segment};
                auto const in_segments = selection::candidates_for(Collective{}, asked, true);
                if (blocks_of(in_segments.best()) != blocks_of(one)) { add(in_segments.best(), false, segment); }
            }
        }
    }

    /// What `reproducible` chooses from, and what else keeps the order of operands; chosen is what `reproducible`
    /// chooses.
    void add_in_order() {
        auto const canonical = selection::canonical(Collective{}, now);
        for (auto const& one : canonical.candidates()) { add(one, &one == &canonical.best()); }
        auto const others = selection::candidates_for(Collective{}, now, false);
        for (auto const& one : others.candidates()) { add(one, false); }
    }

private:
    using candidate = typename selection::candidate_list<Collective>::candidate;

    std::size_t blocks_of(candidate const& one) const { return one.generator.blocks(now.size, now.bytes); }

    void add(candidate const& one, bool chosen, std::size_t segment = 0) {
        auto const name = one.generator.name();
        auto const ports = one.generator.ports();
        choice_rule const rule{.collective = std::string{Collective::name},
                               .algorithm = name, .segment = segment, .ports = ports, .ranks = now.size};
        trials.push_back({rule, {name, ports, blocks_of(one), one.seconds, chosen}});
        contenders.push_back(by_tutti_on<operator_for<Collective>>(std::make_shared<own_communicator>(model), name,
                                                                   Collective{}, one.generator, each));
    }
};

}  // namespace tutti::benchmark::tuning
