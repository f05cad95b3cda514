// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <tutti/analysis/cost_model.hpp>
#include <tutti/generator.hpp>
#include <tutti/cost/hockney.hpp>

namespace tutti {

/// The costs of messages and combines of elements with so many bytes each, in seconds: α, and β and γ by element.
[[nodiscard]] constexpr cost_model cost_model_of(hockney const& costs, std::size_t element_bytes,
                                                 ports model = ports::bidirectional) {
    auto const bytes = static_cast<double>(element_bytes);
    return cost_model::linear(costs.latency, costs.per_byte * bytes, costs.combine_per_byte * bytes, model);
}

}  // namespace tutti
