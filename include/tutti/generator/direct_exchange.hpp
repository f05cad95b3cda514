// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include <tutti/cost/price.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// Segment by segment, every rank receives its part from all others and combines it, and receives their parts once they
/// are complete.
///
/// Segment s is the blocks sp, ..., sp + p - 1, one for each rank. Rank r combines x_r with the operands of r-1, ..., 0
/// on the left and then of r+1, ..., p-1 on the right. Complete parts of a segment are exchanged while the next segment
/// is combined: where ranks read each other's memory, the parts are still in a cache.
/// At most `send_window` ranks: each sends to all others before it waits for one.
/// Cost, for equal parts: 2 k (p-1) α + 2 (p-1)/p m β + (p-1)/p m γ; where messages are lent, memory is read (3p - 2)/p
/// m and written m times. To generate: O(1) for each step.
/// Source: [hashmi18].
/// Counts of all_reduce, k segments, p <= 64: k + 1, of up to 2 (p - 1) messages | 2 m (p - 1)/p | m (p - 1)/p.
struct direct_exchange {
    std::size_t segments = 0;  ///< 0: as many as make parts of `default_part` bytes

    /// In bytes. Two such parts fit into the cache of one processor beside the operands that it reads.
    static constexpr std::size_t default_part = 256 * 1024;

    friend bool operator==(direct_exchange const&, direct_exchange const&) = default;
};

constexpr facts describe(collective::all_reduce, std::type_identity<direct_exchange>) {
    return {.name = "direct_exchange", .one_ported = false, .supports = [](std::size_t size) {
                return size <= schedules::send_window;
            }};
}

/// One block for each rank in each segment.
[[nodiscard]] constexpr std::size_t blocks_for(direct_exchange const& generator, std::size_t size, std::size_t bytes) {
    auto const segments = generator.segments != 0 ? generator.segments : bytes / size / direct_exchange::default_part;
    return size * std::max<std::size_t>(segments, 1);
}

/// The steps of one rank: combine (0), combine (1), distribute (0), combine (2), distribute (1), ...
class direct_exchange_steps {
public:
    explicit direct_exchange_steps(problem const& at)
        : rank_{at.rank}, size_{at.size}, blocks_{at.blocks.blocks()}, segments_{(blocks_ - 1) / size_ + 1} {}

    [[nodiscard]] std::size_t rounds() const { return size_ > 1 ? segments_ + 1 : 0; }
    [[nodiscard]] std::size_t count() const { return 2 * segments_ * messages(); }

    [[nodiscard]] step operator()(std::size_t i) const {
        auto const phase = i / messages();
        auto const message = i % messages();
        if (phase == 0) { return combining(0, message); }
        if (phase == 2 * segments_ - 1) { return distributing(segments_ - 1, message); }
        return phase % 2 == 1 ? combining(phase / 2 + 1, message) : distributing(phase / 2 - 1, message);
    }

private:
    [[nodiscard]] std::size_t others() const { return size_ - 1; }
    [[nodiscard]] std::size_t messages() const { return 2 * others(); }  // sent and received

    [[nodiscard]] block_list part(std::size_t segment, std::size_t owner) const {
        auto const block = segment * size_ + owner;
        return block < blocks_ ? block_list{block} : block_list{};
    }

    [[nodiscard]] step combining(std::size_t segment, std::size_t message) const {
        auto const result = buffer::result();
        if (message < others()) {
            auto const peer = (rank_ + 1 + message) % size_;
            return step::send(segment, peer, result, part(segment, peer));
        }
        auto const nth = message - others();
        bool const before = nth < rank_;
        auto const peer = before ? rank_ - 1 - nth : nth + 1;
        return step::receive_combine(segment, peer, result, part(segment, rank_), before ? side::left : side::right);
    }

    [[nodiscard]] step distributing(std::size_t segment, std::size_t message) const {
        auto const result = buffer::result();
        if (message < others()) {
            return step::send(segment + 1, (rank_ + 1 + message) % size_, result, part(segment, rank_));
        }
        auto const peer = (rank_ + size_ - 1 - (message - others())) % size_;
        return step::receive(segment + 1, peer, result, part(segment, peer));
    }

    std::size_t rank_;
    std::size_t size_;
    std::size_t blocks_;
    std::size_t segments_;
};

[[nodiscard, gnu::cold]] inline lazy_schedule generate(collective::all_reduce, direct_exchange const&,
                                                       problem const& at) {
    bool const silent = at.size == 1 || at.blocks.blocks() == 0;
    direct_exchange_steps const steps{at};
    return without_empty_blocks(at.blocks,
                                indexed_schedule(silent ? 0 : steps.rounds(), silent ? 0 : steps.count(), steps));
}

/// A rank combines its part of all vectors, and then reads the parts of the other ranks. Partial results stay in its
/// cache. Every segment but the first adds messages, and no bytes.
[[nodiscard, gnu::cold]] inline double time_of(collective::all_reduce, direct_exchange const& generator,
                                               pricing::message_costs const&, call_parameters const& now) {
    auto const combining = pricing::message_costs::combining_lent(now);
    auto const transfer_only = pricing::message_costs::transfer_only(now);
    auto const factors = now.mean_contention();
    auto const part = pricing::part_of(now);
    auto const further = blocks_for(generator, now.size, now.bytes) / now.size - 1;
    return combining.round(now.size - 1, part, factors) + transfer_only.round(now.size - 1, part, factors) +
           static_cast<double>(further) * 2 * transfer_only.round(now.size - 1, 0, factors);
}

}  // namespace tutti::generators

namespace tutti {
using generators::direct_exchange;
}  // namespace tutti
