// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <vector>

#include <pmpi/call_signature.hpp>
#include <pmpi/datatype.hpp>
#include <pmpi/integers.hpp>
#include <pmpi/ranks.hpp>
#include <pmpi/roles.hpp>
#include <watch/comparison.hpp>
#include <watch/observer.hpp>

namespace tutti::watch {

/// Ranks of an intracommunicator of this MPI_COMM_WORLD, which calls are observed on; else 0.
[[nodiscard]] inline std::size_t observed_ranks(MPI_Comm comm) {
    auto const* const known = observer::is_on() ? known_communicators::get().find(comm) : nullptr;
    return known == nullptr || known->is_inter ? 0 : known->members.size();
}

/// Of each rank's part. `types` is one type, or an array of one for each rank.
template <class Types>
[[nodiscard]] std::vector<std::int64_t> bytes_of(integers counts, Types types, MPI_Comm comm) {
    std::vector<std::int64_t> result;
    auto const ranks = counts ? observed_ranks(comm) : 0;
    for (std::size_t r = 0; r != ranks; ++r) {
        auto const type = [&] {
            if constexpr (std::is_same_v<Types, MPI_Datatype>) {
                return types;
            } else {
                return types[r];
            }
        }();
        result.push_back(static_cast<std::int64_t>(counts[r]) * static_cast<std::int64_t>(size_of(type)));
    }
    return result;
}

/// The lengths that ranks compare where parts differ, once they are asked for.
template <class Function, class... P>
[[nodiscard, gnu::always_inline]] inline auto lengths_of(P... arguments) {
    if constexpr (!has<Function>(role::counts)) {
        return observer::none;
    } else {
        return [=] {
            using enum part_lengths::shape;
            part_lengths result;
            auto const all = std::tuple{arguments...};
            auto const comm = value_of<Function, role::comm>(all);
            integers const counts = value_of<Function, role::counts>(all);
            if constexpr (!has<Function>(role::own)) {
                result = {of_all, bytes_of(counts, value_of<Function, role::type>(all), comm)};
            } else if constexpr (!has<Function>(role::sent_counts)) {
                constexpr bool gathers = Function::roles.front() == role::own;
                result.how = gathers ? gathered : scattered;
                auto const bytes = signature_of<Function>(&observed_ranks, arguments...).bytes();
                auto const root = value_of<Function, role::peer>(all);
                if (bytes >= 0 && root >= 0 && static_cast<std::size_t>(root) < observed_ranks(comm)) {
                    auto& own = gathers ? result.given : result.taken;
                    own.resize(static_cast<std::size_t>(root), -1);
                    own.push_back(bytes);
                }
                if (rank_of(comm) == root) {
                    auto& whole = gathers ? result.taken : result.given;
                    whole = bytes_of(counts, value_of<Function, role::whole_type>(all), comm);
                }
            } else {
                auto const types = value_of<Function, role::types>(all, value_of<Function, role::type>(all, nullptr));
                if constexpr (has<Function>(role::types)) {
                    if (types == nullptr) { return result; }  // a call from Fortran
                }
                result.how = all_to_all;
                result.taken = bytes_of(counts, types, comm);
                result.given = result.taken;
                if (value_of<Function, role::own>(all) != MPI_IN_PLACE) {
                    auto const type = value_of<Function, role::sent_type>(all, nullptr);
                    auto const sent = value_of<Function, role::sent_types>(all, type);
                    result.given = bytes_of(value_of<Function, role::sent_counts>(all), sent, comm);
                }
            }
            return result;
        };
    }
}

}  // namespace tutti::watch
