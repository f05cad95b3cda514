// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/generator.hpp>

namespace tutti {

/// Neighbouring groups of 1, 2, 4, ... ranks merge, one doubling a round.
///
/// A group is represented by the root if the root is in it, otherwise by its first rank; of two groups that
/// merge, the representative of both receives the whole vector from the other one.
/// Result: on the root x_0 ⊕ ... ⊕ x_{p-1}, any size, any root, operands in order.
/// Cost: ⌈log2 p⌉ (α + (β+γ)m), one message per rank but the root.
struct binomial {
    friend bool operator==(binomial const&, binomial const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<binomial>) { return {.name = "binomial"}; }

[[nodiscard]] inline lazy_schedule generate(collective::reduce, binomial const&, problem const& at) {
    block_list const whole{block_range{0, at.blocks.blocks()}};
    auto const representative = [&](std::size_t first, std::size_t last) {
        return first <= at.root && at.root < last ? at.root : first;
    };
    dynamic_array<step> steps;
    std::size_t round = 0;
    bool merged = at.blocks.elements() == 0;
    for (std::size_t width = 1; width < at.size; width *= 2, ++round) {
        auto const first = at.rank / (2 * width) * (2 * width);
        auto const middle = first + width;
        auto const last = middle + width;
        if (merged || middle >= at.size) { continue; }
        auto const lower = representative(first, middle);
        auto const upper = representative(middle, last);
        auto const peer = at.rank == lower ? upper : lower;
        if (at.rank == representative(first, last)) {
            steps.push_back(step::receive_combine(round, peer, buffer::result(), whole,
                                                  peer < at.rank ? side::left : side::right));
        } else {
            steps.push_back(step::send(round, peer, buffer::result(), whole));
            merged = true;
        }
    }
    return stored_schedule(round, std::move(steps));
}

}  // namespace tutti
