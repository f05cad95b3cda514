// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

namespace tutti::pricing {

/// How many times as much as those between two ranks alone messages cost that all ranks send at once.
struct contention {
    double latency = 1;
    double per_byte = 1;
    double overhead = 1;  ///< and gap: processors and adapters have the messages of several ranks to handle

    friend bool operator==(contention const&, contention const&) = default;
};

/// What no formula gives: how long messages of several ranks to one wait for each other. Fitted to SimGrid's times of
/// whole calls (test/selection/simulated_calls.hpp; `./dev bench regret --formulas`, November 2026) on the clusters
/// eth1g, ib32g and fat100g of benchmarks/regret with 2 to 100 ranks. The test selection/simulated finds for each the
/// value with which the formulas come nearest to these times, and fails where one here is farther away than 10 %. Some
/// rest on few calls: alternating trees on eth1g with 16 and 17 ranks (both ways on one call of 1 MiB), scans by two
/// trees on three.
struct fitted_contention {
    // Transfers and combines of a rank in a stage of a pipeline take this many times as long.
    double two_trees = 1.25;         ///< it receives from three others, or sends to them
    double alternating_trees = 1.3;  ///< it receives from log p others, from each every other segment or less
    double alternating_trees_both_ways = 1.49;  ///< the same, and on the way back
    double circulants = 1.3;                    ///< it receives from log p others, and sends to as many;
                                                ///< of a reduce_scatter's transfers, too, where none is simulated

    /// Long messages from several ranks, which send to others too: those that wait for a link overtake one another,
    /// and other links are idle.
    double several_ports = 1.3;
    /// So much longer takes a round for each further message of a rank, in a full tree of switches: they share its
    /// links, while the messages of a split stay within a switch as long as they can.
    double each_port = 0.0175;

    /// Messages that a rank receives for each segment of a scan by two trees: inner ranks do most of the work.
    double messages_of_two_tree_scans = 2.6;

    friend bool operator==(fitted_contention const&, fitted_contention const&) = default;
};

}  // namespace tutti::pricing
