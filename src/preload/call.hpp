// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <pmpi/expected_gain.hpp>
#include <preload/cached_call.hpp>
#include <preload/call_entry.hpp>
#include <preload/call_site_cache.hpp>
#include <preload/environment.hpp>
#include <preload/tuning_file.hpp>
#include <tutti/execution/default_algorithm.hpp>
#include <tutti/mpi.hpp>
#include <tutti/selection/candidates.hpp>

namespace tutti::preload {

/// MPI's error code, or why the call falls back to MPI. Returned in a register: a std::optional<int> is stored in two
/// halves and loaded as a whole, which waits for all stores before it, also for those to shared memory.
class result {
public:
    constexpr result(decision why) noexcept : why_{why} {}
    constexpr result(int code) noexcept : code_{code} {}

    [[nodiscard]] constexpr decision why() const noexcept { return why_; }
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return why_ == decision::tutti; }
    [[nodiscard]] constexpr int operator*() const noexcept { return code_; }

private:
    int code_ = MPI_SUCCESS;
    decision why_ = decision::tutti;
};

/// For the report: the algorithm that will be chosen, and the seconds that it is expected to save.
template <class Invocation>
void note_algorithm(call_site& site, std::size_t bytes, Invocation& what) {
    using Collective = typename Invocation::collective_type;
    if (!site.algorithm.empty() && site.algorithm_for == bytes) { return; }
    site.algorithm_for = bytes;
    site.algorithm = "none";
    site.saves = 0;
    if (what.elements == 0) { return; }
    with_prepared(what, what.op, [&](auto const& call) {
        auto const chosen = selection::algorithm_of(Collective{}, engine::planned_call_of(call, nullptr));
        site.algorithm = chosen.generator.name();
        site.saves = expected_gain(Collective{}, chosen.now, call.kind.commutes);
    });
}

/// The invocation of a call, checked.
template <class Overloads, class... Arguments>
[[nodiscard]] auto checked_call(std::size_t bytes, MPI_Comm comm, Arguments const&... arguments) {
    if (auto const* const used = tuning_file::used()) {
        auto& model = communicator_of<MPI_Comm>::get(comm).store().get<machine_model>();
        if (model.choices.empty()) { model = *used; }
    }
    if (environment::get().reproducible) {
        engine::default_algorithm::set(communicator_of<MPI_Comm>::get(comm), {&selection::hold_reproducible<>});
    }
    auto what =
        call_modes::noting_refusal(comm, [&] { return call_modes::invocation_of<Overloads>(comm, arguments...); });
    if (auto* const site = observed_site) { note_algorithm(*site, bytes, what); }
    return what;
}

}  // namespace tutti::preload
