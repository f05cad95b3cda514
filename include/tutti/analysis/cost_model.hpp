// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <tutti/cost/machine.hpp>
#include <tutti/generator/named.hpp>

namespace tutti::analysis {

/// The costs of messages and combines, and the simultaneous actions of a rank. Times have any unit; costs that are
/// integers give exact times.
struct cost_model {
    double per_message = 1;            ///< α: every message
    double per_block_sent = 0;
    double per_element_sent = 0;       ///< β
    double per_block_combined = 0;
    double per_element_combined = 0;   ///< γ
    ports model = ports::bidirectional;
    std::size_t transfers_at_once =
        generators::unlimited_transfers;  ///< that the network carries, of all ranks together

    /// Every message takes 1, combines take no time: times are rounds.
    [[nodiscard]] static constexpr cost_model unit(ports model = ports::bidirectional) {
        return {1, 0, 0, 0, 0, model, generators::unlimited_transfers};
    }

    /// A block takes `tcomm` to send and `tcomp` to combine, whatever its size.
    [[nodiscard]] static constexpr cost_model per_block(double tcomm, double tcomp,
                                                        ports model = ports::bidirectional) {
        return {0, tcomm, 0, tcomp, 0, model, generators::unlimited_transfers};
    }

    /// A message of s elements takes alpha + beta s, to combine them takes gamma s.
    [[nodiscard]] static constexpr cost_model linear(double alpha, double beta, double gamma,
                                                     ports model = ports::bidirectional) {
        return {alpha, 0, beta, 0, gamma, model, generators::unlimited_transfers};
    }

    [[nodiscard]] constexpr double transfer(std::size_t elements, std::size_t blocks = 1) const {
        return per_message + per_block_sent * static_cast<double>(blocks) +
               per_element_sent * static_cast<double>(elements);
    }
    [[nodiscard]] constexpr double combine(std::size_t elements, std::size_t blocks = 1) const {
        return per_block_combined * static_cast<double>(blocks) +
               per_element_combined * static_cast<double>(elements);
    }

    friend bool operator==(cost_model const&, cost_model const&) = default;
};

/// The costs, in seconds, of messages over a link and of combines of elements with this many bytes each: α = L + 2 o,
/// and β = G and γ by element.
[[nodiscard]] constexpr cost_model cost_model_of(loggp const& link, double combine_per_byte, std::size_t element_bytes,
                                                 ports model = ports::bidirectional) {
    auto const bytes = static_cast<double>(element_bytes);
    return cost_model::linear(link.transfer(0), link.per_byte * bytes, combine_per_byte * bytes, model);
}

}  // namespace tutti::analysis

namespace tutti {
using analysis::cost_model;
}  // namespace tutti
