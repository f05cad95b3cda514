// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <tutti/accelerator/environment.hpp>
#include <tutti/accelerator/datatype.hpp>
#include <tutti/accelerator/watch/call_facts.hpp>
#include <tutti/accelerator/watch/call_note.hpp>
#include <tutti/accelerator/watch/call_table.hpp>
#include <tutti/accelerator/watch/comparison.hpp>
#include <tutti/accelerator/watch/known_communicators.hpp>
#include <tutti/accelerator/watch/last_words.hpp>
#include <tutti/accelerator/watch/observed_call.hpp>
#include <tutti/accelerator/watch/recent_call.hpp>
#include <tutti/accelerator/watch/thread_place.hpp>
#include <tutti/accelerator/watch/watcher.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>

namespace tutti::accelerator::watch {

/// What is noted of each call: for `TUTTI=report` who came when, for `TUTTI=watch` where the thread is, too.
class observer {
public:
    /// Between MPI_Init and MPI_Finalize, if the environment asks for it.
    [[nodiscard]] static bool is_on() noexcept { return is_on_; }
    [[nodiscard]] static bool watches() noexcept { return watches_; }

    /// After MPI_Init, on all ranks.
    static void begin() {
        auto const& asked = environment::get();
        if (asked.watch) {
            watcher::begin(*asked.watch);
            last_words::begin();
            watches_ = true;
        }
        if (asked.watch || asked.report) {
            checks_ = asked.check;
            is_on_ = true;
            call_table::get().begin();
            known_communicators::get().made(MPI_COMM_WORLD, nullptr);
        }
    }

    /// A collective that `perform()` performs. `lengths()` gives what ranks compare where parts differ.
    template <class Lengths, class Perform>
    [[nodiscard]] static int collective(call_facts const& facts, recent_call& recent, Lengths lengths,
                                        Perform perform) {
        observed_call const call{facts, recent, watches_};
        int code = checks_ ? compare(call, lengths) : MPI_SUCCESS;
        if (code == MPI_SUCCESS) { code = perform(); }
        call.end();
        return code;
    }

    /// A collective that goes on after it has returned a request.
    template <class Lengths, class Call>
    [[nodiscard]] static int begun(call_facts const& facts, MPI_Request* request, void const* returns_to,
                                   Lengths lengths, Call call) {
        if (!is_on_) { return call(); }
        observed_call const observed{facts, this_thread.recent_one(returns_to, facts), watches_};
        if (checks_) { compare_later(observed, lengths); }
        int const code = call();
        auto& site = observed.site();
        if (!watches_) { site.left = "nonblocking"; }
        if (code == MPI_SUCCESS && request != nullptr && *request != MPI_REQUEST_NULL) {
            pending_collectives::add(*request, observed.note(), site);
        }
        observed.end();
        return code;
    }

    /// Another function in which a rank may wait.
    template <class Call>
    [[nodiscard]] static int other(call_facts const& facts, void const* returns_to, Call call) {
        if (!watches_) { return call(); }
        call_note note;
        note.of = call_note::kind::other;
        note.name = facts.name;
        note.bytes = facts.bytes();
        note.peer = facts.peer;
        note.tag = facts.tag;
        note.returns_to = returns_to;
        if (auto const* const known =
                facts.comm == MPI_COMM_NULL ? nullptr : known_communicators::get().find(facts.comm)) {
            note.communicator = known->id;
            bool const is_rank = facts.peer >= 0 && static_cast<std::size_t>(facts.peer) < known->members.size();
            if (is_rank) { note.peer = known->members[static_cast<std::size_t>(facts.peer)]; }
        }
        auto& place = thread_places::mine();
        place.enter(note);
        int const code = call();
        place.leave();
        return code;
    }

