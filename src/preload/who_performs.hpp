// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <limits>
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

/// From how many bytes on the environment wants every call of a function to be taken that tutti can perform; nothing if
/// it does not say.
[[nodiscard]] inline std::optional<std::size_t> wanted_from(function which) {
    auto const& asked = environment::get();
    if (asked.names_some) {
        return asked.named[static_cast<std::size_t>(which)].value_or(std::numeric_limits<std::size_t>::max());
    }
    return asked.all || (asked.reproducible && combines(which)) ? std::optional<std::size_t>{0} : std::nullopt;
}

/// Whether tutti does to an operator what MPI does to it: operators of the user's may take the whole vector for one
/// thing, and keep what they know between calls in memory of their thread. By default tutti does nothing to them that
/// MPI itself never does, see README.md.
struct handling {
    bool takes = true;  ///< the vector, or at least the part of a rank, can stay whole as it does in MPI
    bool cuts = true;   ///< it need not

    handling(function which, operator_kind op) {
        if (!is_users(op) || environment::get().cut) { return; }
        bool const open_mpi_cuts = is_open_mpi() && commutes(op);
        cuts = open_mpi_cuts && which == function::all_reduce;
        bool const scatters = which == function::reduce_scatter || which == function::reduce_scatter_block;
        takes = !scatters || !is_open_mpi() || open_mpi_cuts || environment::get().reproducible;
    }
};

/// The row for calls of a kind; null if they gain nothing.
[[nodiscard]] inline threshold const* threshold_of(call_kind const& kind) {
    auto const how = !handling{kind.which, kind.op}.cuts ? threshold::whole
                     : commutes(kind.op)               ? threshold::commuting
                                                       : threshold::in_order;
    auto const over = is_open_mpi() ? threshold::open_mpi : threshold::mpich;
    auto const* const found = std::find_if(thresholds.begin(), thresholds.end(),
                                           [&](threshold const& row) { return row.is_for(kind.which, over, how); });
    return found == thresholds.end() ? nullptr : found;
}

/// Whether memory that the ranks of one node share would carry their messages, one day.
[[nodiscard]] inline bool may_share_memory(communicator_state const& of) {
    return of.own().will_share_memory() && of.own().nodes().count(static_cast<std::size_t>(of.ranks())) == 1;
}
[[nodiscard]] inline bool take_turns(communicator_state const& of) {
    return of.own().nodes().shares_processors(static_cast<std::size_t>(of.ranks()));
}

/// Who performs a call of a communicator that has its private one, by what was measured.
[[nodiscard]] inline reason who_is_faster(std::size_t bytes, threshold const& from, communicator_state const& of) {
    auto const& own = of.own();
    if (of.uses_devices() == communicator_state::devices::unknown) { return reason::needs_look_for_devices; }
    if (of.uses_devices() == communicator_state::devices::in_use) { return reason::device; }
    bool const may_share = may_share_memory(of);
    bool const is_long = bytes >= (take_turns(of) ? from.in_turns : from.on_one_node);
    if (may_share && is_long && own.shares_memory()) { return reason::tutti; }
    if (may_share && is_long) { return reason::needs_memory; }
    if (bytes >= from.on_several && !own.shares_memory()) { return reason::tutti; }
    return may_share                             ? reason::too_short
           : is_long                             ? reason::no_memory
           : from.on_several == threshold::never ? reason::gains_nothing_between_nodes
                                                 : reason::too_short_between_nodes;
}

