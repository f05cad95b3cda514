// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/accelerator/call.hpp>
#include <tutti/accelerator/watch/call_facts.hpp>
#include <tutti/accelerator/watch/comparison.hpp>
#include <tutti/accelerator/watch/observer.hpp>

namespace tutti::accelerator::watch {

[[nodiscard]] inline call_facts facts_of(char const* name, MPI_Comm comm, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                         int root, bool equal) {
    return {name, comm, count, type, op, root, call_facts::none, equal};
}

/// The sum of all ranks' counts.
[[nodiscard]] inline MPI_Count total(integers counts, MPI_Comm comm) {
    if (!counts || comm == MPI_COMM_NULL) { return -1; }
    MPI_Count sum = 0;
    for (std::size_t r = 0; r != comm_size(comm); ++r) { sum += counts[r]; }
    return sum;
}

[[nodiscard]] inline std::vector<std::int64_t> bytes_of(integers counts, MPI_Datatype type, MPI_Comm comm) {
    std::vector<std::int64_t> result;
    for (std::size_t r = 0; counts && r != comm_size(comm); ++r) {
        result.push_back(static_cast<std::int64_t>(counts[r]) * static_cast<std::int64_t>(size_of(type)));
    }
    return result;
}

[[nodiscard]] inline part_lengths lengths_of_all(integers counts, MPI_Datatype type, MPI_Comm comm) {
    return {part_lengths::shape::of_all, bytes_of(counts, type, comm), {}, 0};
}

/// Of a gather or scatter with counts: `count` of `type` are this rank's own, negative in place.
[[nodiscard]] inline part_lengths lengths_gathered(MPI_Count count, MPI_Datatype type, integers counts,
                                                   MPI_Datatype whole_type, int root, MPI_Comm comm) {
    part_lengths result;
    result.how = part_lengths::shape::gathered;
    result.own = count < 0 ? -1 : static_cast<std::int64_t>(count) * static_cast<std::int64_t>(size_of(type));
    if (rank_of(comm) == root) { result.whole = bytes_of(counts, whole_type, comm); }
    return result;
}

[[nodiscard]] inline part_lengths lengths_all_to_all(bool in_place, integers counts, MPI_Datatype type,
                                                     integers out_counts, MPI_Datatype out_type, MPI_Comm comm) {
    part_lengths result;
    result.how = part_lengths::shape::all_to_all;
    result.received = bytes_of(out_counts, out_type, comm);
    result.whole = in_place ? result.received : bytes_of(counts, type, comm);
    return result;
}

}  // namespace tutti::accelerator::watch
