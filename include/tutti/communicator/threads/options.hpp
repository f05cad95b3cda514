// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include <tutti/node_map.hpp>

namespace tutti::threads {

/// How a team runs.
struct options {
    using duration = std::chrono::steady_clock::duration;
    static constexpr duration forever = duration::max();
    static constexpr duration grace = std::chrono::seconds{1};    ///< for ranks to notice that time is up

    duration timeout = forever;                                             ///< of the whole run
    std::optional<std::uint64_t> perturb = std::nullopt;                    ///< seed of delays and reordering
    std::size_t message_limit = std::numeric_limits<std::size_t>::max();    ///< bytes one message may have
    node_map nodes = {};                                                    ///< which ranks pretend to share a node
};

}  // namespace tutti::threads
