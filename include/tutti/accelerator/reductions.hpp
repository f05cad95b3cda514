// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <optional>

#include <tutti/accelerator/call.hpp>

namespace tutti::accelerator {

// ---- reductions ----------------------------------------------------------------------------------------------------

/// What the reductions have in common: `count` elements on every rank.
template <class Perform>
[[nodiscard]] result combine(function which, void const* in, void* out, std::size_t count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm, MPI_Request* request, Perform perform) {
    if (!is_on()) { return std::nullopt; }
    auto const bytes = count * size_of(type);
    auto const ranks = ranks_of(comm);
    if (bytes == 0 || ranks == 0 || op == MPI_OP_NULL || !is_worthwhile(which, bytes, op)) {
        return leave(which, bytes);
    }
    if (in == nullptr || out == nullptr || out == MPI_IN_PLACE) { return leave(which, bytes); }
    layout const how{type};
    // an operator needs the layout with its gaps
    if (!how.is_record() ||
        (how.algorithm ? !applies_to(op, type, static_cast<std::size_t>(how.extent)) : !is_users(op))) {
        return leave(which, bytes);
    }
    mpi_operator const given{op, type, static_cast<std::size_t>(how.extent)};
    return perform_as(request, which, bytes, comm, [=]() mutable {
        auto state = given;
        perform(bytes, state.extent, state.get());
    });
}

template <class Shapes>
[[nodiscard]] result combine_vector(function which, void const* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                                    MPI_Comm comm, MPI_Request* request = nullptr) {
    if (count <= 0) { return std::nullopt; }
#ifdef OPEN_MPI
    if (in == out) { in = MPI_IN_PLACE; }  // forbidden, yet Open MPI lets it pass
#else
    if (in == out) { return std::nullopt; }
#endif
    auto const n = static_cast<std::size_t>(count);
    return combine(which, in, out, n, type, op, comm, request,
                   [=](std::size_t bytes, std::size_t extent, run_time_operator const& on) {
                       records const both{out, n, extent};
                       if (in == MPI_IN_PLACE) {
                           perform_call<Shapes>(which, bytes, comm, inplace(both), on);
                       } else {
                           perform_call<Shapes>(which, bytes, comm, records{in, n, extent}, both, on);
                       }
                   });
}

[[nodiscard]] inline result all_reduce(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                                       MPI_Comm comm, MPI_Request* request = nullptr) {
    return combine_vector<overloads::all_to_all_ranks<collective::all_reduce>>(function::all_reduce, in, out, count,
                                                                               type, op, comm, request);
}
[[nodiscard]] inline result scan(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                 MPI_Request* request = nullptr) {
    return combine_vector<overloads::all_to_all_ranks<collective::inclusive_scan>>(function::scan, in, out, count, type,
                                                                                   op, comm, request);
}
[[nodiscard]] inline result exscan(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                   MPI_Request* request = nullptr) {
    return combine_vector<overloads::all_to_all_ranks<collective::exclusive_scan>>(function::exscan, in, out, count,
                                                                                   type, op, comm, request);
}

[[nodiscard]] inline result reduce(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root,
                                   MPI_Comm comm, MPI_Request* request = nullptr) {
    if (count <= 0 || !is_on()) { return std::nullopt; }
    auto const ranks = ranks_of(comm);
    if (ranks == 0 || root < 0 || root >= ranks) { return std::nullopt; }
    bool const is_root = rank_of(comm) == root;
    if (is_root ? in == out : in == MPI_IN_PLACE) { return std::nullopt; }
    auto const n = static_cast<std::size_t>(count);
    void* const significant = is_root ? out : const_cast<void*>(in);
    return combine(
        function::reduce, in, significant, n, type, op, comm, request,
        [=](std::size_t bytes, std::size_t extent, run_time_operator const& on) {
            using shape = overloads::reduce;
            if (!is_root) {
                perform_call<shape>(function::reduce, bytes, comm, records{in, n, extent}, on, root);
            } else if (in == MPI_IN_PLACE) {
                perform_call<shape>(function::reduce, bytes, comm, inplace(records{out, n, extent}), on, root);
            } else {
                perform_call<shape>(function::reduce, bytes, comm, records{in, n, extent}, records{out, n, extent}, on,
                                    root);
            }
        });
}

[[nodiscard]] inline result reduce_scatter_block(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                                                 MPI_Comm comm, MPI_Request* request = nullptr) {
    if (count <= 0 || in == out || !is_on()) { return std::nullopt; }
    auto const part = static_cast<std::size_t>(count);
    auto const whole = part * static_cast<std::size_t>(ranks_of(comm));
    constexpr auto which = function::reduce_scatter_block;
    return combine(
        which, in, out, whole, type, op, comm, request,
        [=](std::size_t bytes, std::size_t extent, run_time_operator const& on) {
            if (in == MPI_IN_PLACE) {
                perform_call<overloads::reduce_scatter>(which, bytes, comm, inplace(records{out, whole, extent}), on);
            } else {
                perform_call<overloads::reduce_scatter>(which, bytes, comm, records{in, whole, extent},
                                                        records{out, part, extent}, on);
            }
        });
}

[[nodiscard]] inline result reduce_scatter(void const* in, void* out, int const* counts, MPI_Datatype type, MPI_Op op,
                                           MPI_Comm comm, MPI_Request* request = nullptr) {
    if (in == out || !is_on()) { return std::nullopt; }
    auto const ranks = ranks_of(comm);
    auto const parts = counts_of(counts, ranks, 1);
    if (ranks == 0 || !parts) { return std::nullopt; }
    auto const whole = sum(*parts);
    auto const own = (*parts)[static_cast<std::size_t>(rank_of(comm))];
    constexpr auto which = function::reduce_scatter;
    static std::byte nowhere{};
    if (own == 0 && out == nullptr && in != MPI_IN_PLACE) { out = &nowhere; }
    return combine(which, in, out, whole, type, op, comm, request,
                   [=](std::size_t bytes, std::size_t extent, run_time_operator const& on) {
                       if (in == MPI_IN_PLACE) {
                           perform_call<overloads::reduce_scatter>(which, bytes, comm,
                                                                   inplace(records{out, whole, extent}), *parts, on);
                       } else {
                           perform_call<overloads::reduce_scatter>(which, bytes, comm, records{in, whole, extent},
                                                                   records{out, own, extent}, *parts, on);
                       }
                   });
}

}  // namespace tutti::accelerator
