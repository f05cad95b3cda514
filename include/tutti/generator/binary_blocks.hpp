// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <tutti/combinator/reverse.hpp>
#include <tutti/cost/price.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/hypercube.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// p ranks as groups of consecutive ranks, one of 2^k for every binary digit k of p that is 1, the largest first.
/// `level` is k.
struct digit_groups {
    std::size_t size;

    [[nodiscard]] constexpr std::size_t top() const { return schedules::bit_width(size) - 1; }
    [[nodiscard]] constexpr bool one() const { return std::has_single_bit(size); }
    [[nodiscard]] constexpr bool has(std::size_t level) const { return (size >> level & 1) != 0; }

    [[nodiscard]] constexpr std::size_t first(std::size_t level) const { return size >> (level + 1) << (level + 1); }
    /// A rank agrees with p in the digits above the one of its group, and has 0 in that digit.
    [[nodiscard]] constexpr std::size_t level_of(std::size_t rank) const {
        return schedules::bit_width(rank ^ size) - 1;
    }

    /// Whether there is a smaller group, and its level.
    [[nodiscard]] constexpr bool has_smaller(std::size_t level) const { return lower_digits(level) != 0; }
    [[nodiscard]] constexpr std::size_t smaller(std::size_t level) const {
        return schedules::bit_width(lower_digits(level)) - 1;
    }
    /// The next larger one; the group must not be the largest.
    [[nodiscard]] constexpr std::size_t larger(std::size_t level) const {
        do { ++level; } while (!has(level));
        return level;
    }

private:
    [[nodiscard]] constexpr std::size_t lower_digits(std::size_t level) const {
        return size & ((std::size_t{1} << level) - 1);
    }
};

/// Each group of ranks halves the vector over distances 1, 2, 4, ...; there is one group for each binary digit 1 of p.
/// A smaller group sends its product in parts to the next larger one, up to the largest, which has the total.
///
/// Halvings begin with the first digits of a rank's number in its group, so that a rank's part consists of the parts of
/// some ranks of the next larger group. While that group goes on halving, the smaller one sends them.
/// Result: the canonical tree over all ranks in every element, any size, any root. For all_reduce the way back is the
/// same, backwards; for reduce the parts go to the group of the root, which gathers them; for reduce_scatter, to their
/// owners.
/// Rounds of reduce, P = 2^⌊log2 p⌋: log2 P, one more unless p = P; log2 of the size of the root's group, and one more
/// unless it is the largest. To generate: O(p).
/// Source: [rabenseifner04a]. Counts of reduce: at most 2 log2 P, one more unless p = P | at most 3 m/2 | at most m.
/// Counts of all_reduce: 2 log2 P, two more unless p = P | at most 2 m | at most m.
/// Counts of reduce_scatter: log2 P + 1, one more unless p = P | at most 7/5 m | at most 7/5 m.
struct binary_blocks {
    friend bool operator==(binary_blocks const&, binary_blocks const&) = default;
};

template <class Collective>
concept blocked_reduction =
    std::same_as<Collective, collective::reduce> || std::same_as<Collective, collective::all_reduce> ||
    std::same_as<Collective, collective::reduce_scatter>;

template <blocked_reduction Collective>
constexpr facts describe(Collective, std::type_identity<binary_blocks>) {
    return {.name = "binary_blocks", .one_ported = false, .keeps_round_order = true};
}

/// One block for each rank of the largest group, or for each rank that owns a part.
[[nodiscard]] constexpr std::size_t blocks_for(binary_blocks const&, std::size_t size, std::size_t /*bytes*/) {
    return std::bit_floor(size);
}

/// The steps of one rank in binary_blocks until the largest group has the total in parts.
struct rank_groups {
    digit_groups groups;
    std::size_t rank;
    std::size_t root;   ///< has the first part of its group
    std::size_t level;  ///< of the rank's group
    halving part;       ///< of the rank, in its group

    explicit rank_groups(problem const& at)
        : groups{at.size},
          rank{at.rank},
          root{at.root},
          level{groups.level_of(at.rank)},
          part{(rank - groups.first(level)) ^ first_place(level), at.blocks.blocks()} {}

    [[nodiscard]] std::size_t rounds() const { return groups.top() + (groups.one() ? 0 : 1); }

