// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include <tutti/generator/all_reduce/recursive_doubling.hpp>
#include <tutti/generator/all_reduce/ring.hpp>
#include <tutti/generator/all_reduce/split.hpp>
#include <tutti/generator/reduce/binomial.hpp>
#include <tutti/generator/reduce/butterfly.hpp>
#include <tutti/generator/reduce/pipeline.hpp>
#include <tutti/generator/reduce/round_optimal.hpp>
#include <tutti/generator/reduce/two_tree.hpp>
#include <tutti/generator/reduce_scatter/circulant.hpp>
#include <tutti/generator/reduce_scatter/round_optimal.hpp>
#include <tutti/generator/reduce_scatter/split.hpp>
#include <tutti/generator/reverse.hpp>
#include <tutti/generator/scan/direct.hpp>
#include <tutti/generator/scan/doubling.hpp>
#include <tutti/generator/scan/linear.hpp>
#include <tutti/generator/scan/split.hpp>
#include <tutti/generator/scan/two_tree.hpp>
#include <tutti/generator/scatter/binomial.hpp>
#include <tutti/generator/scatter/linear.hpp>
#include <tutti/generator/then.hpp>
#include <tutti/problem.hpp>

namespace tutti {

/// Lets tutti choose the algorithm, by operator, ranks and size of the vector: the same choice on all ranks.
struct automatic {
    friend bool operator==(automatic const&, automatic const&) = default;
};

/// What the choice depends on.
struct situation {
    std::size_t size = 1;   ///< ranks
    std::size_t bytes = 0;  ///< of the vector; 0 where elements are serialised and their size is unknown
    std::size_t longest_part = 0;  ///< bytes, where every rank has a part; 0: all are of one size
};

namespace selection {

/// Up to here nothing is gained by sending less than all.
inline constexpr std::size_t tiny_vector = 4 * 1024;
/// Up to here the latency of a message outweighs its length.
inline constexpr std::size_t short_vector = 16 * 1024;
/// Up to here a vector has too few segments to fill a pipeline.
inline constexpr std::size_t medium_vector = 8 * default_segment;
/// A rank that sends all parts sends such ones as fast as a tree does, and no part travels twice.
inline constexpr std::size_t long_part = 4 * 1024;
/// Chains beat trees once the vector has so many segments that the length of the chain does not matter.
[[nodiscard]] inline bool chain_pays(situation const& now) { return now.bytes / default_segment >= 4 * now.size; }

/// Once parts are long messages, the many rounds of a ring cost little; in fewer rounds such messages get in each
/// other's way.
[[nodiscard]] inline bool ring_pays(situation const& now) { return now.bytes / now.size >= 64 * 1024; }

/// A part much longer than the others would travel whole in every round; cut into segments it goes from rank to rank.
[[nodiscard]] inline bool is_skewed(situation const& now) {
    return now.longest_part > default_segment && now.longest_part > 2 * (now.bytes / now.size);
}

inline constexpr std::string_view why_short = "short vector: fewest rounds";
inline constexpr std::string_view why_parts = "fewest rounds, and every part travels as little as it can";
inline constexpr std::string_view why_long_parts = "long parts: straight to where they belong";
inline constexpr std::string_view why_longest_parts = "long vector, commutative operator: least volume";
inline constexpr std::string_view why_skewed = "one long part among short ones: in segments, from rank to rank";
inline constexpr std::string_view why_medium = "medium vector: every rank combines and sends its part";
inline constexpr std::string_view why_long = "long vector: few rounds, in segments";
inline constexpr std::string_view why_longest = "longest vector: every rank sends it once, in segments";

/// `circulant` there and back.
[[nodiscard]] inline auto circulant_all_reduce() { return then(circulant{}, reverse(circulant{})); }

/// Calls `use(generator, why)` with the algorithm of choice. `Commutes` is what is known of the operator.
template <bool Commutes, class Use>
auto choose(collective::reduce, situation const& now, Use&& use) {
    if (now.bytes <= short_vector) { return use(binomial{}, why_short); }
    if (now.bytes <= medium_vector) { return use(butterfly{}, why_medium); }
    if (chain_pays(now)) { return use(pipeline{}, why_longest); }
    if constexpr (Commutes) {
        return use(round_optimal{}, why_long);
    } else {
        return use(two_tree{}, why_long);
    }
}

template <bool Commutes, class Use>
auto choose(collective::broadcast, situation const& now, Use&& use) {
    if (now.bytes <= short_vector) { return use(reverse(binomial{}), why_short); }
    if (now.bytes <= 2 * default_segment) { return use(reverse(butterfly{}), why_medium); }
    if (chain_pays(now)) { return use(reverse(pipeline{}), why_longest); }
    return use(round_optimal{}, why_long);
}

/// Short vectors travel whole, others are shared out; `split` sees to both.
template <bool Commutes, class Use>
auto choose(collective::all_reduce, situation const& now, Use&& use) {
    if (now.bytes <= tiny_vector) { return use(recursive_doubling{}, why_short); }
    if constexpr (Commutes) {
        if (ring_pays(now)) { return use(ring{}, why_longest_parts); }
        if (now.bytes > 4 * short_vector) { return use(circulant_all_reduce(), why_parts); }
    } else if (now.size <= 4 && chain_pays(now)) {
        // combines while it receives; on more ranks the chain takes too long there and back
        return use(then(pipeline{}, reverse(pipeline{})), why_longest);
    }
    return use(split{}, why_medium);
}

/// `fewest_rounds` for the shortest vectors, the chain if it `pays`. All scans keep rank order.
template <class Scan, class Use>
auto choose_scan(situation const& now, Scan const& fewest_rounds, bool chain_pays, Use&& use) {
    if (now.bytes <= tiny_vector) { return use(fewest_rounds, why_short); }
    if (now.bytes > 2 * default_segment && chain_pays) { return use(linear{}, why_longest); }
    if (now.bytes <= 2 * medium_vector) { return use(split{}, why_medium); }
    return use(two_tree{}, why_long);
}

// A chain of p ranks takes p + q - 2 rounds for q segments, two trees take 2q and more.
template <bool Commutes, class Use>
auto choose(collective::exclusive_scan, situation const& now, Use&& use) {
    return choose_scan(now, doubling{}, now.bytes / default_segment >= now.size / 2, std::forward<Use>(use));
}

template <bool Commutes, class Use>
auto choose(collective::inclusive_scan, situation const& now, Use&& use) {
    return choose<Commutes>(collective::exclusive_scan{}, now, std::forward<Use>(use));
}

/// Totals of `direct` are the same to the last bit on all ranks, those of `doubling` are not. A chain takes 2p + 2q - 5
/// rounds, two trees take 3q and more.
template <bool Commutes, class Use>
auto choose(collective::scan_reduce, situation const& now, Use&& use) {
    return choose_scan(now, direct{}, now.bytes / default_segment >= now.size, std::forward<Use>(use));
}

template <bool Commutes, class Use>
auto choose(collective::reduce_scatter, situation const& now, Use&& use) {
    if constexpr (Commutes) {
        if (is_skewed(now)) { return use(round_optimal{}, why_skewed); }
        return use(circulant{}, why_parts);
    } else {
        return use(split{}, why_parts);
    }
}

template <bool Commutes, class Use>
auto choose(collective::all_gather, situation const& now, Use&& use) {
    if (is_skewed(now)) { return use(reverse(round_optimal{}), why_skewed); }
    return use(reverse(circulant{}), why_parts);
}

template <bool Commutes, class Use>
auto choose(collective::scatter, situation const& now, Use&& use) {
    if (now.bytes / now.size >= long_part) { return use(linear{}, why_long_parts); }
    return use(binomial{}, why_short);
}

template <bool Commutes, class Use>
auto choose(collective::gather, situation const& now, Use&& use) {
    if (now.bytes / now.size >= long_part) { return use(reverse(linear{}), why_long_parts); }
    return use(reverse(binomial{}), why_short);
}

}  // namespace selection

}  // namespace tutti
