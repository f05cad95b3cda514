// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>

#include <tutti/analysis/cost_model.hpp>
#include <tutti/partition.hpp>
#include <tutti/problem.hpp>

namespace tutti::analysis {

/// What bounds need to know of a cut: its blocks that are not empty.
struct cut_summary {
    std::size_t blocks = 0;
    std::size_t elements = 0;
    std::size_t shortest = 0;
    std::size_t longest = 0;

    void add(std::size_t block) {
        if (block == 0) { return; }
        shortest = blocks == 0 ? block : std::min(shortest, block);
        longest = std::max(longest, block);
        elements += block;
        ++blocks;
    }

    [[nodiscard]] static cut_summary of(partition const& cut) {
        cut_summary result;
        for (std::size_t block = 0; block < cut.blocks(); ++block) { result.add(cut.size(block)); }
        return result;
    }
    /// Of partition::by_segment, without looking at every block.
    [[nodiscard]] static cut_summary by_segment(std::size_t elements, std::size_t segment) {
        auto const last = elements % segment;
        auto const longest = std::min(elements, segment);
        return {elements / segment + (last != 0 ? 1 : 0), elements, last != 0 ? last : longest, longest};
    }
};

/// Times that no schedule stays below, each for one reason. In a schedule messages hold whole blocks.
namespace bounds {

/// ⌈log2 p⌉.
[[nodiscard]] constexpr double doublings(std::size_t size) { return static_cast<double>(std::bit_width(size - 1)); }

/// Every block in one message.
[[nodiscard]] inline double transfer_all(cut_summary const& cut, cost_model const& costs) {
    return costs.transfer(cut.elements, cut.blocks);
}
[[nodiscard]] inline double combine_all(cut_summary const& cut, cost_model const& costs) {
    return costs.combine(cut.elements, cut.blocks);
}

/// Until some rank has combined the longest block of `size` ranks: one transfer and one combine at most double the
/// operands that are in one place. Overlapped, the shorter of both can hide behind the longer one, but for once.
[[nodiscard]] inline double doubling(std::size_t size, cut_summary const& cut, cost_model const& costs) {
    auto const transfer = costs.transfer(cut.longest);
    auto const combine = costs.combine(cut.longest);
    if (costs.model != ports::overlapped) { return doublings(size) * (transfer + combine); }
    return transfer + (doublings(size) - 1) * std::max(transfer, combine) + combine;
}

/// Until the root has every block. When the last message of the block that is through first starts for the root, the
/// two ranks have all its operands: all doublings but one are over. Then the root receives every block.
[[nodiscard]] inline double last_messages(std::size_t size, cut_summary const& cut, cost_model const& costs) {
    auto const combine = costs.model == ports::overlapped ? 0.0 : costs.combine(cut.shortest);
    return (doublings(size) - 1) * (costs.transfer(cut.shortest) + combine) + transfer_all(cut, costs);
}

/// What a collective does in all: it sends every block `transfers` times, in at least as many messages, and combines
/// every block `combines` times. `one_end`: it is for one rank, or from one.
struct work {
    double transfers;
    double combines;
    bool one_end = false;

