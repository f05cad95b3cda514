// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <tutti/cost/loggp.hpp>

namespace tutti {

/// What messages and combines cost, in seconds and seconds per byte: α, β and γ. A message of m bytes takes α + m β, to
/// combine them takes m γ.
/// Source: Hockney, The communication challenge for MPP: Intel Paragon and Meiko CS-2, 1994.
struct hockney {
    double latency = 0;           ///< α
    double per_byte = 0;          ///< β
    double combine_per_byte = 0;  ///< γ

    [[nodiscard]] constexpr double transfer(std::size_t bytes) const {
        return latency + static_cast<double>(bytes) * per_byte;
    }
    [[nodiscard]] constexpr double combine(std::size_t bytes) const {
        return static_cast<double>(bytes) * combine_per_byte;
    }

    friend bool operator==(hockney const&, hockney const&) = default;
};

/// α = L + 2 o, β = G.
[[nodiscard]] constexpr hockney hockney_of(loggp const& link_probe, double combine_per_byte = 0) {
    return {link_probe.latency + 2 * link_probe.overhead, link_probe.per_byte, combine_per_byte};
}

}  // namespace tutti
