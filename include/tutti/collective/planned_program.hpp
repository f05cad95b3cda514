// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include <tutti/collective/perform.hpp>
#include <tutti/communicator.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/execution/default_algorithm.hpp>
#include <tutti/program.hpp>
#include <tutti/program/funneled.hpp>
#include <tutti/program/ready_mode.hpp>
#include <tutti/selection/planner.hpp>

namespace tutti::engine {

/// What the planner sees of a call; `algorithm` is the one that it names, or null.
template <class C, class Element, class Operator>
[[nodiscard, gnu::cold]] selection::planned_call planned_call_of(prepared_call<C, Element, Operator> const& what,
                                                     selection::held_algorithm const* algorithm) {
    selection::planned_call result{.kind = &what.kind,
                        .rank = static_cast<std::size_t>(what.world.rank()),
                        .size = static_cast<std::size_t>(what.world.size()),
                        .root = static_cast<std::size_t>(what.root),
                        .elements = what.elements,
                        .counts = what.counts,
                        .in_place = what.in_place(),
                        .lends_objects = control::lends_objects<C> || (C::lends_operands && what.kind.travels_as_bytes),
                        .algorithm = algorithm,
                        .machine = &what.world.store().template get<machine_model>()};
    result.nodes = &what.world.nodes();
    return result;
}

/// The algorithm that the call names, or that is the default; null if tutti chooses. There is no default where the root
/// alone may know the counts: then parts go straight to it, or come from it.
template <class C, class Element, class Operator>
[[nodiscard]] std::unique_ptr<selection::held_algorithm>
held_algorithm_of(prepared_call<C, Element, Operator> const& what) {
    if (what.kind.hold != nullptr) {
        return std::unique_ptr<selection::held_algorithm>{what.kind.hold(what.algorithm)};
    }
    if (what.kind.rooted && !what.counts.empty()) { return nullptr; }
    auto const& usual = what.world.store().template get<default_algorithm>();
    return std::unique_ptr<selection::held_algorithm>{
        usual.hold != nullptr ? usual.hold(engine::planned_call_of(what, nullptr), usual.names) : nullptr};
}

/// Whether long messages of a call take less time if their receivers read them where they lie, where ranks can. So do
/// all that are only moved, as by an exclusive scan of two ranks, and those of a reduce of two, which are combined, up
/// to 256 KiB. 64 KiB take 5.9 us, and 7.2 through slots. From 512 KiB on the sender's half of the work through slots
/// is worth more (Intel Xeon, 2026-11-28, `./dev bench collectives --ranks 2 --model default` with
/// TUTTI_SINGLE_COPY=always and never).
[[nodiscard, gnu::cold]] inline bool prefers_single_copies(selection::planned_call const& call) {
    auto const& kind = *call.kind;
    if (kind.combine.empty()) { return true; }
    constexpr std::size_t longest_reduced = std::size_t{256} << 10;
    return call.size == 2 &&
           (kind.collective == collective::exclusive_scan::name ||
            (kind.collective == collective::reduce::name && call.elements * kind.element_bytes <= longest_reduced));
}

/// The program that `plan` makes of a call, in the mode of sending and in the units in which it is executed.
template <class Element, class C>
[[nodiscard, gnu::cold]] program program_of(C const& world, program (*plan)(selection::planned_call const&),
                                            selection::planned_call const& call) {
    auto result = plan(call);
    if (auto const group = world.funneled(); group.first != group.last) {
        result = funneled_pass{std::move(result), group, world.rank()}();
    }
    result.prefers_single_copies = prefers_single_copies(call);
    if constexpr (std::is_same_v<Element, std::byte>) {
        if (world.ready_mode()) { result = ready_mode_pass{std::move(result)}(); }
        return std::move(result).in_bytes(call.kind->element_bytes);
    }
    return result;
}

}  // namespace tutti::engine
