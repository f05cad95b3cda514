// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <cstdint>

#include <tutti/accelerator/datatype.hpp>
#include <tutti/accelerator/exact_operator.hpp>
#include <tutti/accelerator/watch/call_facts.hpp>
#include <tutti/accelerator/watch/call_note.hpp>
#include <tutti/accelerator/watch/call_site.hpp>
#include <tutti/accelerator/watch/known_communicators.hpp>
#include <tutti/accelerator/watch/recent_call.hpp>
#include <tutti/accelerator/watch/thread_place.hpp>
#include <tutti/accelerator/watch/ticks.hpp>

namespace tutti::accelerator::watch {

/// A collective from its begin to its end: it is counted, some are timed, and other threads see it if `is_watched`.
class observed_call {
public:
    observed_call(call_facts const& facts, recent_call& recent, bool is_watched) {
        if (recent.site == nullptr || recent.freed != known_communicators::get().freed()) { find(recent); }
        known_ = recent.known;
        site_ = recent.site;
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
        is_timed_ = is_stamped_ || site.is_timed();
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
    [[gnu::cold]] static void find(recent_call& recent) {
        static thread_local call_site* nowhere = nullptr;  // of communicators that are not known
        recent.freed = known_communicators::get().freed();
        recent.known = recent.comm == MPI_COMM_NULL ? nullptr : known_communicators::get().find(recent.comm);
        if (recent.known != nullptr) {
            recent.site = &recent.known->site(recent.returns_to, recent.name);
        } else {
            if (nowhere == nullptr) { nowhere = new call_site; }
            recent.site = nowhere;
        }
    }

    /// What the site tells of its last call.
    [[gnu::cold]] void describe(call_facts const& facts, bool is_watched) const {
        auto& site = *site_;
        site.last_bytes = facts.bytes();
        bool const keeps =
            facts.type == MPI_DATATYPE_NULL || is_predefined(facts.type);  // others may change their size
        site.count = keeps ? facts.count : -2;
        site.type = facts.type;
        site.op = facts.op;
        site.peer = facts.peer;
        site.is_noted = false;
        if (is_watched) { site.left = "TUTTI=watch"; }
    }

    [[nodiscard]] call_note note_of(call_facts const& facts) const {
        call_note note;
        note.of = call_note::kind::collective;
        note.name = facts.name;
        note.communicator = known_->id;
        note.bytes = site_->last_bytes;
        note.equal = facts.equal ? 1 : 0;
        note.peer = facts.peer;
        note.op = word_of(facts.op);
        note.type = word_of(facts.type);
        note.type_kind = type_kind_of(facts.op, facts.type);
        note.returns_to = site_->returns_to;
        return note;
    }

    known_communicator* known_ = nullptr;
    call_site* site_ = nullptr;
    thread_place* place_ = nullptr;
    std::uint64_t number_ = 0;
    std::uint64_t begun_ = 0;
    bool is_stamped_ = false;
    bool is_timed_ = false;
};

}  // namespace tutti::accelerator::watch
