// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tutti/accelerator/environment.hpp>
#include <tutti/accelerator/handles.hpp>
#include <tutti/accelerator/report.hpp>
#include <tutti/accelerator/rule.hpp>
#include <tutti/accelerator/workers.hpp>
#include <tutti/collective/records.hpp>
#include <tutti/mpi.hpp>

/// What calls of MPI that become calls of tutti have in common. Each function returns what MPI's returns, or nothing if
/// the call is to go to MPI: because it is not worthwhile, tutti has no use for it, or an argument is wrong, which MPI
/// then says in its own way.
namespace tutti::accelerator {

using result = std::optional<int>;

/// Ranks of the group of this one.
[[nodiscard]] inline std::size_t comm_size(MPI_Comm comm) {
    int size = 0;
    return comm != MPI_COMM_NULL && PMPI_Comm_size(comm, &size) == MPI_SUCCESS ? static_cast<std::size_t>(size) : 0;
}

/// Ranks of an intracommunicator of several ranks, or 0.
[[nodiscard]] inline int ranks_of(MPI_Comm comm) {
    int inter = 0;
    if (comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter != 0) { return 0; }
    auto const size = comm_size(comm);
    return size < 2 ? 0 : static_cast<int>(size);
}

[[nodiscard]] inline int rank_of(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

/// The algorithm that is going to be chosen, for the report.
template <class Invocation>
[[nodiscard]] std::string algorithm_name(Invocation& what) {
    using Collective = typename Invocation::collective_type;
    if (what.elements == 0) { return "none"; }
    return with_prepared(what, what.op, [](auto const& call) {
        return algorithm_of(Collective{}, planned_call_of(call, nullptr)).generator.name();
    });
}

template <class Overloads, class... Arguments>
void perform_call(function which, std::size_t bytes, MPI_Comm comm, Arguments const&... arguments) {
    if (environment::get().reproducible) {
        communicator_of<MPI_Comm>::get(comm).attached().held_by_default(&hold_reproducible<>);
    }
    auto what = [&] {
        try {
            return call_modes::invocation_of<Overloads>(comm, arguments...);
        } catch (std::invalid_argument const& why) {
            call_modes::note_refused(comm, why);  // so that this rank stays in step with the others
            throw;
        }
    }();
    if (environment::get().report) { report::get().taken(which, bytes, algorithm_name(what)); }
    perform(std::move(what));
}

/// Performs a call; errors become MPI's, and go to the error handler of the communicator.
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

/// Notes a call that is left to MPI.
[[nodiscard]] inline result leave(function which, std::size_t bytes) {
    if (environment::get().report) { report::get().left(which, bytes); }
    return std::nullopt;
}

/// Performs a call at once, or, if there is a place for a request, by the worker of the communicator; then `action`
/// must hold what it needs itself.
template <class Action>
[[nodiscard]] result perform_as(MPI_Request* request, function which, std::size_t bytes, MPI_Comm comm, Action action) {
    auto& all = workers::get();
    if (request == nullptr) {
        all.drain(comm);
        all.admit(comm);
        return code_of(comm, std::move(action));
    }
    auto* const by = nonblocking_is_worthwhile() ? all.of(comm) : nullptr;
    if (by == nullptr) { return leave(which, bytes); }
    return begin_on(*by, request, [comm, action]() mutable { return code_of(comm, std::move(action)); });
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
