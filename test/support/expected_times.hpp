// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <tutti/cost/price.hpp>

/// 1 Gbit/s, in µs.
inline tutti::call_parameters on_ethernet(std::size_t size, std::size_t bytes) {
    tutti::call_parameters now{.size = size, .bytes = bytes};
    now.link = {.latency = 30, .overhead = 10, .gap = 10, .per_byte = 0.008};
    now.within = now.link;
    now.combine_per_byte = 0;
    now.handling = 0;
    now.nodes = tutti::node_map::of_width(1);
    return now;
}
