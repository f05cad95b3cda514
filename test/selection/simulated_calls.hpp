// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Calls whose times in simulated networks stand in simulated_times.hpp, which `./dev bench regret --formulas` writes:
// TUTTI_CALL(network, ranks, bytes, nanoseconds that a byte takes to combine, collective, algorithm). Included where
// TUTTI_CALL is defined.

// Short messages.
TUTTI_CALL(eth1g, 16, 8, 0, reduce, postal_tree{.latency = 5, .gap = 1})
TUTTI_CALL(eth1g, 16, 8, 0, all_reduce, recursive_multiplying{.radix = 2})
TUTTI_CALL(eth1g, 16, 1024, 0, reduce_scatter, circulant{})
TUTTI_CALL(eth1g, 48, 65536, 0, reduce_scatter, circulant{})

// Long ones.
TUTTI_CALL(eth1g, 48, 1048576, 0, all_reduce, ring{})
TUTTI_CALL(eth1g, 48, 1048576, 0, all_reduce, ring{.sub_segments = 2})
TUTTI_CALL(eth1g, 48, 262144, 0, all_reduce, ring{.sub_segments = 2})
TUTTI_CALL(eth1g, 48, 1048576, 0, all_reduce, ring{.sub_segments = 4})
TUTTI_CALL(eth1g, 48, 1048576, 0, all_reduce, then(circulant{}, reverse(circulant{})))
TUTTI_CALL(eth1g, 16, 65536, 0, all_reduce, split{.halvings = 5})
TUTTI_CALL(eth1g, 48, 1048576, 0, reduce_scatter, circulant{})
TUTTI_CALL(eth1g, 48, 16777216, 0, reduce_scatter, bucket{})
TUTTI_CALL(eth1g, 48, 262144, 0, reduce_scatter, bucket{.segments = 2})
TUTTI_CALL(eth1g, 48, 4194304, 0, reduce_scatter, bucket{.segments = 4})
TUTTI_CALL(eth1g, 48, 65536, 0, reduce, butterfly{})
TUTTI_CALL(eth1g, 16, 1048576, 0, reduce, butterfly{})

// Several messages at once.
TUTTI_CALL(eth1g, 48, 65536, 0, reduce_scatter, ported_circulant{.ports = 2})
TUTTI_CALL(eth1g, 64, 65536, 0, reduce_scatter, ported_circulant{.ports = 2})
TUTTI_CALL(eth1g, 48, 65536, 0, reduce_scatter, ported_circulant{.ports = 3})
TUTTI_CALL(eth1g, 64, 65536, 0, reduce_scatter, ported_circulant{.ports = 3})

// Ranks that do the work of two.
TUTTI_CALL(eth1g, 17, 8192, 0, all_reduce, split{.halvings = 2})
TUTTI_CALL(eth1g, 48, 65536, 0, all_reduce, split{.halvings = 4})
TUTTI_CALL(eth1g, 100, 32768, 0, all_reduce, split{.halvings = 4})
TUTTI_CALL(eth1g, 17, 8192, 0, exclusive_scan, split{.halvings = 2})
TUTTI_CALL(eth1g, 17, 8192, 0, exclusive_scan, split{.halvings = 3})
TUTTI_CALL(eth1g, 17, 8192, 0, exclusive_scan, split{.halvings = 4})
TUTTI_CALL(eth1g, 48, 65536, 0, exclusive_scan, split{.halvings = 4})
TUTTI_CALL(eth1g, 100, 65536, 0, exclusive_scan, split{.halvings = 5})
TUTTI_CALL(eth1g, 48, 1048576, 0, reduce_scatter, split{})
TUTTI_CALL(eth1g, 100, 65536, 0, reduce_scatter, split{})

// Pipelines.
TUTTI_CALL(eth1g, 48, 1048576, 0, reduce, pipeline{.segments = 256})
TUTTI_CALL(eth1g, 16, 1048576, 0, reduce, pipeline{.segments = 256})
TUTTI_CALL(eth1g, 48, 1048576, 0, reduce, two_tree{.segments = 256})
TUTTI_CALL(eth1g, 48, 1048576, 0, reduce, two_tree{.segments = 512})
TUTTI_CALL(eth1g, 48, 1048576, 0, reduce, round_optimal{.segments = 512})
TUTTI_CALL(eth1g, 16, 1048576, 0, reduce, round_optimal{.segments = 256})
TUTTI_CALL(eth1g, 48, 1048576, 0, exclusive_scan, linear{.segments = 256})
TUTTI_CALL(eth1g, 48, 1048576, 0, exclusive_scan, two_tree{.segments = 256})
TUTTI_CALL(eth1g, 16, 1048576, 0, exclusive_scan, split{.halvings = 3})

