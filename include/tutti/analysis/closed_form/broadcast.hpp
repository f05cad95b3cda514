// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <optional>

#include <tutti/analysis/closed_form/reduce.hpp>
#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/equal_segments.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/partition.hpp>

namespace tutti {

/// A reduction without combines, in time that runs backwards: of those above each takes as long both ways.
/// For equal blocks of which none is empty, since empty ones change what is reversed.
template <class Generator>
[[nodiscard]] std::optional<double> closed_form(collective::broadcast, reversed<Generator> const& all,
                                                std::size_t size, std::size_t root, partition const& cut,
                                                cost_model costs) {
    auto const segments = equal_segments_of(cut);
    if (!segments || segments->count != cut.blocks()) { return std::nullopt; }
    costs.per_block_combined = costs.per_element_combined = 0;
    constexpr collective::reduce which{};
    if constexpr (requires { closed_form(which, all.generator, size, root, *segments, costs); }) {
        return closed_form(which, all.generator, size, root, *segments, costs);
    } else if constexpr (requires { closed_form(which, all.generator, size, root, cut, costs); }) {
        return closed_form(which, all.generator, size, root, cut, costs);
    } else {
        return std::nullopt;
    }
}

/// That of the reduction without combines.
[[nodiscard]] inline std::optional<double> closed_form(collective::broadcast, round_optimal const& generator,
                                                       std::size_t size, std::size_t root, partition const& cut,
                                                       cost_model const& costs) {
    return closed_form(collective::broadcast{}, reverse(generator), size, root, cut, costs);
}

}  // namespace tutti
