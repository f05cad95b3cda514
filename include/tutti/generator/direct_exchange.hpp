// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include <tutti/generator.hpp>
#include <tutti/generator/pattern/without_empty_blocks.hpp>

namespace tutti {

/// Stretch by stretch, every rank combines its part straight from all others, and takes their parts from them once they
/// are complete.
///
/// Stretch s is the blocks sp, ..., sp + p - 1, one for each rank. Rank r combines x_r with what comes from r-1, ..., 0
/// on the left and then from r+1, ..., p-1 on the right. Parts of a stretch are exchanged while the next one is
/// combined: where ranks read each other's memory they are still in a cache.
/// Result: on every rank x_0 ⊕ ... ⊕ x_{p-1}, operands in order, the same tree on every rank. At most `send_window`
/// ranks: each sends to all others before it waits for one.
/// Rounds: k + 1 for k stretches, of up to 2 (p-1) messages at once. Cost, for equal parts:
/// 2 k (p-1) α + 2 (p-1)/p m β + (p-1)/p m γ; where messages are lent, memory is read (3p - 2)/p m and written m times.
/// To generate: O(1) for each step.
/// Source: Hashmi et al., Designing Efficient Shared Address Space Reduction Collectives for Multi-/Many-cores.
struct direct_exchange {
    std::size_t segments = 0;  ///< stretches; 0: parts of `default_part`

    /// Two of them fit into the cache of one processor beside what it reads.
    static constexpr std::size_t default_part = 256 * 1024;

    friend bool operator==(direct_exchange const&, direct_exchange const&) = default;
};

constexpr facts describe(collective::all_reduce, std::type_identity<direct_exchange>) {
    return {.name = "direct_exchange", .one_ported = false, .supports = [](std::size_t size) {
                return size <= send_window;
            }};
}

/// One block for each rank and stretch.
[[nodiscard]] constexpr std::size_t blocks_for(direct_exchange const& generator, std::size_t size, std::size_t bytes) {
    auto const stretches = generator.segments != 0 ? generator.segments : bytes / size / direct_exchange::default_part;
    return size * std::max<std::size_t>(stretches, 1);
}

/// The steps of one rank: combine (0), combine (1), distribute (0), combine (2), distribute (1), ...
class direct_exchange_steps {
public:
    explicit direct_exchange_steps(problem const& at)
        : rank_{at.rank}, size_{at.size}, blocks_{at.blocks.blocks()}, stretches_{(blocks_ - 1) / size_ + 1} {}

    [[nodiscard]] std::size_t rounds() const { return size_ > 1 ? stretches_ + 1 : 0; }
    [[nodiscard]] std::size_t count() const { return 2 * stretches_ * messages(); }

    [[nodiscard]] step operator()(std::size_t i) const {
        auto const phase = i / messages();
        auto const message = i % messages();
        if (phase == 0) { return combining(0, message); }
        if (phase == 2 * stretches_ - 1) { return distributing(stretches_ - 1, message); }
        return phase % 2 == 1 ? combining(phase / 2 + 1, message) : distributing(phase / 2 - 1, message);
    }

private:
    [[nodiscard]] std::size_t others() const { return size_ - 1; }
    [[nodiscard]] std::size_t messages() const { return 2 * others(); }  // sent and received

    [[nodiscard]] block_list part(std::size_t stretch, std::size_t owner) const {
        auto const block = stretch * size_ + owner;
        return block < blocks_ ? block_list{block} : block_list{};
    }

    [[nodiscard]] step combining(std::size_t stretch, std::size_t message) const {
        auto const result = buffer::result();
        if (message < others()) {
            auto const peer = (rank_ + 1 + message) % size_;
            return step::send(stretch, peer, result, part(stretch, peer));
        }
        auto const nth = message - others();
        bool const before = nth < rank_;
        auto const peer = before ? rank_ - 1 - nth : nth + 1;
        return step::receive_combine(stretch, peer, result, part(stretch, rank_), before ? side::left : side::right);
    }

    [[nodiscard]] step distributing(std::size_t stretch, std::size_t message) const {
        auto const result = buffer::result();
        if (message < others()) {
            return step::send(stretch + 1, (rank_ + 1 + message) % size_, result, part(stretch, rank_));
        }
        auto const peer = (rank_ + size_ - 1 - (message - others())) % size_;
        return step::receive(stretch + 1, peer, result, part(stretch, peer));
    }

    std::size_t rank_;
    std::size_t size_;
    std::size_t blocks_;
    std::size_t stretches_;
};

[[nodiscard, gnu::cold]] inline lazy_schedule generate(collective::all_reduce, direct_exchange const&,
                                                       problem const& at) {
    bool const silent = at.size == 1 || at.blocks.blocks() == 0;
    direct_exchange_steps const steps{at};
    return without_empty_blocks(at.blocks,
                                indexed_schedule(silent ? 0 : steps.rounds(), silent ? 0 : steps.count(), steps));
}

}  // namespace tutti
