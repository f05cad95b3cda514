// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <vector>

namespace support {

/// x -> scale x + shift, modulo 2^32. An odd scale loses nothing, so that every operand shows in a composition.
struct affine_map {
    std::uint32_t scale = 1;
    std::uint32_t shift = 0;

    friend bool operator==(affine_map const&, affine_map const&) = default;
    friend std::ostream& operator<<(std::ostream& out, affine_map const& f) {
        return out << f.scale << " x + " << f.shift;
    }
};

/// f ⊕ g = f(g(x)): associative, and does not commute.
struct composition {
    affine_map operator()(affine_map const& f, affine_map const& g) const {
        return {f.scale * g.scale, f.scale * g.shift + f.shift};
    }
};

/// What rank `rank` contributes; no two of them commute.
[[nodiscard]] inline std::vector<affine_map> maps_of(int rank, std::size_t count) {
    std::vector<affine_map> all(count);
    for (std::size_t i = 0; i != count; ++i) {
        auto const number = static_cast<std::uint32_t>(rank) * 1009 + static_cast<std::uint32_t>(i);
        all[i] = {2 * number + 3, number * number + 1};
    }
    return all;
}

/// x_first ⊕ ... ⊕ x_{last-1} of the ranks' maps, one after the other; there is at least one.
[[nodiscard]] inline std::vector<affine_map> composed(int first, int last, std::size_t count) {
    auto result = maps_of(first, count);
    for (int rank = first + 1; rank < last; ++rank) {
        auto const next = maps_of(rank, count);
        for (std::size_t i = 0; i != count; ++i) { result[i] = composition{}(result[i], next[i]); }
    }
    return result;
}

}  // namespace support
