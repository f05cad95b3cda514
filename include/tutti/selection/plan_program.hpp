// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <tutti/collective.hpp>
#include <tutti/cost/call_parameters.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/text.hpp>
#include <tutti/generator/any_generator.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/node_map.hpp>
#include <tutti/partition.hpp>
#include <tutti/problem.hpp>
#include <tutti/program.hpp>
#include <tutti/program/compile.hpp>
#include <tutti/program/data_layout.hpp>
#include <tutti/selection/call_parameters_of.hpp>
#include <tutti/selection/candidates.hpp>
#include <tutti/selection/planner.hpp>

namespace tutti::selection {

/// One rank in a call.
struct rank_view {
    problem const& at;
    bool in_place;

    [[nodiscard]] bool is_root() const { return at.rank == at.root; }
    [[nodiscard]] block_range all() const { return {0, at.blocks.blocks()}; }
};

}  // namespace tutti::selection

namespace tutti::collective {

/// Which blocks of `result` the caller wants on one rank.
[[nodiscard, gnu::cold]] inline schedules::block_range required_by(meaning const& what,
                                                                   selection::rank_view const& who) {
    // the root's part of a scatter in place is where it has to be
    bool const is_there = what.gives == holder::root && what.is_owed == holder::owner && who.in_place && who.is_root();
    return is_there ? schedules::block_range{} : ownership::held(what.is_owed, who.at);
}

/// Where the operands of a collective lie on one rank, and where its results have to be.
[[nodiscard, gnu::cold]] inline engine::data_layout place_of(meaning const& what, selection::rank_view const& who) {
    engine::data_layout where;
    where.provided = ownership::held(what.gives, who.at);
    where.required = required_by(what, who);
    auto const output = who.in_place ? engine::location::input : engine::location::output;
    if (what.prefix) { where.prefix = output; }
    if (what.gives == holder::root && what.is_owed == holder::every_rank) {
        where.result = engine::location::input;
    } else if (where.required.first != where.required.last) {
        where.result = what.prefix ? engine::location::second_output : output;
    }
    if (what.gives == holder::owner || what.is_owed == holder::owner) {
        // a rank's part is in memory of its own, unless the memory holds the whole vector
        auto const begins = [&](schedules::block_range held) {
            return who.in_place || held == who.all() ? 0 : who.at.blocks.offset(held.first);
        };
        where.input_offset = begins(where.provided);
        where.result_offset = begins(where.required);
        where.compact_result = what.gives == holder::every_rank && who.in_place && where.required != who.all();
    }
    return where;
}

}  // namespace tutti::collective

namespace tutti::selection {

/// How a call is going to be performed.
template <class Collective>
struct chosen_algorithm {
    generators::any_generator<Collective> generator;
    partition blocks;
    std::string_view why;
    call_parameters now;
};

/// The cut of the vector into about as many blocks as an algorithm wants; where ranks own parts, each into as many.
template <class Collective>
[[nodiscard, gnu::cold]] partition cut_for(Collective, planned_call const& call, std::size_t wanted) {
    auto const most = call.kind->indivisible ? 1 : std::max<std::size_t>(call.elements, 1);
    if constexpr (collective::divides<Collective>) {
        auto const pieces = std::clamp<std::size_t>(wanted / call.size, 1, most);
        return call.counts.empty() ? partition::equal(call.elements, call.size * pieces)
                                   : ownership::cut(call.counts, pieces);
    } else {
        return partition::equal(call.elements, std::clamp<std::size_t>(wanted, 1, most));
    }
}

/// The algorithm that the call names, or tutti's choice.
template <class Collective>
[[nodiscard, gnu::cold]] chosen_algorithm<Collective> algorithm_of(Collective which, planned_call const& call) {
    auto now = selection::call_parameters_of(which, call);
    auto const chosen = [&](generators::any_generator<Collective> const& generator, std::string_view why) {
        return chosen_algorithm<Collective>{
            generator, selection::cut_for(which, call, generator.blocks(now.size, now.bytes)), why, std::move(now)};
    };
    if (call.algorithm == nullptr) { return selection::choose(which, now, call.kind->commutes, chosen); }
    auto const named = static_cast<held_generator<Collective> const&>(*call.algorithm).pick(now);
    if (named.machine != nullptr) { now.machine = named.machine; }
    if (!named.generator.stated().supports(now.size)) {
        throw std::invalid_argument{
            text::joined({"tutti: ", named.generator.name(), " does not support ", text::word(now.size, "rank"),
                          "; name another algorithm, or none"})};
    }
    if (named.generator.stated().requires_commutative && !call.kind->commutes) {  // known only at run time
        throw std::invalid_argument{"tutti: " + named.generator.name() +
                                    " changes the order of operands, and the operator does not commute; name another "
                                    "algorithm, or none"};
    }
    return chosen(named.generator, named.why);
}

/// In elements. Messages that wait in scratch to be combined should stay in a processor's cache; others do not wait.
template <class Collective>
[[nodiscard, gnu::cold]] std::size_t longest_message(call_parameters const& now, std::size_t element_bytes) {
    constexpr std::size_t combined = 512 * 1024;
    auto bytes = pricing::whole_bytes(now.longest_message());
    if (collective::combines<Collective>) { bytes = std::min(bytes, combined); }
    return std::max<std::size_t>(bytes / element_bytes, 1);
}

template <class Collective>
[[gnu::cold]] engine::program plan_program(planned_call const& call) {
    if (call.elements == 0) { return {}; }
    auto const chosen = selection::algorithm_of(Collective{}, call);
    problem const at{call.rank, call.size, call.root, chosen.blocks};
    auto where = collective::place_of(collective::traits<Collective>, rank_view{at, call.in_place});
    where.fills_prefix = call.kind->has_identity;
    where.block_by_block = !call.kind->travels_as_bytes;
    if (call.kind->travels_as_bytes) {
        if (!call.kind->indivisible) {
            where.longest_message = selection::longest_message<Collective>(chosen.now, call.kind->element_bytes);
        }
        if (chosen.generator.stated().keeps_round_order) {
            where.may_overtake = chosen.now.bytes_per_latency() / call.kind->element_bytes;
        }
    }
    auto result = engine::compiler{chosen.blocks, where}(chosen.generator.schedule_of(at));
    if (call.kind->indivisible) { result.unit = call.elements; }
    return result;
}

}  // namespace tutti::selection
