// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <pmpi/call_signature.hpp>
#include <preload/call.hpp>
#include <preload/call_entry.hpp>
#include <preload/call_site_cache.hpp>
#include <preload/communicator_state.hpp>
#include <preload/who_performs.hpp>
#include <watch/observer.hpp>

namespace tutti::preload {

using watch::observer;

/// Dispatches a collective of the program: to tutti, which may still fall back to MPI, or to MPI. The entry of its
/// communicator for calls of this kind decides. All ranks have the same entries, and dispatch each call once;
/// `call_site_cache` only finds an entry sooner.
class dispatcher {
public:
    /// The slot of a call whose entry this thread knows; else null.
    [[nodiscard, gnu::always_inline]] static call_site_slot* known_slot(call_signature const& signature,
                                                                        void const* returns_to) {
        auto* const slot = call_site_cache::known_slot_of(returns_to, signature);
        return slot != nullptr && slot->has_entry_of(signature, mpi::duplicates::ended()) ? slot : nullptr;
    }
    template <class Lengths, class ByTutti, class ByMpi>
    [[nodiscard, gnu::always_inline]] static int collective(function which, call_signature const& signature,
                                                            void const* returns_to, call_site_slot* known,
                                                            Lengths lengths, ByTutti by_tutti, ByMpi by_mpi) {
        auto& slot = known != nullptr ? *known : call_site_cache::slot_of(returns_to, signature);
        bool const is_known = known != nullptr && has_operator_of(*known->entry, signature.op);
        auto& entry = is_known ? *slot.entry : find(which, signature, slot);
        bool const waits = entry.who == decision::too_few_calls && entry.trial == nullptr;
        if (!entry.is_settled || (waits && entry.of->count(entry.kind))) { settle(entry); }
        auto who = entry.who;
        if (auto* const trial = entry.trial.get()) {
            if (!trial->calls.is_usual()) { return tried(entry, signature, slot, lengths, by_tutti, by_mpi); }
            who = trial->is_taken() ? decision::tutti : decision::faster_in_trials;
            trial->calls.usual_call_ended();
        }
        if (observer::is_on()) { return observed(entry, signature, slot, lengths, who, by_tutti, by_mpi); }
        return who == decision::tutti ? taken(entry, by_tutti, by_mpi) : by_mpi();
    }

private:
    /// MPI may use the handle of a freed operator of the program's again.
    [[nodiscard]] static bool has_operator_of(call_entry const& entry, MPI_Op op) {
        return !is_users(entry.kind.op) || commutes(op) == commutes(entry.kind.op);
    }

    /// The entry of a call; while tutti is off, one for all calls, which MPI performs.
    [[nodiscard, gnu::cold, gnu::noinline]] static call_entry& find(function which, call_signature const& signature,
                                                                    call_site_slot& slot) {
        auto* entry = &mpis();
        bool stays = !is_on();
        if (auto* const of = stays ? nullptr : communicator_state::find_or_make(signature.comm)) {
            auto const whole = signature.equal && signature.count > 0 ? parts_of(which, of->ranks()) : 0;
            auto const bytes = whole == 0 ? 0 : static_cast<std::size_t>(signature.bytes()) * whole;
            entry = &of->entry_of({which, operator_kind_of(signature.op, signature.type), bytes});
            // MPI may use the handle of a freed type of the program's again
            stays = of->keeps(*entry) && (signature.type == MPI_DATATYPE_NULL || is_predefined(signature.type));
        }
        slot.count = signature.count;
        slot.type = signature.type;
        slot.op = signature.op;
        slot.ended = mpi::duplicates::ended();
        slot.entry = stays ? entry : nullptr;
        return *entry;
    }

    [[nodiscard]] static call_entry& mpis() {
        static auto& one = *new call_entry{
            .kind = {}, .is_settled = true, .is_left_to_mpi = !environment::get().observed.notes_calls()};
        return one;
    }

    /// Length of the whole vector, in vectors of a rank.
    [[nodiscard]] static std::size_t parts_of(function which, int ranks) {
        switch (which) {
        case function::reduce_scatter_block:
        case function::gather:
        case function::scatter:
        case function::allgather: return static_cast<std::size_t>(ranks);
        default: return 1;
        }
    }

    template <class Lengths, class ByTutti, class ByMpi>
    [[nodiscard]] static int observed(call_entry& entry, call_signature const& signature, call_site_slot& slot,
                                      Lengths lengths, decision who, ByTutti by_tutti, ByMpi by_mpi) {
        auto const perform = [&](call_site& site) {
            if (who != decision::tutti) {
                if (auto const* const why = who == entry.who ? entry.why : fallback_reason(who)) {
                    site.fallback = why;
                }
                return by_mpi();
            }
            observed_site = &site;
            int const code = taken(entry, by_tutti, by_mpi);
            observed_site = nullptr;
            return code;
        };
        return observer::collective(signature, slot.returns_to, slot.site, lengths, perform);
    }

    /// Performs a call of a trial, which is timed.
    template <class Lengths, class ByTutti, class ByMpi>
    [[nodiscard, gnu::noinline, gnu::cold]] static int tried(call_entry& entry, call_signature signature,
                                                             call_site_slot& slot, Lengths lengths, ByTutti by_tutti,
                                                             ByMpi by_mpi) {
        auto& trial = *entry.trial;
        auto const begun = trial.begin(signature.comm);
        bool const is_usual = trial.calls.is_usual();  // ranks have just agreed
        auto const who = trial.is_taken() ? decision::tutti : decision::faster_in_trials;
        int const code = observer::is_on()        ? observed(entry, signature, slot, lengths, who, by_tutti, by_mpi)
                         : who == decision::tutti ? taken(entry, by_tutti, by_mpi)
                                                  : by_mpi();
        if (is_usual) {
            trial.calls.usual_call_ended();
        } else {
            trial.end(begun);
        }
        return code;
    }

    /// Performs a call by tutti; by MPI, if all ranks find that tutti cannot.
    template <class ByTutti, class ByMpi>
    [[nodiscard, gnu::noinline]] static int taken(call_entry& entry, ByTutti by_tutti, ByMpi by_mpi) {
        auto const done = by_tutti(entry);
        if (done) { return *done; }
        if (auto* const site = observed_site) { site->fallback = fallback_reason(done.why()); }
        return by_mpi();
    }
};

}  // namespace tutti::preload
