// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// What libtutti_mpi.so calls in place of MPI's functions: the first argument is the address that the program calls
// from, then come those of MPI's function.

#include <cstddef>
#include <type_traits>
#include <utility>

#include <pmpi/fortran.hpp>
#include <pmpi/roles.hpp>
#include <preload/dispatcher.hpp>
#include <preload/moves.hpp>
#include <preload/reductions.hpp>
#include <watch/functions.hpp>

namespace tutti::preload {

/// After MPI_Init.
inline void begin() {
    startup_check::get().compare();
    if (rank_of(MPI_COMM_WORLD) == 0) { environment::get().explain(); }
    if (environment::get().off || !startup_check::get().all_are_alike()) { return; }
    communicator_state::begin();
    tuning_file::begin();
    auto const& asked = environment::get().observed;
    auto* const world = asked.notes_calls() ? communicator_state::find_or_make(MPI_COMM_WORLD) : nullptr;
    observer::begin(asked, world != nullptr && world->make_private_one());
}

template <function which>
using call_of = std::integral_constant<function, which>;
template <class... Overloads>
struct overloaded : Overloads... {
    using Overloads::operator()...;
};
template <class... Overloads>
overloaded(Overloads...) -> overloaded<Overloads...>;

/// Performs a call of MPI by tutti, with MPI's arguments.
inline constexpr overloaded take{
    [](call_of<function::allreduce>, auto&... all) { return combine_vector<collective::all_reduce>(all...); },
    [](call_of<function::reduce>, auto&... all) { return reduce(all...); },
    [](call_of<function::reduce_scatter>, auto&... all) { return reduce_scatter(all...); },
    [](call_of<function::reduce_scatter_block>, auto&... all) { return reduce_scatter_block(all...); },
    [](call_of<function::scan>, auto&... all) { return combine_vector<collective::inclusive_scan>(all...); },
    [](call_of<function::exscan>, auto&... all) { return exscan(all...); },
    [](call_of<function::bcast>, auto&... all) { return broadcast(all...); },
    [](call_of<function::barrier>, auto&... all) { return barrier(all...); },
    [](call_of<function::gather>, call_entry& entry, auto in, auto n, auto type, auto out, auto each, auto... rest) {
        return gather(entry, in, n, type, out, nullptr, each, nullptr, rest...);
    },
    [](call_of<function::gatherv>, call_entry& entry, auto in, auto n, auto type, auto out, auto counts, auto... rest) {
        return gather(entry, in, n, type, out, counts, 0, rest...);
    },
    [](call_of<function::scatter>, call_entry& entry, auto in, auto each, auto... rest) {
        return scatter(entry, in, nullptr, each, nullptr, rest...);
    },
    [](call_of<function::scatterv>, call_entry& entry, auto in, auto counts, auto... rest) {
        return scatter(entry, in, counts, 0, rest...);
    },
    [](call_of<function::allgather>, call_entry& entry, auto in, auto n, auto type, auto out, auto each, auto... rest) {
        return all_gather(entry, in, n, type, out, nullptr, each, nullptr, rest...);
    },
    [](call_of<function::allgatherv>, call_entry& entry, auto in, auto n, auto type, auto out, auto counts,
       auto... rest) { return all_gather(entry, in, n, type, out, counts, 0, rest...); }};

/// MPI_Init and MPI_Finalize, which `call()` performs.
template <class Function, class Call>
[[nodiscard]] int begin_or_end(void* site, Call call) {
    if constexpr (Function::does == category::begins) {
        startup_check::get().publish();
        int const code = call();
        if (code == MPI_SUCCESS) { begin(); }
        return code;
    } else {
        return observer::ending(site, [=] {
            int const code = call();  // ends the private communicators, with what is learned of each
            tuning_file::write();
            return code;
        });
    }
}
template <class Function>
inline constexpr bool begins_or_ends = Function::does == category::begins || Function::does == category::ends;

[[nodiscard]] inline std::size_t known_ranks(MPI_Comm comm) {
    return is_on() ? static_cast<std::size_t>(ranks_of(comm)) : watch::observed_ranks(comm);
}

/// In C: `next` is MPI's function. What is passed on has no name here: g++ ends no call of MPI by a jump where a lambda
/// is kept in a variable.
template <class Function, auto& next>
struct entry;

template <class Function, class... P, int (&next)(P...)>
struct entry<Function, next> {
    static int call(void* site, P... all) {
        if constexpr (begins_or_ends<Function>) {
            return begin_or_end<Function>(site, [=] { return next(all...); });
        } else if constexpr (Function::does != category::performed) {
            return watch::observe<Function>(site, [=] { return next(all...); }, all...);
        } else {
            auto* const known = dispatcher::known_slot(signature_of<Function>(&known_ranks, all...), site);
            if (known != nullptr && known->entry->leaves_to_mpi()) { return next(all...); }
            return dispatch(site, known, all...);
        }
    }

private:
    [[gnu::noinline]] static int dispatch(void* site, call_site_slot* known, P... all) {
        static constexpr auto which = function_of(Function::name);
        static_assert(which.has_value());
        return dispatcher::collective(
            *which, signature_of<Function>(&known_ranks, all...), site, known, watch::lengths_of<Function>(all...),
            [=](call_entry& of) -> result { return take(call_of<*which>{}, of, all...); },
            [=] { return next(all...); });
    }
};

/// In Fortran: a collective that tutti performs is one of C; of all others MPI's own function for Fortran is called.
template <class Function, auto& next, class Signature = fortran_signature<std::remove_reference_t<decltype(next)>>,
          class Texts = std::make_index_sequence<texts_of<Function>>>
struct fortran_entry;

template <class Function, auto& next, class... P, std::size_t... texts>
struct fortran_entry<Function, next, int(P...), std::index_sequence<texts...>> {
    static void call(void* site, address<P>... all, void* code, text_length<texts>... lengths) {
        MPI_Fint unused = MPI_SUCCESS;
        if (code == nullptr) { code = &unused; }  // as the module mpi_f08 may leave it out
        auto const by_mpi = [=] { return call_in_fortran<Function>(code, all..., code, lengths...); };
        auto& result = *static_cast<MPI_Fint*>(code);
        if constexpr (begins_or_ends<Function>) {
            result = begin_or_end<Function>(site, by_mpi);
        } else if constexpr (Function::does == category::performed) {
            result = entry<Function, next>::call(site, from_fortran<P>(all)...);
        } else {
            result = watch::fortran_observer<Function, int(P...)>::observe(site, by_mpi, {all...}, lengths...);
        }
    }
};

}  // namespace tutti::preload
