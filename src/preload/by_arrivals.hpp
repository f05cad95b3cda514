// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <pmpi/operator.hpp>
#include <preload/call.hpp>
#include <preload/environment.hpp>
#include <tutti/learning/call_history.hpp>
#include <tutti/mpi.hpp>
#include <tutti/selection/call_parameters_of.hpp>
#include <tutti/selection/choice_by_arrivals.hpp>

namespace tutti::preload {

/// Whether the arrival times of ranks at earlier calls choose the algorithm: of an all_reduce whose bits do not depend
/// on it, unless TUTTI fixes it. The same on all ranks of a call.
[[nodiscard]] inline bool may_go_by_arrivals(call_kind const& kind, int ranks) {
    auto const& asked = environment::get();
    return kind.which == function::allreduce && kind.bytes > selection::longest_unwatched && ranks > 2 &&
           kind.op == operator_kind::exact && !asked.fixed && !asked.use_file && !asked.reproducible;
}

template <class Overloads, class... Arguments>
void perform_by_arrivals(std::size_t bytes, MPI_Comm comm, Arguments const&... arguments) {
    constexpr collective::all_reduce which;
    auto what = checked_call<Overloads>(bytes, comm, arguments...);
    auto& history = selection::call_history<mpi::communicator>::of(what.world);
    auto const choice = engine::with_prepared(what, what.op, [&](auto const& prepared) {
        auto const call = engine::planned_call_of(prepared, nullptr);
        return history.begin_by_arrivals(call, selection::call_parameters_of(which, call));
    });
    if (choice) {
        if (auto* const site = observed_site) { site->algorithm = choice->algorithm.name() + " (by arrivals)"; }
        engine::perform(call_modes::invocation_of<Overloads>(comm, arguments..., *choice));
    } else {
        engine::perform(what);
    }
    history.end();
}

}  // namespace tutti::preload