    /// A function that waits for requests, or tests them.
    template <class Call>
    [[nodiscard]] static int completion(char const* name, bool waits, int count, MPI_Request* requests,
                                        void const* returns_to, Call call) {
        if (!is_on_) { return call(); }
        if (!pending_collectives::any()) { return waits ? other(call_facts{name}, returns_to, call) : call(); }
        std::vector<std::pair<pending_collectives::entry*, MPI_Request*>> collectives;
        for (int i = 0; i < count; ++i) {
            if (requests[i] == MPI_REQUEST_NULL) { continue; }
            if (auto* const found = pending_collectives::find(requests[i])) {
                collectives.emplace_back(found, &requests[i]);
            }
        }
        if (collectives.empty()) { return waits ? other(call_facts{name}, returns_to, call) : call(); }
        for (auto const& each : collectives) { each.first->is_waited_for = true; }
        auto& place = thread_places::mine();
        call_note note;
        unsigned version = 0;
        bool const is_shown = watches_ && waits && collectives.front().first->about.read(note, version);
        if (is_shown) {
            note.through = name;
            note.returns_to = returns_to;
            note.has_ended = 0;
            place.enter(note);
        }
        if (checks_ && waits) { comparison::look_at_earlier(true); }
        auto const begun = ticks::now();
        int const code = call();
        auto const ended = ticks::now();
        if (is_shown) { place.leave(); }
        if (auto* const site = collectives.front().first->site.load()) { site->time += ended - begun; }
        for (auto const& [entry, request] : collectives) {
            if (*request == MPI_REQUEST_NULL) { pending_collectives::remove(*entry); }
        }
        return code;
    }

    /// A collective that makes a communicator.
    template <class Call>
    [[nodiscard]] static int making(call_facts const& facts, MPI_Comm* made, void const* returns_to, Call call) {
        if (!is_on_) { return call(); }
        int const code = collective(facts, this_thread.recent_one(returns_to, facts), none, call);
        if (code == MPI_SUCCESS && made != nullptr) { known_communicators::get().made(*made, returns_to); }
        return code;
    }

    /// The same, called by the ranks alone that are to be in it.
    template <class Call>
    [[nodiscard]] static int making_by_some(call_facts const& facts, MPI_Comm* made, void const* returns_to,
                                            Call call) {
        int const code = other(facts, returns_to, call);
        if (is_on_ && code == MPI_SUCCESS && made != nullptr) { known_communicators::get().made(*made, returns_to); }
        return code;
    }

    /// MPI_Comm_free.
    template <class Call>
    [[nodiscard]] static int freeing(MPI_Comm* comm, void const* returns_to, Call call) {
        if (!is_on_ || comm == nullptr || *comm == MPI_COMM_NULL) { return call(); }
        if (checks_) { comparison::look_at_earlier(true); }
        return other({"MPI_Comm_free", *comm}, returns_to, call);
    }

    /// MPI_Finalize.
    template <class Call>
    [[nodiscard]] static int ending(void const* returns_to, Call call) {
        if (!is_on_) { return call(); }
        if (checks_) { comparison::look_at_earlier(true); }
        int const code = other({"MPI_Finalize"}, returns_to, [&] {
            call_table::get().print();
            last_words::end();
            is_on_ = false;
            return call();
        });
        if (watches_) { watcher::end(); }
        return code;
    }

    static constexpr auto none = [] { return part_lengths{}; };

private:
    template <class Lengths>
    [[nodiscard, gnu::noinline]] static int compare(observed_call const& call, Lengths lengths) {
        auto const* const on = call.communicator();
        return on == nullptr || on->is_inter ? MPI_SUCCESS : comparison::compare(*on, call.note(), lengths());
    }
    template <class Lengths>
    [[gnu::noinline]] static void compare_later(observed_call const& call, Lengths lengths) {
        auto const* const on = call.communicator();
        if (on != nullptr && !on->is_inter) { comparison::compare_later(*on, call.note(), lengths()); }
    }

    inline static bool is_on_ = false;
    inline static bool watches_ = false;
    inline static bool checks_ = false;
};

}  // namespace tutti::accelerator::watch
