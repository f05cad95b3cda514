// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/equal_segments.hpp>
#include <tutti/partition.hpp>

namespace tutti {

/// What it takes to move one operand and to combine it.
struct round_length {
    double transfer;
    double combine;

    /// Of one segment.
    round_length(std::size_t elements, cost_model const& costs)
        : transfer{costs.transfer(elements)}, combine{costs.combine(elements)} {}

    /// Of the whole vector in one message.
    round_length(partition const& whole, cost_model const& costs) {
        std::size_t blocks = 0;
        for (std::size_t block = 0; block < whole.blocks(); ++block) { blocks += whole.size(block) != 0 ? 1U : 0U; }
        transfer = costs.transfer(whole.elements(), blocks);
        combine = costs.combine(whole.elements(), blocks);
    }

    [[nodiscard]] double whole() const { return transfer + combine; }
};

}  // namespace tutti
