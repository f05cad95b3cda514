// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tutti/generator.hpp>
#include <tutti/generator/reduce_scatter/circulant.hpp>
#include <tutti/generator/reduce_scatter/ordered.hpp>
#include <tutti/generator/reverse.hpp>
#include <tutti/generator/then.hpp>

namespace tutti {

/// The all_reduce that `ordered` begins: its parts are gathered by `circulant` reversed, since finished parts have no
/// order left to keep and travel whole.
///
/// Result: on every rank x_0 ⊕ ... ⊕ x_{p-1}, any size, operands in order, the same tree on every rank.
/// Cost: 2 ⌈log2 p⌉ rounds, for equal parts at most 2 ⌈log2 p⌉ α + 5/2 m β + m γ.
/// Source: Träff, An Improved Algorithm for (Non-commutative) Reduce-scatter with an Application, with other skips.
[[nodiscard]] inline auto ordered_all_reduce() { return then(ordered{}, reverse(circulant{})); }

constexpr facts describe(collective::all_reduce, std::type_identity<ordered>) {
    auto result = facts_of<collective::all_reduce, decltype(ordered_all_reduce())>;
    result.name = "ordered";
    return result;
}

[[nodiscard]] inline std::size_t blocks_for(collective::all_reduce, ordered const&, std::size_t size, std::size_t) {
    return size;
}

[[nodiscard]] inline lazy_schedule generate(collective::all_reduce which, ordered const&, problem const& at) {
    return lazy(generate(which, ordered_all_reduce(), at));
}

}  // namespace tutti
