// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <pmpi/call_facts.hpp>
#include <preload/call.hpp>
#include <preload/call_entry.hpp>
#include <preload/communicator_state.hpp>
#include <preload/recent_call.hpp>
#include <preload/who_performs.hpp>
#include <watch/observer.hpp>

namespace tutti::preload {

using watch::observer;

/// Who performs a collective of the program: `by_tutti()` unless it returns why not, or `by_mpi()`. The entry of the
/// communicator for calls like it decides. All ranks of the communicator have the same one, and pass here once a call;
/// what a thread remembers of the places that it calls from only finds it sooner.
class performer {
public:
    /// By value where nothing is called at once, so a call that is left to MPI stores nothing: a store delays what the
    /// processors of MPI's ranks tell each other.
    template <class Lengths, class ByTutti, class ByMpi>
    [[nodiscard, gnu::always_inline]] static int collective(function which, call_facts const& facts,
                                                            void const* returns_to, Lengths lengths, ByTutti by_tutti,
                                                            ByMpi by_mpi) {
        auto& recent = recent_call::of(returns_to, facts);
        auto& entry = is_known(recent, facts) ? *recent.entry : find(which, facts, recent);
        bool const waits = entry.who == reason::too_few_calls && entry.trial == nullptr;
        if (!entry.is_settled || (waits && entry.of->count(entry.kind))) { settle(entry); }
        auto who = entry.who;
        if (auto* const trial = entry.trial.get()) {
            if (!trial->calls.is_usual()) { return tried(entry, facts, recent, lengths, by_tutti, by_mpi); }
            who = trial->is_taken() ? reason::tutti : reason::faster_in_trials;
            trial->calls.usual_call_ended();
        }
        if (observer::is_on()) { return observed(entry, facts, recent, lengths, who, by_tutti, by_mpi); }
        return who == reason::tutti ? taken(entry, by_tutti, by_mpi) : by_mpi();
    }

private:
    [[nodiscard]] static bool is_known(recent_call const& recent, call_facts const& facts) {
        return recent.entry != nullptr && recent.knows(facts, mpi::duplicates::ended()) &&
               (!is_users(recent.entry->kind.op) || commutes(facts.op) == commutes(recent.entry->kind.op));
    }

    /// The entry of a call; while tutti is off, one that leaves it to MPI.
    [[nodiscard, gnu::cold, gnu::noinline]] static call_entry& find(function which, call_facts const& facts,
                                                                    recent_call& recent) {
        auto* entry = &mpis();
        bool stays = !is_on();
        if (auto* const of = stays ? nullptr : communicator_state::find_or_make(facts.comm)) {
            auto const whole = facts.equal && facts.count > 0 ? parts_of(which, of->ranks()) : 0;
            auto const bytes = whole == 0 ? 0 : static_cast<std::size_t>(facts.bytes()) * whole;
            entry = &of->entry_of({which, operator_kind_of(facts.op, facts.type), bytes});
            // a type of the program's may come again as another one
            stays = of->keeps(*entry) && (facts.type == MPI_DATATYPE_NULL || is_predefined(facts.type));
        }
        recent.count = facts.count;
        recent.type = facts.type;
        recent.op = facts.op;
        recent.ended = mpi::duplicates::ended();
        recent.entry = stays ? entry : nullptr;
        return *entry;
    }

    [[nodiscard]] static call_entry& mpis() {
        static auto& one = *new call_entry{.kind = {}, .is_settled = true};
        return one;
    }

    /// How many vectors as long as a rank's the whole one is.
    [[nodiscard]] static std::size_t parts_of(function which, int ranks) {
        switch (which) {
        case function::reduce_scatter_block:
        case function::gather:
        case function::scatter:
        case function::all_gather: return static_cast<std::size_t>(ranks);
        default: return 1;
        }
    }

    template <class Lengths, class ByTutti, class ByMpi>
    [[nodiscard]] static int observed(call_entry& entry, call_facts const& facts, recent_call& recent, Lengths lengths,
                                      reason who, ByTutti by_tutti, ByMpi by_mpi) {
        auto const perform = [&](call_site& site) {
            if (who != reason::tutti) {
                if (auto const* const why = who == entry.who ? entry.why : reason_text(who)) { site.left = why; }
                return by_mpi();
            }
            noted_site = &site;
            int const code = taken(entry, by_tutti, by_mpi);
            noted_site = nullptr;
            return code;
        };
        return observer::collective(facts, recent.returns_to, recent.noted, lengths, perform);
    }

    /// A call by which is tried how long it takes.
    template <class Lengths, class ByTutti, class ByMpi>
    [[nodiscard, gnu::noinline, gnu::cold]] static int tried(call_entry& entry, call_facts facts,
                                                             recent_call& recent, Lengths lengths,
                                                             ByTutti by_tutti, ByMpi by_mpi) {
        auto& trial = *entry.trial;
        auto const begun = trial.begin(facts.comm);
        bool const is_usual = trial.calls.is_usual();  // ranks have just agreed
        auto const who = trial.is_taken() ? reason::tutti : reason::faster_in_trials;
        int const code = observer::is_on()      ? observed(entry, facts, recent, lengths, who, by_tutti, by_mpi)
                         : who == reason::tutti ? taken(entry, by_tutti, by_mpi)
                                                : by_mpi();
        if (is_usual) {
            trial.calls.usual_call_ended();
        } else {
            trial.end(begun);
        }
        return code;
    }

    /// By tutti, unless it finds that it cannot, which all ranks find.
    template <class ByTutti, class ByMpi>
    [[nodiscard, gnu::noinline]] static int taken(call_entry& entry, ByTutti by_tutti, ByMpi by_mpi) {
        auto const done = by_tutti(entry);
        if (done) { return *done; }
        if (auto* const site = noted_site) { site->left = reason_text(done.why()); }
        return by_mpi();
    }
};

}  // namespace tutti::preload
