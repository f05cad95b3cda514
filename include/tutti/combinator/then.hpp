// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tutti/combinator/sequence.hpp>
#include <tutti/cost/price.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/generator.hpp>

namespace tutti::generators {

/// Algorithms that follow one another.
template <class... Stages>
struct chained {
    std::tuple<Stages...> stages;
    friend bool operator==(chained const&, chained const&) = default;
};

/// An all_reduce out of a reduce (or reduce_scatter), any number of all_reduce stages, and a broadcast (or
/// all_gather). The root between the stages is rank 0.
///
/// A reduce and a broadcast alone overlap: a block is broadcast as soon as the root has it. The broadcast starts
/// in the first round that lets every block reach the root before the root sends it. Otherwise a stage starts
/// when the stage before has used up its rounds. Stages that offer both pairs reduce to the root and broadcast.
/// Requires: a commutative operator if one of the stages does. Result: identical on all ranks.
/// Cost: the sum of the stages' costs, less the overlap.
template <class... Stages>
    requires(sizeof...(Stages) >= 2)
[[nodiscard]] chained<Stages...> then(Stages... stages) {
    return {{std::move(stages)...}};
}

/// Which collective each stage of a chain implements.
template <class... Stages>
class chain_of {
    static constexpr std::size_t count = sizeof...(Stages);
    template <std::size_t Index>
    using stage = std::tuple_element_t<Index, std::tuple<Stages...>>;

    template <class First, class Last>
    static constexpr bool opens_with = generator_for<stage<0>, First> && generator_for<stage<count - 1>, Last>;

    static constexpr bool through_root = opens_with<collective::reduce, collective::broadcast>;
    static constexpr bool through_parts = opens_with<collective::reduce_scatter, collective::all_gather>;

    template <std::size_t... Middle>
    static constexpr bool all_reduce_between(std::index_sequence<Middle...>) {
        return (generator_for<stage<Middle + 1>, collective::all_reduce> && ...);
    }

public:
    static constexpr bool complete =
        (through_root || through_parts) && all_reduce_between(std::make_index_sequence<count - 2>{});
    // whether a stage is known to offer the other pair as well depends on what has been included
    static constexpr bool scatters = !through_root;
    static constexpr bool overlaps = count == 2 && !scatters;

    using first = std::conditional_t<scatters, collective::reduce_scatter, collective::reduce>;
    using last = std::conditional_t<scatters, collective::all_gather, collective::broadcast>;
    template <std::size_t Index>
    using collective_of =
        std::conditional_t<Index == 0, first, std::conditional_t<Index == count - 1, last, collective::all_reduce>>;

    static constexpr facts stated() {
        return []<std::size_t... Index>(std::index_sequence<Index...>) {
            return generators::facts_of_sequence("then", {facts_of<collective_of<Index>, stage<Index>>...});
        }
        (std::make_index_sequence<count>{});
    }

    static bool supports(std::size_t size) {
        return [size]<std::size_t... Index>(std::index_sequence<Index...>) {
            return (facts_of<collective_of<Index>, stage<Index>>.supports(size) && ...);
        }
        (std::make_index_sequence<count>{});
    }
};

template <class... Stages>
    requires(chain_of<Stages...>::complete)
constexpr facts describe(collective::all_reduce, std::type_identity<chained<Stages...>>) {
    using chain = chain_of<Stages...>;
    auto result = chain::stated();
    result.identical_on_all_ranks = true;  // the last stage hands out what one rank has
    result.one_ported = result.one_ported && !chain::overlaps;
    result.supports = chain::supports;
    return result;
}

template <class... Stages>
[[nodiscard, gnu::cold]] std::string name_of(collective::all_reduce, chained<Stages...> const& all) {
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        using chain = chain_of<Stages...>;
        return generators::name_with_parts(
            "then", {name_of(typename chain::template collective_of<Index>{}, std::get<Index>(all.stages))...});
    }
    (std::index_sequence_for<Stages...>{});
}

/// The largest number of blocks that a stage wants; at least one for each rank if the ranks share the work.
template <class... Stages>
[[nodiscard, gnu::cold]] std::size_t blocks_for(collective::all_reduce, chained<Stages...> const& all, std::size_t size,
                                                std::size_t bytes) {
    using chain = chain_of<Stages...>;
    std::size_t const least = chain::scatters ? size : 1;
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        return std::max({least, blocks_for(typename chain::template collective_of<Index>{}, std::get<Index>(all.stages),
                                           size, bytes)...});
    }
    (std::index_sequence_for<Stages...>{});
}

/// The least shift of a broadcast by which the root sends every block in a later round than it last reduces it.
/// Both are the root's schedules.
[[nodiscard, gnu::cold]] inline std::size_t
rounds_until_broadcast(lazy_schedule const& reduction, lazy_schedule const& distribution, std::size_t blocks) {
    dynamic_array<std::size_t> ready(blocks, 0);
    std::size_t shift = 0;
    for (auto const* stage : {&reduction, &distribution}) {
        for (auto const& each : *stage) {
            for (auto const& range : each.blocks) {
                for (auto block = range.first; block < range.last; ++block) {
                    if (stage == &reduction) {
                        ready[block] = std::max(ready[block], each.round + 1);
                    } else if (ready[block] > each.round) {
                        shift = std::max(shift, ready[block] - each.round);
                    }
                }
            }
        }
    }
    return shift;
}

