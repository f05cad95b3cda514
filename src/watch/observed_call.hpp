// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <cstdint>

#include <pmpi/call_signature.hpp>
#include <pmpi/datatype.hpp>
#include <pmpi/operator.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>
#include <watch/call_record.hpp>
#include <watch/call_site.hpp>
#include <watch/known_communicators.hpp>
#include <watch/thread_status.hpp>
#include <watch/ticks.hpp>

namespace tutti::watch {

/// The communicator and the site of a call, valid until a communicator of the process ends.
struct known_site {
    unsigned ended = 0;  ///< `duplicates::ended()` when they were found
    known_communicator* on = nullptr;
    call_site* site = nullptr;
};

/// A collective from its begin to its end. It is counted; some are timed; if `is_watched`, other threads can read it.
class observed_call {
public:
    observed_call(call_signature const& signature, void const* returns_to, known_site& found, bool is_watched) {
        if (found.site == nullptr || found.ended != mpi::duplicates::ended()) { found = find(signature, returns_to); }
        known_ = found.on;
        site_ = found.site;
        if (known_ == nullptr) { return; }
        number_ = known_->calls.load(std::memory_order_relaxed);
        known_->calls.store(number_ + 1, std::memory_order_relaxed);
        auto& site = *site_;
        if (!site.repeats(signature)) { describe(signature, is_watched); }
        ++site.calls;
        site.bytes.add(site.last_bytes);
        if (is_watched) {
            known_->last[number_ % known_communicator::most_last].store(site_, std::memory_order_relaxed);
            status_ = &thread_statuses::mine();
            status_->enter(site.record, number_ + 1, [&] {
                if (!site.is_recorded) { site.record.set(record_of(signature)); }
            });
            site.is_recorded = true;
        }
        is_stamped_ = known_->stamps.takes(number_);
        is_timed_ = is_stamped_ || site.draw_timed();
        if (is_timed_) { begun_ = ticks::now(); }
    }

    void end() const {
        if (is_timed_) {
            auto const ended = ticks::now();
            site_->add_time(ended - begun_);
            if (is_stamped_) { known_->stamps.record(number_, begun_, ended, site_->number); }
        }
        if (status_ != nullptr) { status_->leave(); }
    }

    /// Null if some of its ranks are of another MPI_COMM_WORLD.
    [[nodiscard]] known_communicator* communicator() const { return known_; }
    [[nodiscard]] call_site& site() const { return *site_; }
    /// As others see it, if it is watched.
    [[nodiscard]] call_record record() const {
        auto record = site_->record.get();
        record.number = number_ + 1;
        return record;
    }

private:
    [[nodiscard, gnu::cold]] static known_site find(call_signature const& signature, void const* returns_to) {
        static thread_local call_site* nowhere = nullptr;  // of communicators that are not known
        known_site found{mpi::duplicates::ended(), known_communicators::get().find(signature.comm)};
        if (found.on == nullptr && nowhere == nullptr) { nowhere = new call_site; }
        found.site = found.on == nullptr ? nowhere : &found.on->site(returns_to, signature.name);
        return found;
    }

    [[gnu::cold]] void describe(call_signature const& signature, bool is_watched) const {
        auto& site = *site_;
        site.last_bytes = signature.bytes();
        site.last_call = signature;
        if (signature.type != MPI_DATATYPE_NULL && !is_predefined(signature.type)) { site.last_call.count = no_count; }
        site.is_recorded = false;
        if (is_watched) { site.fallback = "TUTTI=watch"; }
    }

    [[nodiscard]] call_record record_of(call_signature const& signature) const {
        call_record record{call_record::kind::collective, signature, known_->id, site_->returns_to};
        record.type_kind = type_kind_of(signature.op, signature.type);
        return record;
    }

    static constexpr MPI_Count no_count = -2;

    known_communicator* known_ = nullptr;
    call_site* site_ = nullptr;
    thread_status* status_ = nullptr;
    std::uint64_t number_ = 0;
    std::uint64_t begun_ = 0;
    bool is_stamped_ = false;
    bool is_timed_ = false;
};

}  // namespace tutti::watch
