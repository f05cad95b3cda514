// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <optional>

#include <tutti/arrival/link_costs.hpp>

namespace tutti {

/// How an `arrival_monitor` works; the same on all ranks.
struct arrival_options {
    /// Lets a thread of its own exchange the estimates while the program computes, where the ranks allow it.
    bool helper_thread = true;

    /// The network's costs, if they are known; else they are measured, and corrected by what collectives take.
    std::optional<link_costs> costs = std::nullopt;
};

/// How the ranks come to know when the others are expected.
enum class arrival_exchange {
    helper_thread,  ///< a thread of each rank tells rank 0, which decides and tells all
    piggyback,      ///< each rank tells all others, when the program calls the monitor
};

}  // namespace tutti
