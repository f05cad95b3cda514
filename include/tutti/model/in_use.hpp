// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <stdexcept>
#include <type_traits>

#include <tutti/communicator.hpp>
#include <tutti/model/machine.hpp>
#include <tutti/model/quantities.hpp>

namespace tutti {

/// Says what messages and combines cost on `world`, until something else is said; duplicates do not inherit it. Over
/// MPI, messages go through memory from then on if the model says so and all ranks are on one node.
/// Requires: all ranks give the same model, between the same collectives.
/// Errors: std::invalid_argument for costs that no machine can have, and for rules that can never be followed.
template <world World>
void use(World const& world, machine_model const& model) {
    if (auto const flaw = model_file::flaw_of(model); !flaw.empty()) {
        throw std::invalid_argument{"tutti: this machine_model cannot be used: " + flaw};
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
