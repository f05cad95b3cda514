// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <tutti/execution/compile.hpp>
#include <tutti/execution/program.hpp>
#include <tutti/generator/any_generator.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/model/machine.hpp>
#include <tutti/node_map.hpp>
#include <tutti/ownership.hpp>
#include <tutti/partition.hpp>
#include <tutti/problem.hpp>
#include <tutti/selection/candidates.hpp>
#include <tutti/selection/placement.hpp>
#include <tutti/selection/planner.hpp>
#include <tutti/selection/situation.hpp>

namespace tutti {

/// How a call is going to be performed.
template <class Collective>
struct chosen_algorithm {
    any_generator<Collective> generator;
    partition blocks;
    std::string_view why;
    situation now;
};

/// The cut of the vector into about as many blocks as an algorithm wants: every rank's part into as many as the
/// others'.
template <class Collective>
[[nodiscard]] partition cut_for(Collective, call_parameters const& call, std::size_t wanted) {
    auto const most = std::max<std::size_t>(call.elements, 1);
    if constexpr (collective::divides<Collective>) {
        auto const pieces = std::clamp<std::size_t>(wanted / call.size, 1, most);
        return call.counts.empty() ? partition::equal(call.elements, call.size * pieces)
                                   : ownership::cut(call.counts, pieces);
    } else {
        return partition::equal(call.elements, std::clamp<std::size_t>(wanted, 1, most));
    }
}

template <class Collective>
[[nodiscard]] situation situation_of(Collective, call_parameters const& call) {
    auto const& kind = *call.kind;
    auto const bytes = call.memory_is_lent || kind.travels_as_bytes ? call.elements * kind.element_bytes : 0;
    auto const longest =
        call.counts.empty() || bytes == 0 ? 0 : *std::ranges::max_element(call.counts) * kind.element_bytes;
    situation result{call.size, bytes, longest};
    if (call.nodes != nullptr) { result.nodes = *call.nodes; }
    result.memory_is_lent = call.memory_is_lent;
    result.parts_differ = !call.counts.empty();
    static machine_model const unknown;
    auto const& machine = call.machine != nullptr ? *call.machine : unknown;
    result.adopt(machine, Collective::name);
    if constexpr (collective::combines<Collective>) {
        result.combine_per_byte = combine_cost(machine, kind.combine, kind.element);
    }
    return result;
}

/// The algorithm that the call names, or tutti's choice.
template <class Collective>
[[nodiscard]] chosen_algorithm<Collective> algorithm_of(Collective which, call_parameters const& call) {
    auto now = situation_of(which, call);
    auto const chosen = [&](any_generator<Collective> const& generator, std::string_view why) {
        return chosen_algorithm<Collective>{generator, cut_for(which, call, generator.blocks(now.size, now.bytes)), why,
                                            std::move(now)};
    };
    if (call.algorithm == nullptr) { return selection::choose(which, now, call.kind->commutes, chosen); }
    auto const& named = static_cast<held_generator<Collective> const&>(*call.algorithm);
    if (!named.generator.stated().supports(now.size)) {
        throw std::invalid_argument{"tutti: " + named.generator.name() + " does not support " +
                                    std::to_string(now.size) + " ranks"};
    }
    if (named.generator.stated().requires_commutative && !call.kind->commutes) {  // known only at run time
        throw std::invalid_argument{"tutti: " + named.generator.name() +
                                    " changes the order of operands, and the operator does not commute"};
    }
    return chosen(named.generator, named.why);
}

/// Elements. What waits in scratch to be combined should stay in a processor's cache; the rest goes where it belongs.
template <class Collective>
[[nodiscard]] std::size_t longest_message(situation const& now, std::size_t element_bytes) {
    constexpr std::size_t combined = 512 * 1024;
    auto bytes = whole_bytes(now.longest_message);
    if (collective::combines<Collective>) { bytes = std::min(bytes, combined); }
    return std::max<std::size_t>(bytes / element_bytes, 1);
}

template <class Collective>
program plan_program(call_parameters const& call) {
    if (call.elements == 0) { return {}; }
    auto const chosen = algorithm_of(Collective{}, call);
    problem const at{call.rank, call.size, call.root, chosen.blocks};
    auto where = place_of(collective::traits<Collective>, participant{at, call.in_place});
    where.fills_prefix = call.kind->has_identity;
    where.block_by_block = !call.kind->travels_as_bytes;
    if (call.kind->travels_as_bytes) {
        where.longest_message = longest_message<Collective>(chosen.now, call.kind->element_bytes);
        if (chosen.generator.stated().in_step) {
            where.may_overtake = chosen.now.bytes_per_latency() / call.kind->element_bytes;
        }
    }
    return compiler{chosen.blocks, where}(chosen.generator.schedule_of(at));
}

}  // namespace tutti