// Combining takes as long as sending, or ten times as long. Segments of more than 8.9 KB are longer on a link than on
// their way: those of a circulant overtake one another.
TUTTI_CALL(fat100g, 48, 1048576, 0.1, reduce, two_tree{.segments = 64})
TUTTI_CALL(fat100g, 48, 65536, 1, reduce, two_tree{.segments = 32})
TUTTI_CALL(fat100g, 48, 262144, 1, reduce, two_tree{.segments = 64})
TUTTI_CALL(fat100g, 48, 1048576, 0.1, reduce, round_optimal{.segments = 64})
TUTTI_CALL(fat100g, 48, 1048576, 0.1, reduce, round_optimal{.segments = 128})
TUTTI_CALL(fat100g, 48, 262144, 1, reduce, round_optimal{.segments = 64})

// Links between switches are shared: by trees on the way down, and by several messages of a rank.
TUTTI_CALL(fat100g, 64, 65536, 0, reduce_scatter, ported_circulant{.ports = 2})
TUTTI_CALL(fat100g, 64, 65536, 0, reduce_scatter, ported_circulant{.ports = 3})
TUTTI_CALL(fat100g, 64, 262144, 0, reduce_scatter, ported_circulant{.ports = 3})
TUTTI_CALL(fat100g, 64, 65536, 0, reduce_scatter, ported_circulant{.ports = 7})
TUTTI_CALL(fat100g, 64, 1048576, 0, reduce, round_optimal{.segments = 128})
TUTTI_CALL(fat100g, 48, 1048576, 0, reduce, round_optimal{.segments = 128})
TUTTI_CALL(fat100g, 48, 262144, 0, broadcast, reverse(two_tree{.segments = 64}))
TUTTI_CALL(fat100g, 48, 1048576, 0, broadcast, reverse(two_tree{.segments = 128}))

// Chains.
TUTTI_CALL(eth1g, 2, 65536, 1, exclusive_scan, linear{.segments = 1})
TUTTI_CALL(eth1g, 3, 65536, 1, exclusive_scan, linear{.segments = 16})
TUTTI_CALL(eth1g, 4, 65536, 1, exclusive_scan, linear{.segments = 16})
TUTTI_CALL(eth1g, 8, 65536, 1, exclusive_scan, linear{.segments = 16})
TUTTI_CALL(eth1g, 16, 65536, 1, exclusive_scan, linear{.segments = 16})
TUTTI_CALL(eth1g, 2, 65536, 1, inclusive_scan, linear{.segments = 16})
TUTTI_CALL(eth1g, 8, 65536, 1, inclusive_scan, linear{.segments = 16})
TUTTI_CALL(eth1g, 2, 65536, 1, scan_reduce, linear{.segments = 1})
TUTTI_CALL(eth1g, 8, 65536, 1, scan_reduce, linear{.segments = 16})

// Scans by halving.
TUTTI_CALL(eth1g, 2, 65536, 1, exclusive_scan, split{.halvings = 1})
TUTTI_CALL(eth1g, 4, 65536, 1, exclusive_scan, split{.halvings = 2})
TUTTI_CALL(eth1g, 8, 65536, 1, exclusive_scan, split{.halvings = 3})
TUTTI_CALL(eth1g, 16, 65536, 1, exclusive_scan, split{.halvings = 3})
TUTTI_CALL(eth1g, 2, 65536, 1, inclusive_scan, split{.halvings = 1})
TUTTI_CALL(eth1g, 8, 65536, 1, inclusive_scan, split{.halvings = 3})
TUTTI_CALL(eth1g, 4, 65536, 1, scan_reduce, split{.halvings = 1})
TUTTI_CALL(eth1g, 8, 65536, 1, scan_reduce, split{.halvings = 2})

// Combining takes four times as long as sending, and some ranks do twice as much as others.
TUTTI_CALL(ib32g, 6, 65536, 1, exclusive_scan, split{.halvings = 1})
TUTTI_CALL(ib32g, 6, 65536, 1, exclusive_scan, split{.halvings = 2})
TUTTI_CALL(ib32g, 17, 65536, 1, exclusive_scan, split{.halvings = 1})
TUTTI_CALL(ib32g, 17, 65536, 1, exclusive_scan, split{.halvings = 2})
TUTTI_CALL(ib32g, 17, 65536, 1, exclusive_scan, split{.halvings = 5})
TUTTI_CALL(ib32g, 48, 65536, 1, exclusive_scan, split{.halvings = 1})
TUTTI_CALL(ib32g, 48, 65536, 1, exclusive_scan, split{.halvings = 2})
TUTTI_CALL(ib32g, 48, 65536, 1, exclusive_scan, split{.halvings = 4})
TUTTI_CALL(ib32g, 48, 65536, 1, exclusive_scan, split{.halvings = 6})

