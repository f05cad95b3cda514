// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <string_view>

#include <tutti/cost/machine.hpp>

namespace tutti::benchmark::guidelines {

/// One rank a node: what messages cost as `measure` finds it on the simulated clusters of `./dev bench regret` (SMPI of
/// SimGrid 3.32, November 2026), and γ in seconds per byte.
struct machine {
    std::string_view name;
    loggp link;
    double combine_per_byte;
};

inline constexpr loggp infiniband{.latency = 0.9039e-6, .overhead = 0.3e-6, .gap = 0.3e-6, .per_byte = 0.2502e-9};

inline constexpr std::array<machine, 4> machines{
    {{"eth1g", {.latency = 30.12e-6, .overhead = 10e-6, .gap = 10e-6, .per_byte = 8.009e-9}, 0.1e-9},
     {"ib32g", infiniband, 0.1e-9},
     {"fat100g", {.latency = 0.3019e-6, .overhead = 0.2e-6, .gap = 0.2e-6, .per_byte = 0.07905e-9}, 0.02e-9},
     {"functor", infiniband, 0.25e-9}}};

[[nodiscard]] inline machine_model model_of(machine const& one) {
    machine_model result;
    result.between_nodes = result.within_node = one.link;
    result.handling = 0;
    result.combine_per_byte = one.combine_per_byte;
    // In SMPI a message that waits for a link keeps others from being used; here it does not. Fitted to the fewest
    // violations of six sets of these, 9 numbers of ranks, 2026-11-28: ./dev bench guidelines --ranks
    // 5,7,9,12,16,21,27,33,48 --bytes 1000,10000,30000,65536,200000,1000000. Simulated: the same on every machine.
    result.fitted.circulants = 1.05;
    result.fitted.several_ports = 1;
    result.fitted.each_port = 0;
    result.fitted.messages_of_two_tree_scans = 3.3;
    return result;
}

}  // namespace tutti::benchmark::guidelines
