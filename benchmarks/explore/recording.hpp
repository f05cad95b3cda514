// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include <tutti/generator.hpp>
#include <tutti/partition.hpp>
#include <tutti/problem.hpp>
#include <tutti/schedule.hpp>

namespace tutti::explore {

/// The schedules of all ranks, generated once. Every analysis reads them as the schedules of a generator, so that
/// it is compiled once and not for each algorithm.
struct recording {
    std::string name;
    std::size_t size;
    std::size_t root;
    partition const& cut;
    std::vector<std::size_t> rounds{};       ///< as each rank's schedule states them
    std::vector<std::vector<step>> steps{};  ///< of each rank
};

/// The facts about an algorithm that analyses ask for when they are compiled.
struct promise {
    bool requires_commutative = false;
    bool requires_identity = false;
    bool identical_on_all_ranks = true;
    bool one_ported = true;
    ports model = ports::bidirectional;
};

[[nodiscard]] constexpr promise promise_of(facts const& stated) {
    return {stated.requires_commutative, stated.requires_identity, stated.identical_on_all_ranks, stated.one_ported,
            stated.model};
}

/// A recording in the place of the generator that it was made by.
template <promise Stated>
struct stored_generator {
    recording const* all;
};

template <class Collective, promise Stated>
constexpr facts describe(Collective, std::type_identity<stored_generator<Stated>>) {
    return {.name = "recorded",
            .requires_commutative = Stated.requires_commutative,
            .requires_identity = Stated.requires_identity,
            .identical_on_all_ranks = Stated.identical_on_all_ranks,
            .one_ported = Stated.one_ported,
            .model = Stated.model};
}

template <class Collective, promise Stated>
[[nodiscard]] std::string name_of(Collective, stored_generator<Stated> const& from) {
    return from.all->name;
}

/// One type whatever the promise, so that simulators are compiled once too.
[[nodiscard]] inline auto replay(recording const& all, std::size_t rank) {
    auto const& steps = all.steps[rank];
    return indexed_schedule(all.rounds[rank], steps.size(), [first = steps.data()](std::size_t i) { return first[i]; });
}

template <class Collective, promise Stated>
[[nodiscard]] auto generate(Collective, stored_generator<Stated> const& from, problem const& at) {
    return replay(*from.all, at.rank);
}

}  // namespace tutti::explore
