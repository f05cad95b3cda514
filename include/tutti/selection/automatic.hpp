// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include <tutti/generator/all_reduce/recursive_doubling.hpp>
#include <tutti/generator/all_reduce/ring.hpp>
#include <tutti/generator/reduce/binary_tree.hpp>
#include <tutti/generator/reduce/binomial.hpp>
#include <tutti/generator/reduce/pipeline.hpp>
#include <tutti/generator/reverse.hpp>
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
};

namespace selection {

/// Up to here the latency of a message outweighs its length.
inline constexpr std::size_t short_vector = 16 * 1024;
/// Chains beat trees once the vector has more segments than there are ranks.
[[nodiscard]] inline bool chain_pays(situation const& now) { return now.bytes / default_segment > now.size; }

/// Calls `use(generator, why)` with the algorithm of choice. `Commutes` is what is known of the operator.
template <bool Commutes, class Use>
auto choose(collective::reduce, situation const& now, Use&& use) {
    if (now.bytes <= short_vector) { return use(binomial{}, std::string_view{"short vector: fewest rounds"}); }
    if (chain_pays(now)) {
        return use(pipeline{}, std::string_view{"long vector: every rank sends it once, in segments"});
    }
    return use(binary_tree{}, std::string_view{"medium vector: few rounds, in segments"});
}

template <bool Commutes, class Use>
auto choose(collective::broadcast, situation const& now, Use&& use) {
    if (now.bytes <= short_vector) { return use(reverse(binomial{}), std::string_view{"short vector: fewest rounds"}); }
    if (chain_pays(now)) {
        return use(reverse(pipeline{}), std::string_view{"long vector: every rank sends it once, in segments"});
    }
    return use(reverse(binary_tree{}), std::string_view{"medium vector: few rounds, in segments"});
}

template <bool Commutes, class Use>
auto choose(collective::all_reduce, situation const& now, Use&& use) {
    if (now.bytes <= short_vector) {
        return use(recursive_doubling{}, std::string_view{"short vector: fewest rounds"});
    }
    if constexpr (Commutes) {
        if (now.bytes / now.size >= 1024) {
            return use(ring{}, std::string_view{"long vector, commutative operator: least volume"});
        }
    }
    if (chain_pays(now)) {
        return use(then(pipeline{}, reverse(pipeline{})), std::string_view{"long vector, operands in rank order"});
    }
    return use(then(binary_tree{}, reverse(binary_tree{})), std::string_view{"medium vector: few rounds, in segments"});
}

}  // namespace selection

}  // namespace tutti
