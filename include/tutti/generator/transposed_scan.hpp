// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <tutti/collective.hpp>
#include <tutti/cost/price.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// Ranks transpose: each gets its part of all vectors, scans it alone, and sends every rank its prefixes.
///
/// Each prefix is the canonical tree over its operands. Alone, a rank combines by Sklansky's scheme, in which left
/// halves of 1, 2, 4, ... operands are put before all prefixes of their right halves.
/// Rounds have one message each way, for scan_reduce two in the second half.
/// Cost: memory for a further vector. To generate: O(p log p).
/// Bound: with canonical prefixes, ranks receive at least (2 (p - 1) - log2 p) m in all if p is a power of two, a chain
/// p - 1. For p - 1 ranks get a product that contains the operand of rank 0; and the prefix of rank 2^(k+1) - 1
/// contains the tree over ranks 2^k to 2^(k+1) - 1, whose operands need 2^k - 1 messages without that one to meet.
/// Where it keeps rounds, a rank sends a long message only when it has what earlier rounds bring: in a network whose
/// routes are all alike no two messages meet then. Elsewhere it waits for what comes by slow routes.
/// Source: [sklansky60]. Counts of scans: 2 (p - 1) | 2 m (p - 1)/p | at most m L/2.
/// Counts of scan_reduce: 2 (p - 1) | 3 m (p - 1)/p | at most m L/2.
struct transposed_scan {
    bool keeps_rounds = false;
    friend bool operator==(transposed_scan const&, transposed_scan const&) = default;
};

template <collective::scan_collective Scan>
constexpr facts describe(Scan, std::type_identity<transposed_scan>) {
    return {.name = "transposed_scan", .one_ported = !std::is_same_v<Scan, collective::scan_reduce>};
}

template <collective::scan_collective Scan>
[[nodiscard]] facts const& facts_about(Scan, transposed_scan const& generator) {
    static constexpr auto free = describe(Scan{}, std::type_identity<transposed_scan>{});
    static constexpr auto keeps_rounds = [] {
        auto result = describe(Scan{}, std::type_identity<transposed_scan>{});
        result.keeps_round_order = true;
        return result;
    }();
    return generator.keeps_rounds ? keeps_rounds : free;
}

/// One block for each rank.
[[nodiscard]] constexpr std::size_t blocks_for(transposed_scan const&, std::size_t size, std::size_t /*bytes*/) {
    return size;
}

template <collective::scan_collective Scan>
[[nodiscard]] lazy_schedule generate(Scan, transposed_scan const&, problem const& at) {
    constexpr bool with_prefix = collective::traits<Scan>.prefix;
    constexpr bool with_total = std::is_same_v<Scan, collective::scan_reduce>;
    auto const size = at.size;
    auto const result = buffer::result();
    auto const of_rank = [](std::size_t rank) { return buffer::scratch(static_cast<std::uint32_t>(rank)); };
    auto const part = [&](std::size_t rank) {
        return block_list{ownership::blocks_of(rank, size, at.blocks.blocks())};
    };
    auto const own = part(at.rank);
    auto const rounds = 2 * (size - 1);
    dynamic_array<step> steps;
    if (size == 1) { return stored_schedule(0, std::move(steps)); }

    steps.push_back(step::copy(0, result, of_rank(at.rank), own));
    for (std::size_t shift = 1; shift != size; ++shift) {
        auto const to = (at.rank + shift) % size;
        auto const from = (at.rank + size - shift) % size;
        steps.push_back(step::send(shift - 1, to, result, part(to)));
        steps.push_back(step::receive(shift - 1, from, of_rank(from), own));
    }
    auto const last = size - 2;  // the round in which the last operand comes
    for (std::size_t half = 1; half < size; half *= 2) {
        for (auto middle = half; middle < size; middle += 2 * half) {
            for (auto rank = middle; rank != std::min(middle + half, size); ++rank) {
                steps.push_back(step::combine(last, of_rank(middle - 1), of_rank(rank), own, side::left));
            }
        }
    }
    auto const into = with_prefix ? buffer::prefix() : result;
    auto const prefix_of = [&](std::size_t rank) { return of_rank(with_prefix ? rank - 1 : rank); };
    bool const has_prefix = !with_prefix || at.rank != 0;
    if (has_prefix) { steps.push_back(step::copy(last, prefix_of(at.rank), into, own)); }
    if (with_total) { steps.push_back(step::copy(last, of_rank(size - 1), result, own)); }
    for (std::size_t shift = 1; shift != size; ++shift) {
        auto const round = size - 2 + shift;
        auto const to = (at.rank + shift) % size;
        auto const from = (at.rank + size - shift) % size;
        if (!with_prefix || to != 0) { steps.push_back(step::send(round, to, prefix_of(to), own)); }
        if (with_total) { steps.push_back(step::send(round, to, of_rank(size - 1), own)); }
        if (has_prefix) { steps.push_back(step::receive(round, from, into, part(from))); }
        if (with_total) { steps.push_back(step::receive(round, from, result, part(from))); }
    }
    return without_empty_blocks(at.blocks, stored_schedule(rounds, std::move(steps)));
}

/// Every rank sends its parts to all others, one after the other; they store them, and send prefixes back.
template <collective::scan_collective Scan>
[[nodiscard]] double time_of(Scan, transposed_scan const&, pricing::message_costs const& costs,
                             call_parameters const& now) {
    auto const part = static_cast<double>(now.bytes) / static_cast<double>(now.size);
    auto const links = now.mean_contention();
    auto const transfer_only = costs.without_combines();
    constexpr double messages = std::same_as<Scan, collective::scan_reduce> ? 3 : 2;
    return 2 * transfer_only.one_way(part, links) +
           (messages * static_cast<double>(now.size - 1) - 2) * transfer_only.stage(part, 1, links) +
           costs.combine(pricing::log2_of(now.size) / 2 * static_cast<double>(now.bytes));
}

}  // namespace tutti::generators

namespace tutti {
using generators::transposed_scan;
}  // namespace tutti
