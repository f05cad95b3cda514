// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <tutti/communicator.hpp>
#include <tutti/model/file.hpp>
#include <tutti/model/machine.hpp>

namespace tutti {

/// Says what messages and combines cost on `world`, until something else is said; duplicates do not inherit it. Over
/// MPI, messages go through memory from then on if the model says so and all ranks are on one node.
/// Requires: all ranks give the same model, between the same collectives.
/// Errors: std::invalid_argument where a cost is negative or not finite, or a rule can never be followed.
template <world World>
void use(World const& world, machine_model const& model) {
    auto const check = [](std::string const& name, auto, double value) {
        if (std::isfinite(value) && value >= 0) { return; }
        throw std::invalid_argument{"tutti: of a machine_model that is to be used, '" + name + "' is " +
                                    (value < 0 ? "negative" : "not finite")};
    };
    model_file::for_each_quantity(model, check);
    for (auto const& [name, value] : model.combines) { check("combine " + name, 0, value); }
    for (auto const& each : model.choices) {
        if (auto const flaw = flaw_of(each); !flaw.empty()) {
            throw std::invalid_argument{"tutti: a machine_model that is to be used has a rule to choose by, but " +
                                        flaw};
        }
    }
    auto& ranks = communicator_of<World>::get(world);
    if constexpr (may_share_memory<std::remove_cvref_t<decltype(ranks)>>) { ranks.share_memory(model.through_memory); }
    auto& attached = ranks.attached();
    attached.template get<machine_model>() = model;
    attached.begin_edition();
}

/// The model that `use` was given last, or the default one. Valid until the next `use`.
template <world World>
[[nodiscard]] machine_model const& machine_of(World const& world) {
    return communicator_of<World>::get(world).attached().template get<machine_model>();
}

}  // namespace tutti