/// Stages one after the other; where they overlap, the second one begins in round `overlap`.
[[nodiscard, gnu::cold]] inline lazy_schedule in_turn(dynamic_array<lazy_schedule> const& stages,
                                                      std::optional<std::size_t> overlap) {
    dynamic_array<std::size_t> starts(stages.size(), 0);
    for (std::size_t i = 1; i < starts.size(); ++i) {
        starts[i] = overlap ? *overlap : starts[i - 1] + stages[i - 1].rounds();
    }
    return generators::merged(stages, starts);
}

template <class... Stages>
    requires(chain_of<Stages...>::complete)
[[nodiscard, gnu::cold]] lazy_schedule generate(collective::all_reduce, chained<Stages...> const& all,
                                                problem const& at) {
    using chain = chain_of<Stages...>;
    problem const inner{at.rank, at.size, 0, at.blocks};
    auto const stages = [&](problem const& of_rank) {
        return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
            dynamic_array<lazy_schedule> result;
            (result.push_back(schedules::lazy(
                 generate(typename chain::template collective_of<Index>{}, std::get<Index>(all.stages), of_rank))),
             ...);
            return result;
        }
        (std::index_sequence_for<Stages...>{});
    };
    std::optional<std::size_t> overlap;
    if constexpr (chain::overlaps) {
        auto const of_root = stages(problem{inner.root, at.size, inner.root, at.blocks});
        overlap = generators::rounds_until_broadcast(of_root[0], of_root[1], at.blocks.blocks());
    }
    return generators::in_turn(stages(inner), overlap);
}

/// The sum of both stages: an all_gather begins when the shares of the reduce_scatter are complete, and a broadcast
/// that overlaps with its reduce shares the links with it.
template <class There, class Back>
    requires pricing::has_formula<There, typename chain_of<There, Back>::first> &&
        pricing::has_formula<Back, typename chain_of<There, Back>::last>
[[nodiscard, gnu::cold]] double time_of(collective::all_reduce, chained<There, Back> const& both,
                                        pricing::message_costs const& costs, call_parameters const& now) {
    auto const& [there, back] = both.stages;
    return time_of(typename chain_of<There, Back>::first{}, there, costs, now) +
           time_of(typename chain_of<There, Back>::last{}, back, pricing::message_costs::transfer_only(now), now);
}

/// A reduce out of a reduce_scatter and a gather: every rank reduces its part, and the root collects them. Reversed, it
/// is a broadcast out of a scatter and an all_gather.
template <class First, class Last>
concept reduces_by_parts =
    generator_for<First, collective::reduce_scatter> && generator_for<Last, collective::gather>;

template <class First, class Last>
    requires reduces_by_parts<First, Last>
constexpr facts describe(collective::reduce, std::type_identity<chained<First, Last>>) {
    auto result = generators::facts_of_sequence(
        "then", {facts_of<collective::reduce_scatter, First>, facts_of<collective::gather, Last>});
    result.supports = [](std::size_t size) {
        return facts_of<collective::reduce_scatter, First>.supports(size) &&
               facts_of<collective::gather, Last>.supports(size);
    };
    return result;
}

template <class First, class Last>
    requires reduces_by_parts<First, Last>
[[nodiscard, gnu::cold]] std::string name_of(collective::reduce, chained<First, Last> const& both) {
    return generators::name_with_parts("then", {name_of(collective::reduce_scatter{}, std::get<0>(both.stages)),
                                                name_of(collective::gather{}, std::get<1>(both.stages))});
}

template <class First, class Last>
    requires reduces_by_parts<First, Last>
[[nodiscard, gnu::cold]] std::size_t blocks_for(collective::reduce, chained<First, Last> const& both, std::size_t size,
                                                std::size_t bytes) {
    return blocks_for(collective::reduce_scatter{}, std::get<0>(both.stages), size, bytes);
}

template <class First, class Last>
    requires reduces_by_parts<First, Last>
[[nodiscard, gnu::cold]] lazy_schedule generate(collective::reduce, chained<First, Last> const& both,
                                                problem const& at) {
    dynamic_array<lazy_schedule> stages;
    stages.push_back(schedules::lazy(generate(collective::reduce_scatter{}, std::get<0>(both.stages), at)));
    stages.push_back(schedules::lazy(generate(collective::gather{}, std::get<1>(both.stages), at)));
    return generators::in_turn(stages, std::nullopt);
}

template <class First, class Last>
    requires reduces_by_parts<First, Last> && pricing::has_formula<First, collective::reduce_scatter> &&
             pricing::has_formula<Last, collective::gather>
[[nodiscard, gnu::cold]] double time_of(collective::reduce, chained<First, Last> const& both,
                                        pricing::message_costs const& costs, call_parameters const& now) {
    return time_of(collective::reduce_scatter{}, std::get<0>(both.stages), costs, now) +
           time_of(collective::gather{}, std::get<1>(both.stages), costs.without_combines(), now);
}

}  // namespace tutti::generators

namespace tutti {
using generators::then;
}  // namespace tutti
