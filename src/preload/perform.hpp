// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstdio>
#include <exception>
#include <new>
#include <type_traits>
#include <variant>

#include <preload/by_arrivals.hpp>
#include <preload/cached_call.hpp>
#include <preload/call.hpp>
#include <preload/call_entry.hpp>
#include <preload/call_site_cache.hpp>
#include <preload/communicator_state.hpp>
#include <tutti/mpi.hpp>

namespace tutti::preload {

/// Runs `action()`. An exception becomes an error code of MPI, for which the communicator's error handler is called.
template <class Action>
[[nodiscard]] int code_of(MPI_Comm comm, Action action) {
    int code = MPI_ERR_OTHER;
    try {
        action();
        return MPI_SUCCESS;
    } catch (mpi::error const& wrong) {
        code = wrong.code();
        std::fprintf(stderr, "%s\n", wrong.what());
    } catch (std::bad_alloc const&) { code = MPI_ERR_NO_MEM; } catch (std::exception const& wrong) {
        std::fprintf(stderr, "%s\n", wrong.what());
    } catch (...) {}
    PMPI_Comm_call_errhandler(comm, code);
    return code;
}

inline void note_taken() {
    if (auto* const site = observed_site) {
        ++site->taken;
        site->saved += site->saves;
    }
}

/// A call that tutti performs, or why MPI does, for a reason that all ranks of the call find.
template <class Call>
using admitted = std::variant<Call, decision>;

/// Performs a call: a cached one, if there is one with this key; else what `admit()` returns, if that is a call. This
/// has three steps: `read()` packs operands that cannot be used where they lie, `with_arguments(state, use)` calls
/// `use` with the overloads of tutti's collective and their arguments, `write()` unpacks results. A call is cached if
/// its elements are used where they lie (`stays()`).
template <class Admit>
[[nodiscard]] result perform(call_entry& entry, call_key const& key, void const* in, void* out, Admit admit) {
    if (auto* const cached = entry.cached.find(key, in, out)) {
        return code_of(key.comm, [&] {
            if (observed_site != nullptr) { cached->note_algorithm(*observed_site); }
            cached->perform(in, out);
            note_taken();
        });
    }
    auto why = decision::tutti;
    int const code = code_of(key.comm, [&] {
        auto call = admit();
        if (auto const* const fallback = std::get_if<decision>(&call)) {
            why = *fallback;
            return;
        }
        auto& now = std::get<0>(call);
        now.read();
        bool const by_arrivals = may_go_by_arrivals(entry.kind, entry.of->ranks());
        now.with_arguments(now.state, [&]<class Overloads>(Overloads, auto const&... arguments) {
            if constexpr (std::is_same_v<Overloads, overloads::whole_vectors<collective::all_reduce>>) {
                if (by_arrivals) { return perform_by_arrivals<Overloads>(now.bytes(), key.comm, arguments...); }
            }
            engine::perform(checked_call<Overloads>(now.bytes(), key.comm, arguments...));
        });
        now.write();
        if (key.count >= 0 && entry.of->keeps(entry) && now.stays() && !by_arrivals) {
            entry.cached.add(key, now.bytes(), observed_site, now.state, [&](auto& state) {
                return now.with_arguments(state, [&]<class Overloads>(Overloads, auto const&... arguments) {
                    return call_modes::invocation_of<Overloads>(key.comm, arguments...);
                });
            });
        }
        note_taken();
    });
    return why == decision::tutti ? result{code} : result{why};
}

}  // namespace tutti::preload