    /// Which rank of its group the root is; 0 in others. Places count from it, by exclusive or.
    [[nodiscard]] std::size_t first_place(std::size_t of_level) const {
        return groups.level_of(root) == of_level ? root - groups.first(of_level) : 0;
    }
    /// The rank that has the part of `place` in the group of `of_level`.
    [[nodiscard]] std::size_t rank_at(std::size_t of_level, std::size_t place) const {
        return groups.first(of_level) + (place ^ first_place(of_level));
    }

    [[nodiscard]] block_range part_at(std::size_t of_level, std::size_t place) const {
        return halving{place, part.blocks}.kept(of_level);
    }
    /// The rank of the largest group that has the total of a block.
    [[nodiscard]] std::size_t place_with(std::size_t block) const {
        return hypercube_intervals{part.blocks, groups.top()}.leaf_with(block);
    }

    [[nodiscard]] std::size_t partner(std::size_t round) const {
        return rank_at(level, halving::partner(part.group, round));
    }

    [[nodiscard]] dynamic_array<step> steps() const {
        auto const result = buffer::result();
        dynamic_array<step> all;
        for (std::size_t round = 0; round != level; ++round) {
            auto const peer = partner(round);
            all.push_back(step::send(round, peer, result, part.given(round)));
            all.push_back(step::receive_combine(round, peer, result, part.kept(round + 1),
                                                peer < rank ? side::left : side::right));
        }
        if (groups.has_smaller(level)) {
            auto const from = groups.smaller(level);
            auto const place = part.group & ((std::size_t{1} << from) - 1);
            all.push_back(step::receive_combine(level, rank_at(from, place), result, part.kept(level), side::right));
        }
        if (level != groups.top()) {
            auto const to = groups.larger(level);
            for (auto place = part.group; place < std::size_t{1} << to; place += std::size_t{1} << level) {
                all.push_back(step::send(to, rank_at(to, place), result, part_at(to, place)));
            }
        }
        return all;
    }
};

[[nodiscard]] inline lazy_schedule generate(collective::all_reduce, binary_blocks const&, problem const& at) {
    rank_groups const mine{problem{at.rank, at.size, 0, at.blocks}};
    auto all = mine.steps();
    for (auto i = all.size(); i-- > 0;) {
        auto back = opposite_step(all[i]);
        back.round = 2 * mine.rounds() - 1 - back.round;
        all.push_back(std::move(back));
    }
    return without_empty_blocks(at.blocks, stored_schedule(2 * mine.rounds(), std::move(all)));
}

[[nodiscard]] inline lazy_schedule generate(collective::reduce, binary_blocks const&, problem const& at) {
    rank_groups const mine{at};
    auto const result = buffer::result();
    auto const top = mine.groups.top();
    auto const of_root = mine.groups.level_of(at.root);
    auto all = mine.steps();
    auto round = mine.rounds();
    if (of_root != top) {
        auto const width = std::size_t{1} << of_root;
        if (mine.level == top) {
            auto const place = mine.part.group % width;
            all.push_back(step::send(round, mine.rank_at(of_root, place), result, mine.part.kept(top)));
        } else if (mine.level == of_root) {
            for (auto place = mine.part.group; place < std::size_t{1} << top; place += width) {
                all.push_back(step::receive(round, mine.rank_at(top, place), result, mine.part_at(top, place)));
            }
        }
        ++round;
    }
    auto const rounds = round + of_root;
    if (mine.level == of_root) {
        for (auto level = of_root; level-- > 0; ++round) {
            if (mine.part.group >> level != 0) {
                all.push_back(step::send(round, mine.partner(level), result, mine.part.kept(level + 1)));
                break;
            }
            all.push_back(step::receive(round, mine.partner(level), result, mine.part.given(level)));
        }
    }
    return without_empty_blocks(at.blocks, stored_schedule(rounds, std::move(all)));
}

[[nodiscard]] inline lazy_schedule generate(collective::reduce_scatter, binary_blocks const&, problem const& at) {
    rank_groups const mine{problem{at.rank, at.size, 0, at.blocks}};
    auto const result = buffer::result();
    auto const blocks = at.blocks.blocks();
    auto const top = mine.groups.top();
    auto const round = mine.rounds();
    auto all = mine.steps();
    if (mine.level == top) {
        auto const held = mine.part.kept(top);
        for (auto block = held.first; block < held.last;) {
            auto const owner = ownership::owner_of(block, at.size, blocks);
            auto const end = std::min(ownership::blocks_of(owner, at.size, blocks).last, held.last);
            if (owner != at.rank) { all.push_back(step::send(round, owner, result, block_range{block, end})); }
            block = end;
        }
    }
    auto const own = ownership::blocks_of(at.rank, at.size, blocks);
    for (auto block = own.first; block < own.last;) {
        auto const place = mine.place_with(block);
        auto const end = std::min(mine.part_at(top, place).last, own.last);
        auto const peer = mine.rank_at(top, place);
        if (peer != at.rank) { all.push_back(step::receive(round, peer, result, block_range{block, end})); }
        block = end;
    }
    return without_empty_blocks(at.blocks, stored_schedule(round + 1, std::move(all)));
}

