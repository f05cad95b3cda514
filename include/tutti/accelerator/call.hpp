// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tutti/accelerator/call_entry.hpp>
#include <tutti/accelerator/communicator_state.hpp>
#include <tutti/accelerator/environment.hpp>
#include <tutti/accelerator/expected_gain.hpp>
#include <tutti/accelerator/handles.hpp>
#include <tutti/accelerator/kept_call.hpp>
#include <tutti/accelerator/tuning_file.hpp>
#include <tutti/accelerator/watch/recent_call.hpp>
#include <tutti/collective/records.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/execution/default_algorithm.hpp>
#include <tutti/mpi.hpp>
#include <tutti/selection/candidates.hpp>

/// What calls of MPI that become calls of tutti have in common. Each function performs a call that `who_performs` gives
/// to tutti, and returns what MPI's returns, or why the call is to go to MPI after all: tutti has no use for its
/// operator, which all ranks know alike, or an argument is wrong, which MPI then reports in its own way.
namespace tutti::accelerator {

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

/// Ranks of the group of this one.
[[nodiscard]] inline std::size_t comm_size(MPI_Comm comm) {
    int size = 0;
    return comm != MPI_COMM_NULL && PMPI_Comm_size(comm, &size) == MPI_SUCCESS ? static_cast<std::size_t>(size) : 0;
}

[[nodiscard]] inline int rank_of(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

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
    if (auto* const site = watch::this_thread.site) { note_algorithm(*site, bytes, what); }
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
        if (auto* const site = watch::this_thread.site) {
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
    if (auto* const site = watch::this_thread.site) { kept->note_algorithm(*site); }
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

/// Counts or displacements of all ranks, as the functions of MPI give them, those with large counts too.
class integers {
public:
    integers(std::nullptr_t) {}
    template <std::signed_integral Integer>
    integers(Integer const* first) : first_{reinterpret_cast<std::byte const*>(first)}, bytes_{sizeof(Integer)} {}

    [[nodiscard]] explicit operator bool() const { return first_ != nullptr; }
    [[nodiscard]] MPI_Count operator[](std::size_t r) const {
        return bytes_ == sizeof(int) ? read<int>(r) : read<std::int64_t>(r);
    }

private:
    template <class Integer>
    [[nodiscard]] Integer read(std::size_t r) const {
        Integer value;
        std::memcpy(&value, first_ + r * sizeof value, sizeof value);
        return value;
    }

    std::byte const* first_ = nullptr;
    std::size_t bytes_ = 0;  // of each
};

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

}  // namespace tutti::accelerator
