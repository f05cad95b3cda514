// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/accelerator/call.hpp>
#include <tutti/accelerator/learned_call.hpp>
#include <tutti/accelerator/set_up_decision.hpp>
#include <tutti/accelerator/watch/call_facts.hpp>
#include <tutti/accelerator/watch/observer.hpp>
#include <tutti/accelerator/watch/recent_call.hpp>
#include <tutti/mpi.hpp>

namespace tutti::accelerator {

/// Who performs a collective of the program: `by_tutti()` unless it returns nothing, or `by_mpi()`. What is known of
/// calls like it decides: that they are short, that they wait for a set-up, or what times have shown.
class performer {
public:
    /// All are copied where they are not called at once, so that of a short call that is left to MPI nothing is written
    /// to memory: in MPI's turn a processor would wait for that.
    template <class Lengths, class ByTutti, class ByMpi>
    [[nodiscard, gnu::always_inline]] static int collective(watch::call_facts const& facts, void const* returns_to,
                                                            Lengths lengths, ByTutti by_tutti, ByMpi by_mpi) {
        auto& mine = watch::this_thread;
        auto& recent = mine.recent_one(returns_to, facts);
        bool is_mpis = watch::observer::watches();
        bool is_trial = false;
        if (!is_mpis) {
            auto const epoch = learned_calls::epoch();
            if (!recent.knows(facts, epoch)) { learned_calls::look(recent, facts, epoch); }
            is_mpis = recent.left != nullptr && (recent.waits_for == nullptr || recent.waits_for->waits(facts.comm));
            mine.is_taken = recent.is_taken;
            if (auto* const learned = recent.learned) {
                is_trial = !learned->calls.is_usual();
                if (!is_trial) {
                    is_mpis = !learned->is_taken();
                    learned->calls.usual_call_ended();
                    mine.is_taken = !is_mpis;
                }
            }
        }
        if (is_trial) { return tried(facts, recent, lengths, by_tutti, by_mpi); }
        if (!watch::observer::is_on()) { return is_mpis ? by_mpi() : taken_or_left(facts, recent, by_tutti, by_mpi); }
        return observed(facts, recent, lengths, is_mpis, by_tutti, by_mpi);
    }

private:
    template <class Lengths, class ByTutti, class ByMpi>
    [[nodiscard]] static int observed(watch::call_facts const& facts, watch::recent_call& recent, Lengths lengths,
                                      bool is_mpis, ByTutti by_tutti, ByMpi by_mpi) {
        return watch::observer::collective(facts, recent, lengths, [&] {
            if (is_mpis) {
                if (!watch::observer::watches()) {
                    recent.site->left = recent.learned != nullptr ? "faster in trials" : recent.left;
                }
                return by_mpi();
            }
            watch::this_thread.site = recent.site;
            int const code = taken_or_left(facts, recent, by_tutti, by_mpi);
            watch::this_thread.site = nullptr;
            return code;
        });
    }

    /// A call by which is tried how long it takes.
    template <class Lengths, class ByTutti, class ByMpi>
    [[nodiscard, gnu::noinline, gnu::cold]] static int tried(watch::call_facts facts, watch::recent_call& recent,
                                                             Lengths lengths, ByTutti by_tutti, ByMpi by_mpi) {
        auto& learned = *recent.learned;
        auto const begun = learned_calls::begin(learned, facts.comm);
        bool const is_usual = learned.calls.is_usual();  // ranks have just agreed
        bool const is_mpis = !learned.is_taken();
        watch::this_thread.is_taken = !is_mpis;
        int const code = watch::observer::is_on() ? observed(facts, recent, lengths, is_mpis, by_tutti, by_mpi)
                         : is_mpis                ? by_mpi()
                                                  : taken_or_left(facts, recent, by_tutti, by_mpi);
        if (is_usual) {
            learned.calls.usual_call_ended();
        } else {
            learned.ended(begun, learned_calls::end());
        }
        return code;
    }

    /// A short call that is left to MPI will be so whenever it comes.
    template <class ByTutti, class ByMpi>
    [[nodiscard, gnu::noinline]] static int taken_or_left(watch::call_facts facts, watch::recent_call& recent,
                                                          ByTutti by_tutti, ByMpi by_mpi) {
        auto const taken = by_tutti();
        auto& mine = watch::this_thread;
        mine.is_taken = false;
        if (taken) { return *taken; }
        if (mine.site != nullptr && taken.why_left() != nullptr) { mine.site->left = taken.why_left(); }
        bool const is_its_own = recent.name == facts.name && recent.comm == facts.comm;  // no call came in between
        if (taken.is_short() && is_its_own && recent.may_be_left && recent.learned == nullptr) {
            recent.left = taken.why_left();
        }
        return by_mpi();
    }
};

}  // namespace tutti::accelerator
