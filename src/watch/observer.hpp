// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <pmpi/call_signature.hpp>
#include <pmpi/datatype.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>
#include <watch/call_record.hpp>
#include <watch/call_table.hpp>
#include <watch/comparison.hpp>
#include <watch/exit_report.hpp>
#include <watch/known_communicators.hpp>
#include <watch/observed_call.hpp>
#include <watch/options.hpp>
#include <watch/thread_status.hpp>
#include <watch/watcher.hpp>

namespace tutti::watch {

/// Observes calls: for `TUTTI=report` when ranks arrive, for `TUTTI=watch` also which call each thread is in.
class observer {
public:
    /// Between MPI_Init and MPI_Finalize, if the environment asks for it.
    [[nodiscard]] static bool is_on() noexcept { return is_on_; }
    [[nodiscard]] static bool watches() noexcept { return watches_; }

    /// After MPI_Init, on all ranks; MPI_COMM_WORLD has its private communicator, or no rank has.
    static void begin(options const& asked, bool has_private_one) {
        if (asked.watch) {
            watcher::begin(*asked.watch);
            exit_report::begin();
            watches_ = true;
        }
        if (asked.watch || asked.report) {
            checks_ = asked.check;
            is_on_ = true;
            if (has_private_one) { call_table::get().begin(asked.report_file); }
            static_cast<void>(known_communicators::get().find(MPI_COMM_WORLD));
            if (checks_) { comparison::begin(); }
        }
    }

    /// A collective that `perform(site)` performs. `lengths()` returns the lengths of parts, which ranks compare.
    template <class Lengths, class Perform>
    [[nodiscard]] static int collective(call_signature const& signature, void const* returns_to, known_site& found,
                                        Lengths lengths, Perform perform) {
        observed_call const call{signature, returns_to, found, watches_};
        int code = checks_ ? compare(call, lengths) : MPI_SUCCESS;
        if (code == MPI_SUCCESS) { code = perform(call.site()); }
        call.end();
        return code;
    }

    /// A collective that tutti does not have.
    template <class Lengths, class Call>
    [[nodiscard]] static int collective(call_signature const& signature, void const* returns_to, Lengths lengths,
                                        Call call) {
        if (!is_on_) { return call(); }
        known_site found;
        return collective(signature, returns_to, found, lengths, [&](call_site const&) { return call(); });
    }

    /// A nonblocking collective.
    template <class Lengths, class Call>
    [[nodiscard]] static int begun(call_signature const& signature, MPI_Request* request, void const* returns_to,
                                   Lengths lengths, Call call) {
        if (!is_on_) { return call(); }
        known_site found;
        observed_call const observed{signature, returns_to, found, watches_};
        if (checks_ && !is_making(observed.site())) { compare_begun(observed, lengths); }
        int const code = call();
        auto& site = observed.site();
        if (!watches_) { site.fallback = "nonblocking"; }
        if (code == MPI_SUCCESS && request != nullptr && *request != MPI_REQUEST_NULL) {
            pending_collectives::add(*request, observed.record(), site);
        }
        observed.end();
        return code;
    }

    /// Another function in which a rank may wait.
    template <class Call>
    [[nodiscard]] static int other(call_signature const& signature, void const* returns_to, Call call) {
        if (!watches_) { return call(); }
        auto const* const known = known_communicators::get().find(signature.comm);
        call_record record{call_record::kind::other, signature, known != nullptr ? known->id : 0, returns_to};
        if (known != nullptr && signature.peer >= 0 && std::cmp_less(signature.peer, known->members.size())) {
            record.peer = known->members[static_cast<std::size_t>(signature.peer)];
        }
        auto& status = thread_statuses::mine();
        status.enter(record);
        int const code = call();
        status.leave();
        return code;
    }

    /// What a function waits for.
    enum class until { all, any, nothing };

    /// A function that waits for requests, or tests them.
    template <class Call>
    [[nodiscard]] static int completion(char const* name, until end, int count, MPI_Request* requests,
                                        void const* returns_to, Call complete) {
        if (!is_on_) { return complete(); }
        if (requests == nullptr) { count = 0; }
        std::vector<std::pair<thread_status*, MPI_Request*>> collectives;
        // MPI_Comm_idup: a program that made several communicators by it hung over Open MPI 4.1 where messages were
        // tested between them; the cause is not known.
        bool makes = false;
        for (int i = 0; i < count && pending_collectives::any(); ++i) {
            auto* const found = pending_collectives::find(requests[i]);
            if (found == nullptr) { continue; }
            found->is_waited_for = true;
            collectives.emplace_back(found, &requests[i]);
            auto const* const site = found->site.load();
            makes = makes || (site != nullptr && is_making(*site));
        }
        auto const call = [&] {
            int code = MPI_SUCCESS;
            if (checks_ && !makes) {
                code = comparison::look_until([&] { return has_ended(end, count, requests); });
            }
            return code == MPI_SUCCESS ? complete() : code;
        };
        bool const waits = end != until::nothing;
        if (collectives.empty()) { return waits ? other(call_signature{name}, returns_to, call) : call(); }
        auto& first = *collectives.front().first;
        bool const is_shown = watches_ && waits && enter_wait(first, name, returns_to);
        auto const begun = ticks::now();
        int const code = call();
        auto const ended = ticks::now();
        if (is_shown) { thread_statuses::mine().leave(); }
        if (auto* const site = first.site.load()) { site->time += ended - begun; }
        for (auto const& [of, request] : collectives) {
            if (*request == MPI_REQUEST_NULL) { pending_collectives::remove(*of); }
        }
        return code;
    }

