// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <tutti/cost/price.hpp>

/// Call parameters with a machine of their own.
struct own_parameters : tutti::call_parameters {
    own_parameters(std::size_t of_size, std::size_t of_bytes) : call_parameters{.size = of_size, .bytes = of_bytes} {
        machine = &its;
    }
    own_parameters(own_parameters const& other) : call_parameters{other}, its{other.its} { machine = &its; }
    own_parameters& operator=(own_parameters const&) = delete;

    tutti::machine_model its;
};

/// Ranks on nodes of their own, between which messages have these costs; tutti itself takes no time, and neither does
/// combining.
inline own_parameters on_links(std::size_t size, std::size_t bytes, tutti::loggp const& link) {
    own_parameters now{size, bytes};
    now.its.between_nodes = now.its.within_node = link;
    now.its.exchange_factor_within_node = 1;
    now.its.handling = 0;
    now.combine_per_byte = 0;
    now.nodes = tutti::node_map::of_width(1);
    return now;
}

/// 1 Gbit/s, in µs.
inline own_parameters on_ethernet(std::size_t size, std::size_t bytes) {
    return on_links(size, bytes, {.latency = 30, .overhead = 10, .gap = 10, .per_byte = 0.008});
}
