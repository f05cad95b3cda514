// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <pmpi/datatype.hpp>
#include <pmpi/integers.hpp>
#include <pmpi/ranks.hpp>
#include <watch/call_facts.hpp>
#include <watch/comparison.hpp>
#include <watch/observer.hpp>

namespace tutti::watch {

[[nodiscard]] inline call_facts facts_of(char const* name, MPI_Comm comm, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                         int root, bool equal) {
    return {name, comm, count, type, op, root, call_facts::none, equal};
}

/// Ranks of an intracommunicator of this MPI_COMM_WORLD, which calls are observed on; else 0.
[[nodiscard]] inline std::size_t observed_ranks(MPI_Comm comm) {
    auto const* const known = observer::is_on() ? known_communicators::get().find(comm) : nullptr;
    return known == nullptr || known->is_inter ? 0 : known->members.size();
}

/// `type` has the type of each rank's part.
template <class Type>
[[nodiscard]] std::vector<std::int64_t> bytes_of(integers counts, Type type, MPI_Comm comm) {
    std::vector<std::int64_t> result;
    auto const ranks = counts ? observed_ranks(comm) : 0;
    for (std::size_t r = 0; r != ranks; ++r) {
        result.push_back(static_cast<std::int64_t>(counts[r]) * static_cast<std::int64_t>(size_of(type(r))));
    }
    return result;
}
[[nodiscard]] inline std::vector<std::int64_t> bytes_of(integers counts, MPI_Datatype type, MPI_Comm comm) {
    return bytes_of(
        counts, [=](std::size_t) { return type; }, comm);
}
[[nodiscard]] inline std::vector<std::int64_t> bytes_of(integers counts, MPI_Datatype const* types, MPI_Comm comm) {
    return bytes_of(
        counts, [=](std::size_t r) { return types[r]; }, comm);
}

[[nodiscard]] inline part_lengths lengths_of_all(integers counts, MPI_Datatype type, MPI_Comm comm) {
    return {part_lengths::shape::of_all, bytes_of(counts, type, comm), {}};
}

/// Of a gather or scatter with counts: `count` of `type` are this rank's own, negative in place.
[[nodiscard]] inline part_lengths lengths_of_parts(part_lengths::shape how, MPI_Count count, MPI_Datatype type,
                                                   integers counts, MPI_Datatype whole_type, int root, MPI_Comm comm) {
    part_lengths result;
    result.how = how;
    if (count >= 0) { result.own = static_cast<std::int64_t>(count) * static_cast<std::int64_t>(size_of(type)); }
    if (rank_of(comm) == root) { result.whole = bytes_of(counts, whole_type, comm); }
    return result;
}

/// `Type` is one type, or an array of one for each rank.
template <class Type>
[[nodiscard]] part_lengths lengths_all_to_all(bool in_place, integers counts, Type type, integers out_counts,
                                              Type out_type, MPI_Comm comm) {
    part_lengths result;
    result.how = part_lengths::shape::all_to_all;
    result.received = bytes_of(out_counts, out_type, comm);
    result.whole = in_place ? result.received : bytes_of(counts, type, comm);
    return result;
}

}  // namespace tutti::watch
