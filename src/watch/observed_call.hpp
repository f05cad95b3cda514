// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <cstdint>

#include <pmpi/call_facts.hpp>
#include <pmpi/datatype.hpp>
#include <pmpi/operator.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>
#include <watch/call_note.hpp>
#include <watch/call_site.hpp>
#include <watch/known_communicators.hpp>
#include <watch/thread_place.hpp>
#include <watch/ticks.hpp>

namespace tutti::watch {

/// Where a thread has found the place of a call, as long as no communicator ends.
struct known_site {
    unsigned ended = 0;  ///< communicators of this process, when it was found
    known_communicator* on = nullptr;
    call_site* site = nullptr;
};

/// A collective from its begin to its end: it is counted, some are timed, and other threads see it if `is_watched`.
class observed_call {
public:
    observed_call(call_facts const& facts, void const* returns_to, known_site& found, bool is_watched) {
        if (found.site == nullptr || found.ended != mpi::duplicates::ended()) {
            found = find(facts, returns_to);
        }
        known_ = found.on;
        site_ = found.site;
        if (known_ == nullptr) { return; }
        number_ = known_->calls.load(std::memory_order_relaxed);
        known_->calls.store(number_ + 1, std::memory_order_relaxed);
        auto& site = *site_;
        if (!site.repeats(facts)) { describe(facts, is_watched); }
        ++site.calls;
        site.bytes.add(site.last_bytes);
        if (is_watched) {
            known_->last[number_ % known_communicator::most_last].store(site_, std::memory_order_relaxed);
            place_ = &thread_places::mine();
            place_->enter(site.note, number_ + 1, [&] {
                if (!site.is_noted) { site.note.set(note_of(facts)); }
            });
            site.is_noted = true;
        }
        is_stamped_ = known_->stamps.takes(number_);
        is_timed_ = is_stamped_ || site.draw_timed();
        if (is_timed_) { begun_ = ticks::now(); }
    }

    void end() const {
        if (is_timed_) {
            auto const ended = ticks::now();
            site_->add_time(ended - begun_);
            if (is_stamped_) { known_->stamps.note(number_, begun_, ended, site_->number); }
        }
        if (place_ != nullptr) { place_->leave(); }
    }

    /// Null if some of its ranks are of another MPI_COMM_WORLD.
    [[nodiscard]] known_communicator* communicator() const { return known_; }
    [[nodiscard]] call_site& site() const { return *site_; }
    /// As others see it, if it is watched.
    [[nodiscard]] call_note note() const {
        auto note = site_->note.get();
        note.number = number_ + 1;
        return note;
    }

private:
    [[nodiscard, gnu::cold]] static known_site find(call_facts const& facts, void const* returns_to) {
        static thread_local call_site* nowhere = nullptr;  // of communicators that are not known
        known_site found{mpi::duplicates::ended(), known_communicators::get().find(facts.comm)};
        if (found.on == nullptr && nowhere == nullptr) { nowhere = new call_site; }
        found.site = found.on == nullptr ? nowhere : &found.on->site(returns_to, facts.name);
        return found;
    }

    /// What the site tells of its last call.
    [[gnu::cold]] void describe(call_facts const& facts, bool is_watched) const {
        auto& site = *site_;
        site.last_bytes = facts.bytes();
        site.last_call = facts;
        if (facts.type != MPI_DATATYPE_NULL && !is_predefined(facts.type)) { site.last_call.count = no_count; }
        site.is_noted = false;
        if (is_watched) { site.left = "TUTTI=watch"; }
    }

    [[nodiscard]] call_note note_of(call_facts const& facts) const {
        call_note note{call_note::kind::collective, facts, known_->id, site_->returns_to};
        note.type_kind = type_kind_of(facts.op, facts.type);
        return note;
    }

    static constexpr MPI_Count no_count = -2;

    known_communicator* known_ = nullptr;
    call_site* site_ = nullptr;
    thread_place* place_ = nullptr;
    std::uint64_t number_ = 0;
    std::uint64_t begun_ = 0;
    bool is_stamped_ = false;
    bool is_timed_ = false;
};

}  // namespace tutti::watch
