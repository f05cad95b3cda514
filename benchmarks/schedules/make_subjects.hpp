// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <tuple>
#include <vector>

#include <tutti/generator.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/ownership.hpp>

#include "../explore/spelling.hpp"
#include "subject.hpp"

namespace tutti::generation {

/// Whether an all_reduce looks at each block of the root's steps, on every rank.
template <class Generator>
inline constexpr bool waits_for_root = false;
template <class... Stages>
inline constexpr bool waits_for_root<chained<Stages...>> = chain_of<Stages...>::overlaps;

/// What is read from the steps ends here, so that no step is left out.
inline volatile std::size_t sink = 0;

template <class Collective, generator_for<Collective> Generator>
[[nodiscard]] subject make_subject(Collective, Generator const& generator) {
    auto const name = explore::spelling<Collective, Generator>::of(generator);
    return {
        Collective::name,
        name,
        promise_of(name, collective::divides<Collective>),
        waits_for_root<Generator>,
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

template <class Collective, class... Generators>
void append_subjects(std::vector<subject>& to, Collective which, std::tuple<Generators...> const& generators) {
    std::apply([&](auto const&... each) { (to.push_back(make_subject(which, each)), ...); }, generators);
}

}  // namespace tutti::generation
