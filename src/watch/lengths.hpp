// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
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

/// `Type` is one type, or an array of one for each rank.
template <class Type>
[[nodiscard]] std::vector<std::int64_t> bytes_of(integers counts, Type type, MPI_Comm comm) {
    std::vector<std::int64_t> result;
    auto const ranks = counts ? observed_ranks(comm) : 0;
    for (std::size_t r = 0; r != ranks; ++r) {
        std::size_t size = 0;
        if constexpr (std::is_same_v<Type, MPI_Datatype>) {
            size = size_of(type);
        } else {
            size = size_of(type[r]);
        }
        result.push_back(static_cast<std::int64_t>(counts[r]) * static_cast<std::int64_t>(size));
    }
    return result;
}

[[nodiscard]] inline part_lengths lengths_of_all(integers counts, MPI_Datatype type, MPI_Comm comm) {
    return {part_lengths::shape::of_all, bytes_of(counts, type, comm)};
}

/// Of a gather or scatter with counts: `count` of `type` are this rank's own, negative in place.
[[nodiscard]] inline part_lengths lengths_of_parts(part_lengths::shape how, MPI_Count count, MPI_Datatype type,
                                                   integers counts, MPI_Datatype whole_type, int root, MPI_Comm comm) {
    part_lengths result{how};
    bool const gives = how == part_lengths::shape::gathered;
    if (count >= 0 && root >= 0 && static_cast<std::size_t>(root) < observed_ranks(comm)) {
        auto& own = gives ? result.given : result.taken;
        own.resize(static_cast<std::size_t>(root), -1);
        own.push_back(static_cast<std::int64_t>(count) * static_cast<std::int64_t>(size_of(type)));
    }
    if (rank_of(comm) == root) { (gives ? result.taken : result.given) = bytes_of(counts, whole_type, comm); }
    return result;
}

template <class Type>
[[nodiscard]] part_lengths lengths_all_to_all(bool in_place, integers counts, Type type, integers out_counts,
                                              Type out_type, MPI_Comm comm) {
    auto taken = bytes_of(out_counts, out_type, comm);
    auto given = in_place ? taken : bytes_of(counts, type, comm);
    return {part_lengths::shape::all_to_all, std::move(given), std::move(taken)};
}

}  // namespace tutti::watch
