// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <concepts>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tutti/generator.hpp>
#include <tutti/selection/algorithm.hpp>

#include "../explore/all_reduce_generators.hpp"
#include "../explore/reduce_generators.hpp"
#include "subject.hpp"

namespace tutti::generation {

namespace {

/// What is read from the steps ends here, so that no step is left out.
volatile std::size_t sink = 0;

template <class Collective, generator_for<Collective> Generator>
[[nodiscard]] subject make_subject(Collective which, std::string name, Generator const& generator,
                                   bool waits_for_root) {
    auto const made = promise_of(name);
    return {which.name,
            std::move(name),
            made,
            waits_for_root,
            facts_of<Collective, Generator>.supports,
            [generator](std::size_t size, std::size_t bytes) { return blocks_for(Collective{}, generator, size, bytes); },
            [generator](problem const& at) {
                reading result;
                std::size_t sum = 0;
                for (step const& each : generate(Collective{}, generator, at)) {
                    sum += each.round + each.peer;
                    ++result.steps;
                    for (auto const& range : each.blocks) { result.blocks += range.last - range.first; }
                }
                sink = sum;
                return result;
            }};
}

}  // namespace

std::vector<subject> all_subjects() {
    std::vector<subject> result;
    auto const add_following = [&]<class Collective>(Collective which) {
        auto const add = [&]<class Reduce>(Reduce const& each) {
            constexpr bool chained =
                std::same_as<Collective, collective::all_reduce> && !generator_for<Reduce, collective::all_reduce>;
            result.push_back(
                make_subject(which, name_of(collective::reduce{}, each), algorithm_for(which, each), chained));
        };
        std::apply([&](auto const&... each) { (add(each), ...); }, explore::reduce_generators());
    };
    add_following(collective::reduce{});
    add_following(collective::broadcast{});
    add_following(collective::all_reduce{});
    std::apply(
        [&](auto const&... each) {
            (result.push_back(
                 make_subject(collective::all_reduce{}, name_of(collective::all_reduce{}, each), each, false)),
             ...);
        },
        explore::all_reduce_generators());
    return result;
}

}  // namespace tutti::generation
