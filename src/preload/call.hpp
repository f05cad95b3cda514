// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <pmpi/integers.hpp>
#include <pmpi/ranks.hpp>
#include <preload/call_entry.hpp>
#include <preload/communicator_state.hpp>
#include <preload/environment.hpp>
#include <preload/kept_call.hpp>
#include <preload/mpi_operator.hpp>
#include <preload/recent_call.hpp>
#include <preload/tuning_file.hpp>
#include <tutti/collective/records.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/execution/default_algorithm.hpp>
#include <tutti/mpi.hpp>
#include <tutti/selection/candidates.hpp>
#include <watch/expected_gain.hpp>

/// What calls of MPI that become calls of tutti have in common. Each function performs a call that `who_performs` gives
/// to tutti, and returns what MPI's returns, or why the call is to go to MPI after all: tutti has no use for its
/// operator, which all ranks know alike, or an argument is wrong, which MPI then reports in its own way.
namespace tutti::preload {

/// MPI's code, or why a call is left to MPI after all. It travels in a register: std::optional<int> would be stored by
/// halves and loaded as a whole, which waits for all stores before, also those to memory that other ranks read.
class result {
public:
    constexpr result(reason why) noexcept : why_{why} {}
    constexpr result(int code) noexcept : code_{code} {}

    [[nodiscard]] constexpr reason why() const noexcept { return why_; }
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return why_ == reason::tutti; }
    [[nodiscard]] constexpr int operator*() const noexcept { return code_; }

private:
    int code_ = MPI_SUCCESS;
    reason why_ = reason::tutti;
};

/// For the report: the algorithm that is going to be chosen, and what it is expected to save.
template <class Invocation>
void note_algorithm(watch::call_site& site, std::size_t bytes, Invocation& what) {
    using Collective = typename Invocation::collective_type;
    if (!site.algorithm.empty() && site.algorithm_for == bytes) { return; }
    site.algorithm_for = bytes;
    site.algorithm = "none";
    site.saves = 0;
    if (what.elements == 0) { return; }
    with_prepared(what, what.op, [&](auto const& call) {
        auto const chosen = selection::algorithm_of(Collective{}, engine::planned_call_of(call, nullptr));
        site.algorithm = chosen.generator.name();
        site.saves = watch::expected_gain(Collective{}, chosen.now, call.kind.commutes);
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
    if (auto* const site = noted_site) { note_algorithm(*site, bytes, what); }
    return what;
}

/// Performs a call.
template <class Overloads, class... Arguments>
void perform_call(std::size_t bytes, MPI_Comm comm, Arguments const&... arguments) {
    engine::perform(checked_call<Overloads>(bytes, comm, arguments...));
}

/// Performs a call; errors become MPI's, and go to the error handler of the communicator.
template <class Action>
[[nodiscard]] int code_of(MPI_Comm comm, Action action) {
    int code = MPI_ERR_OTHER;
    try {
        action();
        if (auto* const site = noted_site) {
            ++site->taken;
            site->saved += site->saves;
        }
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

/// Performs a call like the last one of its function; nothing if there was none.
[[nodiscard]] inline result perform_again(function which, call_key const& key, void const* in, void* out) {
    auto* const kept = kept_call::find(which, key, in, out);
    if (kept == nullptr) { return reason::none; }
    if (auto* const site = noted_site) { kept->note_algorithm(*site); }
    return code_of(key.comm, [&] { kept->perform(in, out); });
}

/// Performs a call in three steps: `read()` copies operands from the user's memory if they cannot be used where they
/// lie, `call()` performs it, `write()` copies results; `keep()` keeps it. `make()` gives the object that has them.
template <class Make>
[[nodiscard]] result perform_on(MPI_Comm comm, Make make) {
    return code_of(comm, [&] {
        auto now = make();
        now.read();
        now.call();
        now.write();
        if constexpr (requires { now.keep(); }) { now.keep(); }
    });
}

/// Counts as numbers of bytes or elements; nothing if one is negative.
[[nodiscard]] inline std::optional<std::vector<std::size_t>> counts_of(integers counts, int ranks, std::size_t unit) {
    if (!counts) { return std::nullopt; }
    std::vector<std::size_t> all(static_cast<std::size_t>(ranks));
    for (std::size_t r = 0; r != all.size(); ++r) {
        if (counts[r] < 0) { return std::nullopt; }
        all[r] = static_cast<std::size_t>(counts[r]) * unit;
    }
    return all;
}
[[nodiscard]] inline std::size_t sum(std::span<std::size_t const> counts) {
    return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

}  // namespace tutti::preload
