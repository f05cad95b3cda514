// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <sstream>
#include <stdexcept>

#include <tutti/communicator.hpp>
#include <tutti/communicator/call.hpp>
#include <tutti/communicator/control_channel.hpp>
#include <tutti/cost/file.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/text.hpp>

namespace tutti::pricing {

namespace model_file {

/// Refuses a model with a flaw, and models that differ between the ranks, on all of them.
template <communicator C>
void require_agreement(C& ranks, machine_model const& model) {
    auto const flaw = invalid_reason(model);
    std::ostringstream text;
    write(text, model);
    text.write(reinterpret_cast<char const*>(&model.fitted), sizeof model.fitted);  // which no file has
    bool const agreed = messaging::control_channel<C>{ranks}.agrees(text::hash_of_name(text.str()), flaw.empty());
    if (!flaw.empty()) { throw std::invalid_argument{"tutti: this machine_model cannot be used: " + flaw}; }
    if (!agreed) {
        throw std::invalid_argument{"tutti: this machine_model cannot be used: another rank gives another one; let all "
                                    "give what `measure` returned to them, or read the same file"};
    }
}

}  // namespace model_file

/// From now on `model` is the model of the costs on `world`; duplicates do not inherit it. Over MPI, messages then use
/// shared memory if the model states so and all ranks are on one node.
/// Requires: all ranks call, between the same collectives, while none is in progress, with the same model.
/// Errors, on all ranks: std::invalid_argument for impossible costs, for rules that can never be followed, and for
/// models that differ between ranks; `mismatched_calls` if some rank calls something else.
template <world World>
void use(World const& world, machine_model const& model) {
    auto& ranks = control::complete_communicator_of(world);
    control::enter_together(ranks, control::call::named("use"));
    model_file::require_agreement(ranks, model);
    ranks.share_memory(model.through_memory);
    ranks.store().template get<machine_model>() = model;
    ranks.supervisor().begin_generation();
}

/// The model of the last call of `use`, or the default one. Valid until the next `use`.
template <world World>
[[nodiscard]] machine_model const& machine_of(World const& world) {
    return control::complete_communicator_of(world).store().template get<machine_model>();
}

}  // namespace tutti::pricing

#define TUTTI_UNLESS_LINKED <tutti/execution/check_call.hpp>
#include <tutti/seam.hpp>

namespace tutti {
using pricing::machine_of;
using pricing::use;
}  // namespace tutti