// Exchanges of whole vectors; the last ones go upwards only.
TUTTI_CALL(eth1g, 2, 65536, 1, exclusive_scan, recursive_multiplying{.radix = 2})
TUTTI_CALL(eth1g, 4, 65536, 1, exclusive_scan, recursive_multiplying{.radix = 2})
TUTTI_CALL(eth1g, 8, 65536, 1, exclusive_scan, recursive_multiplying{.radix = 2})
TUTTI_CALL(eth1g, 16, 65536, 1, exclusive_scan, recursive_multiplying{.radix = 2})
TUTTI_CALL(eth1g, 2, 65536, 1, inclusive_scan, recursive_multiplying{.radix = 2})
TUTTI_CALL(eth1g, 4, 65536, 1, inclusive_scan, recursive_multiplying{.radix = 2})
TUTTI_CALL(eth1g, 16, 65536, 1, inclusive_scan, recursive_multiplying{.radix = 2})
TUTTI_CALL(eth1g, 2, 65536, 1, scan_reduce, recursive_multiplying{.radix = 2})
TUTTI_CALL(eth1g, 4, 65536, 1, scan_reduce, recursive_multiplying{.radix = 2})
TUTTI_CALL(eth1g, 16, 65536, 1, scan_reduce, recursive_multiplying{.radix = 2})
TUTTI_CALL(eth1g, 4, 65536, 0, exclusive_scan, recursive_multiplying{.radix = 2})
TUTTI_CALL(eth1g, 3, 65536, 0, scan_reduce, recursive_multiplying{.radix = 2})
TUTTI_CALL(eth1g, 9, 65536, 0, exclusive_scan, recursive_multiplying{.radix = 2})
TUTTI_CALL(eth1g, 17, 65536, 0, exclusive_scan, recursive_multiplying{.radix = 2})

// Scans by trees.
TUTTI_CALL(eth1g, 16, 65536, 1, scan_reduce, two_tree{.segments = 16})
TUTTI_CALL(eth1g, 3, 65536, 0, exclusive_scan, two_tree{.segments = 4})

// Scatters.
TUTTI_CALL(eth1g, 4, 65536, 0, scatter, linear{})
TUTTI_CALL(eth1g, 8, 1048576, 0, scatter, linear{})
TUTTI_CALL(eth1g, 16, 65536, 0, scatter, linear{})
TUTTI_CALL(eth1g, 48, 1048576, 0, scatter, linear{})
TUTTI_CALL(eth1g, 4, 1048576, 0, scatter, binomial{})
TUTTI_CALL(eth1g, 8, 1048576, 0, scatter, binomial{})
TUTTI_CALL(eth1g, 16, 16777216, 0, scatter, binomial{})
TUTTI_CALL(eth1g, 48, 16777216, 0, scatter, binomial{})

// Halves that take turns.
TUTTI_CALL(eth1g, 16, 8, 0, reduce, alternating_tree{.segments = 1})
TUTTI_CALL(eth1g, 16, 16384, 0, reduce, alternating_tree{.segments = 8})
TUTTI_CALL(eth1g, 17, 16384, 0, reduce, alternating_tree{.segments = 8})
TUTTI_CALL(eth1g, 16, 65536, 0, reduce, alternating_tree{.segments = 32})
TUTTI_CALL(eth1g, 16, 1048576, 0, reduce, alternating_tree{.segments = 256})
TUTTI_CALL(eth1g, 17, 1048576, 0, reduce, alternating_tree{.segments = 256})
TUTTI_CALL(eth1g, 16, 8, 0, all_reduce, alternating_tree{.segments = 1})
TUTTI_CALL(eth1g, 17, 1048576, 0, all_reduce, alternating_tree{.segments = 256})

// Groups that become one. On 17 ranks the last one begins to send to all others at once, or to two of each group,
// which relay.
TUTTI_CALL(eth1g, 16, 8, 0, reduce, unfolded_multiplying{.radix = 2})
TUTTI_CALL(eth1g, 16, 8, 0, reduce, unfolded_multiplying{.radix = 4})
TUTTI_CALL(eth1g, 16, 8, 0, reduce, unfolded_multiplying{.radix = 16})
TUTTI_CALL(eth1g, 16, 4096, 0, reduce, unfolded_multiplying{.radix = 4})
TUTTI_CALL(eth1g, 17, 4096, 0, reduce, unfolded_multiplying{.radix = 4})
TUTTI_CALL(eth1g, 16, 65536, 0, reduce, unfolded_multiplying{.radix = 4})
TUTTI_CALL(eth1g, 16, 4096, 0, all_reduce, unfolded_multiplying{.radix = 2})
TUTTI_CALL(eth1g, 16, 8, 0, all_reduce, unfolded_multiplying{.radix = 4})
TUTTI_CALL(eth1g, 16, 4096, 0, all_reduce, unfolded_multiplying{.radix = 4})
TUTTI_CALL(eth1g, 17, 8, 0, all_reduce, unfolded_multiplying{.radix = 2})
TUTTI_CALL(eth1g, 17, 4096, 0, all_reduce, unfolded_multiplying{.radix = 2})
TUTTI_CALL(eth1g, 17, 8, 0, all_reduce, unfolded_multiplying{.radix = 5})