    /// Shared by all ports, and by all ranks. In the last k+1 transfers before the end of a reduction no more than 2^k
    /// pairs of ranks have anything to do for its root, nor in the first ones of a broadcast.
    [[nodiscard]] double time(std::size_t size, cut_summary const& cut, cost_model const& costs) const {
        auto const ranks = static_cast<double>(size);
        auto const pairs = static_cast<double>(size / 2);
        auto idle_ranks = 0.0;
        auto idle_pairs = 0.0;
        for (auto busy = 1.0; one_end && 2 * busy < ranks; busy *= 2) {
            idle_ranks += (ranks - 2 * busy) * costs.transfer(cut.shortest);
            idle_pairs += std::max(0.0, pairs - busy) * costs.transfer(cut.shortest);
        }
        auto const sending = transfers * transfer_all(cut, costs);
        auto const combining = combines * combine_all(cut, costs);
        if (costs.model == ports::bidirectional) { return (sending + combining + idle_ranks) / ranks; }
        auto const ports_busy = (sending + idle_pairs) / pairs;   // an odd rank is left over
        if (costs.model == ports::overlapped) { return std::max(ports_busy, (combining + idle_ranks) / ranks); }
        return std::max(ports_busy, (2 * sending + combining + idle_ranks) / ranks);
    }
};

[[nodiscard]] inline cost_model without_combines(cost_model costs) {
    costs.per_block_combined = costs.per_element_combined = 0;
    return costs;
}

/// The blocks that `rank` does not own.
template <class Collective>
[[nodiscard]] cut_summary of_others(std::size_t rank, std::size_t size, partition const& cut) {
    auto const own = ownership::blocks_of(rank, size, cut.blocks());
    cut_summary result;
    for (std::size_t block = 0; block < cut.blocks(); ++block) {
        if (block < own.first || own.last <= block) { result.add(cut.size(block)); }
    }
    return result;
}

}  // namespace bounds

/// The time that no algorithm for a collective stays below, whatever it sends in one message: the greatest of the
/// bounds above. Where ranks own parts of the vector, see the other overload.
/// Requires at least one rank. Cost: O(1).
template <class Collective>
    requires(!collective::divides<Collective>)
[[nodiscard]] double lower_bound(Collective, std::size_t size, cut_summary const& cut, cost_model const& costs) {
    if (size == 1 || cut.blocks == 0) { return 0; }
    auto const others = static_cast<double>(size - 1);
    auto const any = [&](bounds::work const& all, cost_model const& what) {
        return std::max({bounds::doubling(size, cut, what), bounds::last_messages(size, cut, what),
                         all.time(size, cut, what)});
    };
    if constexpr (std::same_as<Collective, collective::reduce>) {
        return any({others, others, true}, costs);
    } else if constexpr (std::same_as<Collective, collective::broadcast>) {
        return any({others, 0, true}, bounds::without_combines(costs));   // a reduction backwards
    } else if constexpr (std::same_as<Collective, collective::exclusive_scan>) {
        // the last rank hears of all others, whose p-1 operands are combined
        auto const hears = any({others, 0}, bounds::without_combines(costs));
        return size == 2 ? hears : std::max(hears, bounds::doubling(size - 1, cut, costs));
    } else if constexpr (std::same_as<Collective, collective::all_reduce> ||
                         std::same_as<Collective, collective::scan_reduce>) {
        // p-1 transfers until one rank has a block, and p-1 more to the others
        return any({2 * others, others}, costs);
    } else {
        return any({others, others}, costs);
    }
}

/// The same for a cut, of any collective. Cost: O(q), O(pq) where ranks own parts of the vector.
template <class Collective>
[[nodiscard]] double lower_bound(Collective which, std::size_t size, partition const& cut, cost_model const& costs) {
    auto const whole = cut_summary::of(cut);
    if constexpr (!collective::divides<Collective>) {
        return analysis::lower_bound(which, size, whole, costs);
    } else {
        if (size == 1 || whole.blocks == 0) { return 0; }
        auto least = bounds::transfer_all(whole, costs);
        auto most = 0.0;
        for (std::size_t rank = 0; rank < size; ++rank) {
            auto const others = bounds::of_others<Collective>(rank, size, cut);
            auto const time = others.blocks == 0 ? 0 : bounds::transfer_all(others, costs);
            least = std::min(least, time);
            most = std::max(most, time);
        }
        // the root receives (sends) what is not its own; it can be any rank
        if constexpr (collective::is_rooted<Collective>) { return least; }
        constexpr bool combines = collective::combines<Collective>;
        auto const others = static_cast<double>(size - 1);
        auto const what = combines ? costs : bounds::without_combines(costs);
        bounds::work const all{others, combines ? others : 0};
        return std::max({most, bounds::doubling(size, whole, what), all.time(size, whole, what)});
    }
}

/// The time that no reduction stays below in which the root sends nothing, as in every tree: the root also combines
/// every block, bidirectional (L-1) a + Σ a_j with a_j = d_j + c_j and L = ⌈log2 p⌉, so (L+q-1) a for messages of one
/// block each. bi_greedy and round_optimal attain it. Requires at least one rank.
[[nodiscard]] inline double tree_lower_bound(std::size_t size, cut_summary const& cut, cost_model const& costs) {
    auto const any = lower_bound(collective::reduce{}, size, cut, costs);
    if (any == 0 || costs.model == ports::overlapped) { return any; }
    return std::max(any, bounds::last_messages(size, cut, costs) + bounds::combine_all(cut, costs));
}

}  // namespace tutti::analysis
