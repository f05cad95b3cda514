// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/communicator/call.hpp>

#include "ending.hpp"

namespace tutti::inspect {

/// MPI's broadcast, and its collectives with operators. The last two divide the vector.
enum class kind : std::uint8_t { bcast, reduce, all_reduce, scan, exscan, reduce_scatter, reduce_scatter_block };
inline constexpr std::array<std::string_view, 7> kind_names{"bcast",  "reduce",         "allreduce",           "scan",
                                                            "exscan", "reduce_scatter", "reduce_scatter_block"};

struct call {
    kind which;
    std::size_t elements;  ///< of 8 bytes; of a reduce_scatter_block a multiple of the ranks
    MPI_Comm comm = MPI_COMM_WORLD;
    int first = 0;  ///< which of its ranks is the first one of MPI_COMM_WORLD
    int root = 0;
    bool in_place = false;
    bool is_nonblocking = false;
    bool by_position = false;  ///< elements of a vector differ, and those of ranks do not
};

struct ranks {
    explicit ranks(MPI_Comm comm) { MPI_Comm_rank(comm, &rank), MPI_Comm_size(comm, &size); }
    int rank = 0, size = 0;
};

/// Each rank gets counts[rank] elements where the vector is divided.
inline void perform(call const& now, MPI_Datatype type, MPI_Op op, void const* from, void* to, int const* counts) {
    auto const n = static_cast<int>(now.elements);
    MPI_Request end = MPI_REQUEST_NULL;
    auto const by = [&](auto blocking, auto nonblocking, auto const&... arguments) {
        now.is_nonblocking ? nonblocking(arguments..., now.comm, &end) : blocking(arguments..., now.comm);
    };
    switch (now.which) {
    case kind::bcast: by(MPI_Bcast, MPI_Ibcast, to, n, type, now.root); break;
    case kind::reduce: by(MPI_Reduce, MPI_Ireduce, from, to, n, type, op, now.root); break;
    case kind::all_reduce: by(MPI_Allreduce, MPI_Iallreduce, from, to, n, type, op); break;
    case kind::scan: by(MPI_Scan, MPI_Iscan, from, to, n, type, op); break;
    case kind::exscan: by(MPI_Exscan, MPI_Iexscan, from, to, n, type, op); break;
    case kind::reduce_scatter: by(MPI_Reduce_scatter, MPI_Ireduce_scatter, from, to, counts, type, op); break;
    case kind::reduce_scatter_block:
        by(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, from, to, counts[0], type, op);
    }
    MPI_Wait(&end, MPI_STATUS_IGNORE);
}

/// Equal elements that follow one another: the position of the first, and their value.
struct run {
    std::uint64_t first, value;
    friend bool operator==(run const&, run const&) = default;
};

/// This rank's result where all elements of its vector are `mine`; empty if it is owed none. By position: how far each
/// element is from the sum of operands at its place, as unsigned integers.
[[nodiscard]] inline std::vector<run> result_of(call const& now, MPI_Datatype type, MPI_Op op, std::uint64_t mine) {
    auto const [self, p] = ranks{now.comm};
    auto const rank = static_cast<std::size_t>(self), size = static_cast<std::size_t>(p);
    std::vector<int> counts(size);
    for (std::size_t i = 0; i != size; ++i) {
        counts[i] = static_cast<int>((i + 1) * now.elements / size - i * now.elements / size);
    }
    std::vector<std::uint64_t> in(now.elements, mine);
    for (std::size_t i = 0; now.by_position && i != in.size(); ++i) { in[i] = control::digest_with(mine, i); }
    bool const is_root = self == now.root;
    auto out = now.in_place || (now.which == kind::bcast && is_root) ? in : std::vector<std::uint64_t>(now.elements);
    bool const is_owed = now.which == kind::reduce ? is_root : now.which != kind::exscan || self != 0;
    bool const replaces = now.in_place && (now.which != kind::reduce || is_owed);
    alarm(static_cast<unsigned>(patience));
    perform(now, type, op, replaces ? MPI_IN_PLACE : in.data(), out.data(), counts.data());
    bool const divides = now.which >= kind::reduce_scatter;
    if (divides) { out.resize(static_cast<std::size_t>(counts[rank])); }
    auto const operands = now.which == kind::bcast    ? 1
                          : now.which == kind::scan   ? rank + 1
                          : now.which == kind::exscan ? rank
                                                      : size;
    std::vector<run> result;
    for (std::size_t i = 0; is_owed && i != out.size(); ++i) {
        if (now.by_position) { out[i] -= operands * in[(divides ? rank * now.elements / size : 0) + i]; }
        if (i == 0 || out[i] != out[i - 1]) { result.push_back({i, out[i]}); }
    }
    return result;
}

/// On the first rank of MPI_COMM_WORLD, what each rank has, in the order of ranks of the call.
template <class T>
[[nodiscard]] std::vector<std::vector<T>> gathered(std::vector<T> const& mine, call const& now) {
    std::vector<int> counts(static_cast<std::size_t>(ranks{now.comm}.size)), offsets(counts.size());
    auto const bytes = static_cast<int>(mine.size() * sizeof(T));
    MPI_Gather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, now.first, now.comm);
    std::exclusive_scan(counts.begin(), counts.end(), offsets.begin(), 0);
    std::vector<T> all(static_cast<std::size_t>(offsets.back() + counts.back()) / sizeof(T));
    MPI_Gatherv(mine.data(), bytes, MPI_BYTE, all.data(), counts.data(), offsets.data(), MPI_BYTE, now.first, now.comm);
    std::vector<std::vector<T>> result;
    for (auto next = all.begin(); auto const count : counts) {
        auto const begin = std::exchange(next, next + count / static_cast<int>(sizeof(T)));
        result.emplace_back(begin, next);
    }
    return result;
}

}  // namespace tutti::inspect
