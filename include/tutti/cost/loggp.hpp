// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>

namespace tutti {

/// What messages between two ranks cost, in seconds and seconds per byte: L, o, g and G.
///
/// A message of m bytes takes o + L + m G + o, and each side's processor is busy for o of it. Messages follow one
/// another every max(g, m G).
/// Source: Culler et al., LogP: towards a realistic model of parallel computation, 1993; Alexandrov et al., LogGP:
/// incorporating long messages into the LogP model, 1995.
struct loggp {
    double latency = 0;   ///< L: in the network
    double overhead = 0;  ///< o: of the processor, on either side
    double gap = 0;       ///< g: between short messages
    double per_byte = 0;  ///< G

    /// From when a message is sent until it is there.
    [[nodiscard]] constexpr double transfer(std::size_t bytes) const {
        return latency + 2 * overhead + static_cast<double>(bytes) * per_byte;
    }
    /// From one message to the next.
    [[nodiscard]] constexpr double interval(std::size_t bytes) const {
        return std::max(gap, static_cast<double>(bytes) * per_byte);
    }

    friend bool operator==(loggp const&, loggp const&) = default;
};

}  // namespace tutti
