// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include <pmpi/operator.hpp>
#include <preload/call_entry.hpp>
#include <preload/communicator_state.hpp>
#include <preload/environment.hpp>
#include <preload/mpi_operator.hpp>
#include <preload/thresholds.hpp>
#include <preload/tuning_file.hpp>
#include <tutti/mpi.hpp>

namespace tutti::preload {

/// What TUTTI asks for of a function; nothing if it names none of it.
[[nodiscard]] inline std::optional<environment::named_function> asked_for(function which) {
    auto const& asked = environment::get();
    bool const insists = asked.insists || (asked.reproducible && combines(which));  // all calls are to have its bits
    if (!asked.names_some && !asked.all && !insists) { return std::nullopt; }
    auto const of = asked.names_some ? asked.named[static_cast<std::size_t>(which)] : environment::named_function{0};
    return environment::named_function{of.from, of.insists || insists};
}

/// What tutti may do to an operator. One of the user's may read the whole vector as one object, or need its thread, so
/// by default tutti does nothing to it that the MPI itself never does, see README.md.
struct operator_policy {
    bool takes = true;  ///< tutti can leave vectors, or the parts of ranks, as whole as MPI does
    bool cuts = true;   ///< the operator may be applied to parts of a vector

    operator_policy(function which, operator_kind op) {
        if (!is_users(op) || environment::get().cut) { return; }
        bool const open_mpi_cuts = is_open_mpi() && commutes(op);
        cuts = open_mpi_cuts && which == function::allreduce;
        bool const scatters = which == function::reduce_scatter || which == function::reduce_scatter_block;
        takes = !scatters || !is_open_mpi() || open_mpi_cuts || environment::get().reproducible;
    }
};

/// Null if calls of this kind gain nothing.
[[nodiscard]] inline threshold const* threshold_of(call_kind const& kind) {
    auto const how = !operator_policy{kind.which, kind.op}.cuts ? threshold::whole
                     : commutes(kind.op)                        ? threshold::commuting
                                                                : threshold::in_order;
    auto const over = is_open_mpi() ? threshold::open_mpi : threshold::mpich;
    auto const* const found = std::find_if(thresholds.begin(), thresholds.end(),
                                           [&](threshold const& row) { return row.is_for(kind.which, over, how); });
    return found == thresholds.end() ? nullptr : found;
}

/// Whether all ranks are on one node, and share memory or will.
[[nodiscard]] inline bool may_share_memory(communicator_state const& of) {
    return of.own().will_share_memory() && of.own().nodes().count(static_cast<std::size_t>(of.ranks())) == 1;
}
[[nodiscard]] inline bool take_turns(communicator_state const& of) {
    return of.own().nodes().shares_processors(static_cast<std::size_t>(of.ranks()));
}

/// By the thresholds, once the communicator has its private one.
[[nodiscard]] inline decision who_is_faster(std::size_t bytes, threshold const& from, communicator_state const& of) {
    auto const& own = of.own();
    if (of.uses_devices() == communicator_state::devices::unknown) { return decision::needs_look_for_devices; }
    if (of.uses_devices() == communicator_state::devices::in_use) { return decision::device; }
    bool const may_share = may_share_memory(of);
    bool const is_long = bytes >= (take_turns(of) ? from.in_turns : from.on_one_node);
    if (may_share && is_long && own.shares_memory()) { return decision::tutti; }
    if (may_share && is_long) { return decision::needs_memory; }
    if (bytes >= from.on_several && !own.shares_memory()) { return decision::tutti; }
    return may_share                             ? decision::too_short
           : is_long                             ? decision::no_memory
           : from.on_several == threshold::never ? decision::gains_nothing_between_nodes
                                                 : decision::too_short_between_nodes;
}

/// Who performs calls of a kind. Reads only what is the same on all ranks, as the MPI standard requires of the kind,
/// and changes nothing. (Only the root of an MPI_Gatherv or MPI_Scatterv knows the bytes: these have no thresholds.)
[[nodiscard]] inline decision who_performs(call_kind const& kind, communicator_state const& of) {
    if (of.ranks() == 0) { return decision::its_communicator; }
    bool const has_bytes = kind.which != function::gatherv && kind.which != function::scatterv;
    if (has_bytes && kind.bytes == 0 && kind.which != function::barrier) { return decision::its_arguments; }
    auto const in_file = kind.bytes != 0 ? tuning_file::takes(kind.which, kind.bytes, of.ranks()) : std::nullopt;
    if (in_file == false) { return decision::named_in_tuning_file; }
    auto const asked = asked_for(kind.which);
    bool const insists = in_file == true || (asked && asked->insists);
    auto const* const from = threshold_of(kind);
    if (!in_file && asked && kind.bytes < asked->from) { return decision::not_named; }
    if (!insists) {
        if (from == nullptr) { return decision::gains_nothing; }
        if (kind.bytes < from->least()) { return decision::too_short; }
        if (kind.bytes > from->at_most) { return decision::too_long; }
        if (!asked && !of.is_due(kind.op)) { return decision::too_few_calls; }
    }
    switch (of.state_of_private_one()) {
    case communicator_state::private_one::none_yet: return decision::needs_private_one;
    case communicator_state::private_one::refused: return decision::no_private_one;
    case communicator_state::private_one::made: break;
    }
    return insists ? decision::tutti : who_is_faster(kind.bytes, *from, of);
}

/// Whether trials may decide who performs calls of a kind: not before ranks share the memory that they will share.
[[nodiscard]] inline bool may_be_tried(call_kind const& kind, communicator_state const& of) {
    auto const& asked = environment::get();
    if (asked.fixed || asked.all || asked.names_some || asked.reproducible || asked.use_file) { return false; }
    if (kind.bytes == 0 || of.state_of_private_one() != communicator_state::private_one::made) { return false; }
    if (of.uses_devices() != communicator_state::devices::none) { return false; }
    if (may_share_memory(of) && !of.own().shares_memory()) { return false; }
    return gives_same_bits(kind.op, of.ranks()) || (asked.learn_file && !is_users(kind.op));
}

/// Why MPI performs a call, for the report, with the thresholds that decide.
[[nodiscard, gnu::cold]] inline char const* explain(decision why, call_kind const& kind) {
    bool const is_by_length =
        why == decision::too_short || why == decision::too_short_between_nodes || why == decision::too_long;
    auto const* const row = is_by_length ? threshold_of(kind) : nullptr;
    if (row == nullptr) { return fallback_reason(why); }
    static std::mutex guard;
    static auto& texts = *new std::set<std::string>;  // which the report reads after the communicator has ended
    auto const lock = std::lock_guard{guard};
    return texts.insert(fallback_reason(why) + (" (" + row->text()) + ")").first->c_str();
}

/// Asks `who_performs`, and does what has to be done first, until that is known. Called by all ranks of the
/// communicator, for the same entry.
[[gnu::cold, gnu::noinline]] inline void settle(call_entry& one) {
    auto& of = *one.of;
    try {
        for (bool is_counted = false;; is_counted = true) {
            one.who = who_performs(one.kind, of);
            if (one.who == decision::needs_private_one) {
                of.make_private_one();
            } else if (one.who == decision::needs_look_for_devices) {
                of.look_for_devices();
            } else if (one.who == decision::needs_memory) {
                of.share_memory();
            } else if (one.who != decision::too_few_calls || is_counted || !of.count(one.kind)) {
                break;
            }
        }
        if (one.trial == nullptr && of.keeps(one) && may_be_tried(one.kind, of) && of.count_tried_kind()) {
            one.trial = std::make_unique<call_trials>(one.kind.which, one.kind.bytes, of.ranks(), take_turns(of),
                                                      one.who == decision::tutti);
        }
        // between nodes a call is taken until memory within nodes is shared, which later calls begin
        auto const asked = asked_for(one.kind.which);
        bool const stays = one.who != decision::tutti || (asked && asked->insists) || of.own().shares_memory();
        one.is_settled = of.keeps(one) && stays;
        bool const by_mpi = one.is_settled && one.who >= decision::too_few_calls && one.trial == nullptr;
        auto const& asked_to = environment::get().observed;
        if (by_mpi && !asked_to.notes_calls() && !is_users(one.kind.op)) { of.leave_to_mpi(one); }
        if (asked_to.report) { one.why = explain(one.who, one.kind); }
    } catch (std::exception const&) { one.who = decision::tutti; }  // the call of tutti reports what is wrong
}

}  // namespace tutti::preload