/// Who performs calls of a kind, or what has to be done first: by what is the same on all ranks of a call, as the MPI
/// standard requires of a program, and by the state of its communicator. (Of MPI_Gatherv and MPI_Scatterv only the root
/// knows the bytes: they are never taken by size.)
[[nodiscard]] inline reason who_performs(call_kind const& kind, communicator_state const& of) {
    if (of.ranks() == 0) { return reason::its_communicator; }
    bool const has_bytes = kind.which != function::gatherv && kind.which != function::scatterv;
    if (has_bytes && kind.bytes == 0 && kind.which != function::barrier) { return reason::its_arguments; }
    auto const in_file = kind.bytes != 0 ? tuning_file::takes(kind.which, kind.bytes, of.ranks()) : std::nullopt;
    if (in_file == false) { return reason::named_in_tuning_file; }
    auto const wanted = in_file ? std::optional<std::size_t>{0} : wanted_from(kind.which);
    auto const* const from = threshold_of(kind);
    if (wanted) {
        if (kind.bytes < *wanted) { return reason::not_named; }
    } else {
        if (from == nullptr) { return reason::gains_nothing; }
        if (kind.bytes < from->least()) { return reason::too_short; }
        if (kind.bytes > from->at_most) { return reason::too_long; }
        if (!of.is_due(kind.op)) { return reason::too_few_calls; }
    }
    switch (of.state_of_private_one()) {
    case communicator_state::private_one::none_yet: return reason::needs_private_one;
    case communicator_state::private_one::refused: return reason::no_private_one;
    case communicator_state::private_one::made: break;
    }
    return wanted ? reason::tutti : who_is_faster(kind.bytes, *from, of);
}

/// Whether times may decide who performs calls of a kind, of which a rule says `who`: not before ranks share the memory
/// that they are going to share.
[[nodiscard]] inline bool may_be_tried(call_kind const& kind, communicator_state const& of) {
    auto const& asked = environment::get();
    if (asked.fixed || asked.all || asked.names_some || asked.reproducible || asked.use_file) { return false; }
    if (kind.bytes == 0 || of.state_of_private_one() != communicator_state::private_one::made) { return false; }
    if (of.uses_devices() != communicator_state::devices::none) { return false; }
    if (may_share_memory(of) && !of.own().shares_memory()) { return false; }
    return gives_same_bits(kind.op, of.ranks()) || (asked.learn_file && !is_users(kind.op));
}

/// For the report: why MPI performs a call, with the row of `thresholds` that decides.
[[nodiscard, gnu::cold]] inline char const* explain(reason why, call_kind const& kind) {
    bool const is_by_length =
        why == reason::too_short || why == reason::too_short_between_nodes || why == reason::too_long;
    auto const* const row = is_by_length ? threshold_of(kind) : nullptr;
    if (row == nullptr) { return reason_text(why); }
    static std::mutex guard;
    static auto& texts = *new std::set<std::string>;  // which the report reads after the communicator has ended
    auto const lock = std::lock_guard{guard};
    return texts.insert(reason_text(why) + (" (" + row->text()) + ")").first->c_str();
}

/// Finds out who performs the next call of an entry, counts that if it has to be, and does what has to be done first.
/// All ranks of the communicator call, for the same entry.
[[gnu::cold, gnu::noinline]] inline void settle(call_entry& one) {
    auto& of = *one.of;
    try {
        for (bool is_counted = false;; is_counted = true) {
            one.who = who_performs(one.kind, of);
            if (one.who == reason::needs_private_one) {
                of.make_private_one();
            } else if (one.who == reason::needs_look_for_devices) {
                of.look_for_devices();
            } else if (one.who == reason::needs_memory) {
                of.share_memory();
            } else if (one.who != reason::too_few_calls || is_counted || !of.count(one.kind)) {
                break;
            }
        }
        if (one.trial == nullptr && of.keeps(one) && may_be_tried(one.kind, of) && of.count_tried_kind()) {
            one.trial = std::make_unique<learned_call>(one.kind.which, one.kind.bytes, of.ranks(), take_turns(of),
                                                       one.who == reason::tutti);
        }
        // between nodes a call is taken until memory within nodes is shared, which later calls begin
        one.is_settled = of.keeps(one) && (one.who != reason::tutti || wanted_from(one.kind.which) ||
                                           of.own().shares_memory());
        if (environment::get().observed.report) { one.why = explain(one.who, one.kind); }
    } catch (std::exception const&) { one.who = reason::tutti; }  // the call of tutti reports what is wrong
}

}  // namespace tutti::preload