    /// A collective that makes a communicator.
    template <class Call>
    [[nodiscard]] static int making(call_signature const& signature, MPI_Comm* made, void const* returns_to,
                                    Call call) {
        if (!is_on_) { return call(); }
        auto const from = known_communicators::get().next_of(signature.comm, returns_to);
        return noted(collective(signature, returns_to, none, call), made, from);
    }

    /// The same, nonblocking.
    template <class Call>
    [[nodiscard]] static int begun_making(call_signature const& signature, MPI_Comm* made, MPI_Request* request,
                                          void const* returns_to, Call call) {
        if (!is_on_) { return call(); }
        auto const from = known_communicators::get().next_of(signature.comm, returns_to);
        int const code = begun(signature, request, returns_to, none, call);
        if (code == MPI_SUCCESS && made != nullptr) { known_communicators::get().begun(*made, from); }
        return code;
    }

    /// The same by some ranks of the communicator, all of which know `word`.
    template <class Call>
    [[nodiscard]] static int making_by_some(call_signature const& signature, std::string_view word, MPI_Comm* made,
                                            void const* returns_to, Call call) {
        if (!is_on_) { return call(); }
        auto const from = known_communicators::get().by_some(signature.comm, word, returns_to);
        return noted(other(signature, returns_to, call), made, from);
    }

    /// The same by the ranks of two communicators, each of which knows one of them.
    template <class Call>
    [[nodiscard]] static int making_between(call_signature const& signature, std::string_view word, MPI_Comm* made,
                                            void const* returns_to, Call call) {
        if (!is_on_) { return call(); }
        auto const from = known_communicators::get().by_some(MPI_COMM_NULL, word, returns_to);
        return noted(collective(signature, returns_to, none, call), made, from);
    }

    /// MPI_Comm_free, MPI_Comm_disconnect.
    template <class Call>
    [[nodiscard]] static int freeing(char const* name, MPI_Comm* comm, void const* returns_to, Call call) {
        if (!is_on_ || comm == nullptr || *comm == MPI_COMM_NULL) { return call(); }
        if (checks_) { comparison::look(); }
        return other({name, *comm}, returns_to, call);
    }

    /// MPI_Finalize.
    template <class Call>
    [[nodiscard]] static int ending(void const* returns_to, Call call) {
        if (!is_on_) { return call(); }
        int const code = other({"MPI_Finalize"}, returns_to, [&] {
            if (checks_) { comparison::end(); }
            call_table::get().print();
            exit_report::end();
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
        auto* const on = call.communicator();
        return on == nullptr || on->is_inter ? MPI_SUCCESS : comparison::compare(*on, call.record(), lengths());
    }
    template <class Lengths>
    [[gnu::noinline]] static void compare_begun(observed_call const& call, Lengths lengths) {
        auto const* const on = call.communicator();
        if (on != nullptr && !on->is_inter) { comparison::begun(*on, call.record(), lengths()); }
    }

    /// Shows other threads that this one waits for a nonblocking collective, by the function `name`; false if its
    /// record could not be read.
    [[nodiscard]] static bool enter_wait(thread_status const& collective, char const* name, void const* returns_to) {
        call_record record;
        unsigned version = 0;
        if (!collective.read(record, version)) { return false; }
        record.through = name;
        record.returns_to = returns_to;
        record.has_ended = 0;
        thread_statuses::mine().enter(record);
        return true;
    }

    /// Whether a nonblocking collective makes a communicator.
    [[nodiscard]] static bool is_making(call_site const& site) {
        return site.name != nullptr && std::string_view{site.name}.starts_with("MPI_Comm_idup");
    }

    [[nodiscard]] static int noted(int code, MPI_Comm const* made, origin const& from) {
        if (code == MPI_SUCCESS && made != nullptr) { known_communicators::get().made(*made, from); }
        return code;
    }

    /// Whether a function that waits for requests would return.
    [[nodiscard]] static bool has_ended(until end, int count, MPI_Request const* requests) {
        bool all = true;
        bool any = end == until::nothing;
        for (int i = 0; i < count && (end == until::all ? all : !any); ++i) {
            if (requests[i] == MPI_REQUEST_NULL) { continue; }
            int is_done = 1;
            PMPI_Request_get_status(requests[i], &is_done, MPI_STATUS_IGNORE);
            all = all && is_done != 0;
            any = any || is_done != 0;
        }
        return all || (any && end != until::all);
    }

    inline static bool is_on_ = false;
    inline static bool watches_ = false;
    inline static bool checks_ = false;
};

}  // namespace tutti::watch
