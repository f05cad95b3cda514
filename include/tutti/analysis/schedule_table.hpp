// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include <tutti/generator.hpp>

namespace tutti::analysis {

/// The schedules of all ranks, generated once or read from a file.
struct schedule_table {
    std::string name{};  ///< of the algorithm
    facts stated{};
    std::size_t size = 0;
    std::size_t root = 0;
    partition cut = partition::equal(0, 0);
    std::vector<std::size_t> rounds{};       ///< as each rank's schedule states them
    std::vector<std::vector<step>> steps{};  ///< of each rank
    std::string collective{};                ///< empty: not known
    bool states_order = true;                ///< else whether operators have to commute is not known
};

/// A table in the place of the generator that it was made by: analyses are compiled once for a collective, and not for
/// each algorithm.
struct tabulated {
    schedule_table const* all;

    // friends, which do not hide those of other generators here
    template <class Collective>
    [[nodiscard]] friend facts const& facts_about(Collective, tabulated const& from) {
        return from.all->stated;
    }
    template <class Collective>
    [[nodiscard]] friend std::string name_of(Collective, tabulated const& from) {
        return from.all->name;
    }
};

template <class Collective>
constexpr facts describe(Collective, std::type_identity<tabulated>) {
    return {.name = "tabulated"};
}

template <class Collective>
[[nodiscard]] auto generate(Collective, tabulated const& from, problem const& at) {
    auto const& steps = from.all->steps[at.rank];
    return schedules::indexed_schedule(from.all->rounds[at.rank], steps.size(),
                                       [first = steps.data()](std::size_t i) { return first[i]; });
}

}  // namespace tutti::analysis
