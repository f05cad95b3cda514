// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <bit>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/generator/named.hpp>
#include <tutti/problem.hpp>

/// Small algorithms that combinators are tried on.
namespace parts {

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::schedules;

[[nodiscard]] inline block_list owned(std::size_t rank, problem const& at) {
    return ownership::blocks_of(rank, at.size, at.blocks.blocks());
}

/// Reduce-scatter round a ring, in the order of ranks after the owner: commutative operators only.
struct bucket {
    friend bool operator==(bucket const&, bucket const&) = default;
};

constexpr facts describe(collective::reduce_scatter, std::type_identity<bucket>) {
    return {.name = "bucket", .requires_commutative = true};
}

[[nodiscard]] inline auto generate(collective::reduce_scatter, bucket const&, problem const& at) {
    std::vector<step> steps;
    for (std::size_t round = 0; round + 1 < at.size; ++round) {
        auto const sent = (at.rank + 2 * at.size - 1 - round) % at.size;
        auto const received = (sent + at.size - 1) % at.size;
        steps.push_back(step::send(round, (at.rank + 1) % at.size, buffer::result(), owned(sent, at)));
        steps.push_back(step::receive_combine(round, (at.rank + at.size - 1) % at.size, buffer::result(),
                                              owned(received, at), side::left));
    }
    return without_empty_blocks(at.blocks, stored_schedule(at.size - 1, std::move(steps)));
}

/// Every rank sends its own blocks straight to the root.
struct direct_gather {
    friend bool operator==(direct_gather const&, direct_gather const&) = default;
};

constexpr facts describe(collective::gather, std::type_identity<direct_gather>) { return {.name = "direct_gather"}; }

[[nodiscard]] inline auto generate(collective::gather, direct_gather const&, problem const& at) {
    std::vector<step> steps;
    for (std::size_t turn = 1; turn < at.size; ++turn) {
        auto const sender = (at.root + turn) % at.size;
        if (at.rank == at.root) {
            steps.push_back(step::receive(turn - 1, sender, buffer::result(), owned(sender, at)));
        } else if (at.rank == sender) {
            steps.push_back(step::send(turn - 1, at.root, buffer::result(), owned(sender, at)));
        }
    }
    return without_empty_blocks(at.blocks, stored_schedule(at.size - 1, std::move(steps)));
}

/// A reduce to rank 0 that uses the input and scratch: what was received waits for its combine.
struct through_scratch {
    friend bool operator==(through_scratch const&, through_scratch const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<through_scratch>) {
    return {.name = "through_scratch", .supports = [](std::size_t size) { return size != 4; }};
}

[[nodiscard]] inline auto generate(collective::reduce, through_scratch const&, problem const& at) {
    block_list const whole{block_range{0, at.blocks.blocks()}};
    std::vector<step> steps;
    for (std::size_t sender = 1; sender < at.size; ++sender) {
        if (at.rank == 0) {
            auto const arrived = buffer::scratch(static_cast<std::uint32_t>(sender % 2));
            steps.push_back(step::receive(sender - 1, sender, arrived, whole));
            steps.push_back(step::combine(sender - 1, arrived, buffer::result(), whole, side::right));
        } else if (at.rank == sender) {
            steps.push_back(step::send(sender - 1, 0, buffer::input(), whole));
        }
    }
    return without_empty_blocks(at.blocks, stored_schedule(at.size - 1, std::move(steps)));
}

/// An all_reduce of 2^k ranks that exchange whole vectors.
struct hypercube {
    friend bool operator==(hypercube const&, hypercube const&) = default;
};

constexpr facts describe(collective::all_reduce, std::type_identity<hypercube>) {
    return {.name = "hypercube", .supports = [](std::size_t size) { return std::has_single_bit(size); }};
}

[[nodiscard]] inline auto generate(collective::all_reduce, hypercube const&, problem const& at) {
    block_list const whole{block_range{0, at.blocks.blocks()}};
    std::vector<step> steps;
    std::size_t round = 0;
    for (std::size_t distance = 1; distance < at.size; distance *= 2, ++round) {
        auto const peer = at.rank ^ distance;
        steps.push_back(step::send(round, peer, buffer::result(), whole));
        steps.push_back(step::receive_combine(round, peer, buffer::result(), whole,
                                              peer < at.rank ? side::left : side::right));
    }
    return without_empty_blocks(at.blocks, stored_schedule(round, std::move(steps)));
}

/// A scan, for the sake of its type: what it does is of no interest.
struct some_scan {
    friend bool operator==(some_scan const&, some_scan const&) = default;
};

constexpr facts describe(collective::inclusive_scan, std::type_identity<some_scan>) { return {.name = "some_scan"}; }

[[nodiscard]] inline auto generate(collective::inclusive_scan, some_scan const&, problem const&) {
    return stored_schedule(0, {});
}

}  // namespace parts
