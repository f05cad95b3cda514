// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

namespace support {

/// x_first ⊕ ... ⊕ x_{last-1} by the definition of the canonical tree.
template <class T, class Op>
[[nodiscard]] T canonical(std::vector<T> const& x, std::size_t first, std::size_t last, Op const& op) {
    if (last - first == 1) { return x[first]; }
    auto const middle = first + std::bit_floor(last - first - 1);
    return op(canonical(x, first, middle, op), canonical(x, middle, last, op));
}

/// The same of the vectors of ranks [first, last), element by element.
template <class Vectors, class Op>
[[nodiscard]] auto canonical_of_vectors(Vectors const& all, std::size_t first, std::size_t last, Op const& op) {
    return canonical(all, first, last, [&](auto left, auto const& right) {
        for (std::size_t i = 0; i != left.size(); ++i) { left[i] = op(left[i], right[i]); }
        return left;
    });
}

}  // namespace support