/// Times of the groups of binary_blocks for a vector of `bytes` bytes.
class digit_group_times {
public:
    digit_group_times(double bytes, pricing::message_costs const& costs, call_parameters const& now)
        : groups_{now.size}, bytes_{bytes}, costs_{costs}, transfer_only_{costs.without_combines()}, now_{now} {}

    /// Until the largest group has the total: it waits for its own halvings, or for what smaller ones send.
    [[nodiscard, gnu::noinline]] double to_largest() const {
        double ready = 0;
        std::size_t before = 0;
        bool first = true;
        for (std::size_t level = 0; level <= groups_.top(); ++level) {
            if (!groups_.has(level)) { continue; }
            auto const halved = halvings(level, costs_);
            ready = first ? halved : std::max(halved, ready + to_group(before, level, costs_));
            before = level;
            first = false;
        }
        return ready;
    }

    /// From there until all groups have the whole vector.
    [[nodiscard, gnu::noinline]] double to_all() const {
        double begins = 0, ends = halvings(groups_.top(), transfer_only_);
        for (auto level = groups_.top(); groups_.has_smaller(level);) {
            auto const next = groups_.smaller(level);
            begins += to_group(next, level, transfer_only_);
            ends = std::max(ends, begins + halvings(next, transfer_only_));
            level = next;
        }
        return ends;
    }

    /// From there until a root in the largest group has gathered the parts.
    [[nodiscard, gnu::noinline]] double to_root() const {
        double result = 0;
        for (std::size_t level = 0; level != groups_.top(); ++level) {
            result += transfer_only_.one_way(part(level + 1), factors(level));
        }
        return result;
    }

    /// From there until each rank has the part that it owns, of which two ranks may have pieces.
    [[nodiscard, gnu::noinline]] double to_owners() const {
        return transfer_only_.round(groups_.one() ? 1 : 2, bytes_ / static_cast<double>(now_.size),
                                    now_.mean_contention());
    }

private:
    [[nodiscard]] double part(std::size_t halvings) const {
        return bytes_ / static_cast<double>(std::size_t{1} << halvings);
    }
    [[nodiscard]] pricing::contention factors(std::size_t level) const {
        return now_.contention_of_changing_partners(std::size_t{1} << level);
    }
    [[nodiscard]] double halvings(std::size_t levels, pricing::message_costs const& costs) const {
        double result = 0;
        for (std::size_t level = 0; level != levels; ++level) {
            result += costs.exchange(part(level + 1), factors(level));
        }
        return result;
    }
    // A rank of the smaller group sends to, or receives from, several of the larger one.
    [[nodiscard]] double to_group(std::size_t smaller, std::size_t larger, pricing::message_costs const& costs) const {
        auto const messages = std::size_t{1} << (larger - smaller);
        auto const links = now_.mean_contention();
        return costs.one_way(part(larger), links) +
               static_cast<double>(messages - 1) * transfer_only_.gap(part(larger), links);
    }

    digit_groups groups_;
    double bytes_;
    pricing::message_costs costs_;
    pricing::message_costs transfer_only_;
    call_parameters const& now_;  // outlives this
};

template <blocked_reduction Collective>
[[nodiscard]] double time_of(Collective, binary_blocks const&, pricing::message_costs const& costs,
                             call_parameters const& now) {
    auto const bytes = static_cast<double>(now.bytes);
    bool const divides = collective::divides<Collective>;
    digit_group_times const times{divides ? static_cast<double>(now.size) * part_of(now) : bytes, costs, now};
    if (divides) { return times.to_largest() + times.to_owners(); }
    return times.to_largest() + (collective::is_rooted<Collective> ? times.to_root() : times.to_all());
}

}  // namespace tutti::generators

namespace tutti {
using generators::binary_blocks;
}  // namespace tutti
