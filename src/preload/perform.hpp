// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdio>
#include <exception>
#include <new>
#include <type_traits>
#include <variant>

#include <preload/by_arrivals.hpp>
#include <preload/call.hpp>
#include <preload/call_entry.hpp>
#include <preload/communicator_state.hpp>
#include <preload/kept_call.hpp>
#include <preload/recent_call.hpp>
#include <tutti/mpi.hpp>

namespace tutti::preload {

/// Errors of an action become MPI's, and go to the error handler of the communicator.
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
    if (auto* const site = noted_site) {
        ++site->taken;
        site->saved += site->saves;
    }
}

/// A call that tutti performs, or why it is left to MPI: something that all ranks of the call know alike.
template <class Call>
using admitted = std::variant<Call, reason>;

/// Performs a call: as one like it that was kept, if there is one; else unless `admit()` returns why not. What it
/// admits is performed in three steps: `read()` copies operands from the user's memory if they cannot be used where
/// they lie, `with_arguments(state, use)` calls `use` with the overloads of tutti's collective and their arguments,
/// `write()` copies results. It is kept if all its memory `stays()` where it is.
template <class Admit>
[[nodiscard]] result perform(call_entry& entry, call_key const& key, void const* in, void* out, Admit admit) {
    if (auto* const kept = entry.kept.find(key, in, out)) {
        return code_of(key.comm, [&] {
            if (noted_site != nullptr) { kept->note_algorithm(*noted_site); }
            kept->perform(in, out);
            note_taken();
        });
    }
    auto why = reason::tutti;
    int const code = code_of(key.comm, [&] {
        auto call = admit();
        if (auto const* const left = std::get_if<reason>(&call)) {
            why = *left;
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
            entry.kept.keep(key, now.bytes(), noted_site, now.state, [&](auto& state) {
                return now.with_arguments(state, [&]<class Overloads>(Overloads, auto const&... arguments) {
                    return call_modes::invocation_of<Overloads>(key.comm, arguments...);
                });
            });
        }
        note_taken();
    });
    return why == reason::tutti ? result{code} : result{why};
}

}  // namespace tutti::preload
