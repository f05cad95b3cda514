// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

#include <tutti/cost/price.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/schedule.hpp>

namespace tutti::generators {

/// p ranks as P = 2^⌊log2 p⌋ groups: the first p - P groups are pairs of neighbours, the others single ranks, so that
/// groups lie in the order of their ranks.
struct power_of_two_fold {
    std::size_t groups;
    std::size_t pairs;

    constexpr explicit power_of_two_fold(std::size_t size) : groups{std::bit_floor(size)}, pairs{size - groups} {}

    /// Rounds of an algorithm that doubles a distance from 1 to P.
    [[nodiscard]] constexpr std::size_t levels() const { return schedules::bit_width(groups) - 1; }

    [[nodiscard]] constexpr bool is_paired(std::size_t rank) const { return rank < 2 * pairs; }

    [[nodiscard]] constexpr std::size_t group_of(std::size_t rank) const {
        return is_paired(rank) ? rank / 2 : rank - pairs;
    }

    /// The rank that acts for a group: `root` for the group it is in, otherwise the first one.
    [[nodiscard]] constexpr std::size_t representative(std::size_t group, std::size_t root) const {
        if (group == group_of(root)) { return root; }
        return group < pairs ? 2 * group : group + pairs;
    }
};

/// Neighbouring leaves [first, last) of a hypercube.
struct leaf_range {
    std::size_t first;
    std::size_t last;
    friend bool operator==(leaf_range const&, leaf_range const&) = default;
};

/// p ranks as the 2^d leaves of a hypercube, d = ⌈log2 p⌉, in the order of ranks.
///
/// If p = 2^d, leaf l is rank l. Otherwise, with p = 2^(d-1) + r, the first 2r leaves are one rank each, and every
/// later rank is two leaves that differ in the lowest bit alone. One of them has the rank's operand, the other none;
/// the two are partners in the first level, where nothing has to travel between them, and afterwards each has its share
/// of the same vector.
/// Source: [bae98]: virtual processors, which here stand beside their owners.
struct hypercube {
    power_of_two_fold fold;

    constexpr explicit hypercube(std::size_t size) : fold{size} {}

    [[nodiscard]] constexpr bool is_power_of_two() const { return fold.pairs == 0; }
    [[nodiscard]] constexpr std::size_t levels() const { return fold.levels() + (is_power_of_two() ? 0 : 1); }
    [[nodiscard]] constexpr std::size_t count() const { return std::size_t{1} << levels(); }

    [[nodiscard]] constexpr std::size_t rank_of(std::size_t leaf) const {
        return is_power_of_two() || leaf < 2 * fold.pairs ? leaf : leaf / 2 + fold.pairs;
    }

    [[nodiscard]] constexpr leaf_range of(std::size_t rank) const {
        if (is_power_of_two() || fold.is_paired(rank)) { return {rank, rank + 1}; }
        auto const first = 2 * fold.group_of(rank);
        return {first, first + 2};
    }

    /// One leaf of the rank, so chosen that about as many ranks choose their first leaf as their second one, also among
    /// leaves that agree in some low bits.
    [[nodiscard]] constexpr std::size_t owner(std::size_t rank) const {
        auto const own = of(rank);
        return own.last - own.first == 1 || std::popcount(own.first) % 2 == 0 ? own.first : own.first + 1;
    }
};

/// The blocks that each group keeps when groups halve what they share, over distances 1, 2, 4, ...
///
/// Before round k all groups that agree in the bits below k hold the same blocks. In round k group g and its partner
/// g ^ 2^k keep one half each and give the other one away; g keeps the first half, the larger one of an odd count,
/// if bit k of g is 0. After it g has what 2^(k+1) groups with neighbouring numbers had, its own among them.
/// Run backwards it is a doubling: what was kept is sent and what was given away comes back.
/// Cost of each function: O(k).
struct halving {
    std::size_t group;
    std::size_t blocks;  ///< how many all groups hold at first

    [[nodiscard]] static constexpr std::size_t partner(std::size_t group, std::size_t round) {
        return group ^ (std::size_t{1} << round);
    }

    /// The blocks that the group holds after the first `rounds` rounds.
    [[nodiscard]] constexpr block_range kept(std::size_t rounds) const {
        block_range held{0, blocks};
        for (std::size_t round = 0; round < rounds; ++round) {
            auto const middle = held.first + (held.last - held.first + 1) / 2;
            (group >> round & 1 ? held.first : held.last) = middle;
        }
        return held;
    }

    /// The blocks that the group gives its partner in `round`.
    [[nodiscard]] constexpr block_range given(std::size_t round) const {
        return halving{partner(group, round), blocks}.kept(round + 1);
    }
};

/// The intervals of blocks that the leaves of a hypercube share out among themselves, level by level.
///
/// In the first `halvings` levels partners, which have the same interval, keep one half each and give the other one
/// away. In later levels both keep all they have. If leaves fold, in the first level the lower partner keeps everything
/// and the upper one nothing.
struct hypercube_intervals {
    std::size_t blocks;
    std::size_t halvings;
    bool folds = false;

    /// The blocks that a leaf has after the first `levels` levels. Cost: O(levels).
    [[nodiscard]] constexpr block_range interval(std::size_t leaf, std::size_t levels) const {
        auto const halved = std::min(levels, halvings);
        if (!folds || halved == 0) { return halving{leaf, blocks}.kept(halved); }
        return leaf % 2 == 0 ? halving{leaf / 2, blocks}.kept(halved - 1) : block_range{};
    }

    /// The lowest leaf that has the block after as many levels as there are halvings, if none folds. Cost: O(levels).
    [[nodiscard]] constexpr std::size_t leaf_with(std::size_t block) const {
        std::size_t leaf = 0;
        block_range held{0, blocks};
        for (std::size_t level = 0; level != halvings; ++level) {
            auto const middle = held.first + (held.last - held.first + 1) / 2;
            bool const upper = block >= middle;
            leaf |= std::size_t{upper} << level;
            (upper ? held.first : held.last) = middle;
        }
        return leaf;
    }

    [[nodiscard]] block_list kept(leaf_range which, std::size_t levels) const {
        block_list result;
        for (auto leaf = which.first; leaf < which.last; ++leaf) { result.append(interval(leaf, levels)); }
        return result;
    }
};

/// The blocks that a rank keeps and those that it gives another one, out of the blocks that the leaves of both share.
struct leaf_exchange {
    using relocates_as_bytes = void;

    std::size_t peer;
    block_list kept;
    block_list given;
    friend bool operator==(leaf_exchange const&, leaf_exchange const&) = default;
};

/// A level of a hypercube, in which leaves exchange with those that differ from them in one bit, as one rank sees it.
struct hypercube_level {
    using relocates_as_bytes = void;

    bool upper;                            ///< whether that bit of its leaves is 1: the partners have lower ranks
    dynamic_array<leaf_exchange> exchanges;  ///< one for each peer: two at most; none with itself
};

/// All levels of a rank, lowest bit first. `shares.kept(range, k)` are the blocks that a range of leaves has after k
/// levels. Cost: 4 lists for each level.
template <class Shares>
[[nodiscard, gnu::cold]] dynamic_array<hypercube_level> levels_of(std::size_t rank, hypercube const& all,
                                                             Shares const& shares) {
    auto const own = all.of(rank);
    dynamic_array<hypercube_level> result;
    for (std::size_t k = 0; k < all.levels(); ++k) {
        auto const bit = std::size_t{1} << k;
        hypercube_level level{(own.first & bit) != 0, {}};
        for (auto leaf = own.first; leaf < own.last;) {
            auto const peer = all.rank_of(leaf ^ bit);
            auto next = leaf + 1;
            while (next < own.last && all.rank_of(next ^ bit) == peer) { ++next; }
            if (peer != rank) {
                level.exchanges.push_back({peer, shares.kept({leaf, next}, k + 1),
                                           shares.kept({leaf ^ bit, (leaf ^ bit) + next - leaf}, k + 1)});
            }
            leaf = next;
        }
        result.push_back(std::move(level));
    }
    return result;
}

/// Every level is a round, in which partners send the blocks that they give and combine the blocks that they keep, all
/// in `result`. Steps may have no blocks.
[[nodiscard]] inline dynamic_array<step> split_stage(dynamic_array<hypercube_level> const& levels) {
    auto const result = buffer::result();
    dynamic_array<step> steps;
    for (std::size_t k = 0; k < levels.size(); ++k) {
        auto const operand = levels[k].upper ? side::left : side::right;
        for (auto const& each : levels[k].exchanges) { steps.push_back(step::send(k, each.peer, result, each.given)); }
        for (auto const& each : levels[k].exchanges) {
            steps.push_back(step::receive_combine(k, each.peer, result, each.kept, operand));
        }
    }
    return steps;
}

/// Times of an algorithm in which neighbouring groups of leaves of a hypercube merge, level after level: in the first
/// `halvings` levels they share the vector out, in the others they exchange what they have; then halvings are undone.
///
/// The first ranks are one leaf each. The other ranks, if the number of ranks is no power of two, are two leaves each:
/// idle in the first level, with twice the work in the others. Groups of ranks of one kind take the same time; a group
/// with ranks of both kinds takes the maximum of both where they meet, and goes on like ranks of two leaves. If nothing
/// is halved, pairs of the first ranks fold, and all ranks have the same work.
class halving_cost {
public:
    halving_cost(std::size_t halvings, pricing::message_costs const& costs, call_parameters const& now)
        : all_{now.size},
          halvings_{halvings},
          folds_{halvings == 0 && !all_.is_power_of_two()},
          costs_{costs},
          now_{now} {}

    /// Until every rank has its share of the total.
    [[nodiscard, gnu::cold]] double reduce_scatter_time() const { return latest(all_.levels(), costs_, 1); }

    /// From there until every rank has all shares, of `vectors` vectors.
    [[nodiscard, gnu::cold]] double all_gather_time(std::size_t vectors = 1) const {
        return latest(folds_ ? 1 : halvings_, costs_.without_combines(), static_cast<double>(vectors));
    }

    /// The same for scans, in which a rank receives only what lies before it. If all ranks of the upper half of the
    /// leaves are of one kind, the lower half, with both kinds, goes back during the last exchange of the upper half.
    [[nodiscard, gnu::cold]] double scan_return_time() const {
        if (all_.is_power_of_two() || folds_ || first_double() > all_.count() / 2) { return all_gather_time(); }
        double upper = 0;
        auto const giving = costs_.without_combines();
        for (std::size_t k = 1; k < halvings_; ++k) { upper += exchange(k, 2, giving); }
        auto const last = all_.levels() - 1;
        return std::max(upper, all_gather_time() - exchange(last, 2, costs_) + costs_.latency(factors(last)));
    }

private:
    // The first leaf of a rank with two leaves.
    [[nodiscard]] std::size_t first_double() const {
        return all_.is_power_of_two() ? all_.count() : 2 * all_.fold.pairs;
    }

    [[nodiscard, gnu::noinline, gnu::cold]] double latest(std::size_t levels, pricing::message_costs const& costs,
                                                          double vectors) const {
        auto const meet = static_cast<std::size_t>(std::countr_zero(first_double()));
        double of_one = 0, of_two = 0, result = 0;
        for (std::size_t k = 0; k != levels; ++k) {
            auto const twice =
                k == 0 || all_.is_power_of_two() ? 0 : exchange(k, (folds_ ? 1.0 : 2.0) * vectors, costs);
            of_one += exchange(k, vectors, costs);
            of_two += twice;
            result = k < meet ? std::max(of_one, of_two) : result + twice;
        }
        return result;
    }

    [[nodiscard, gnu::cold]] double bytes(std::size_t level, double vectors) const {
        return vectors * static_cast<double>(now_.bytes) /
               static_cast<double>(std::size_t{1} << std::min(level + 1, halvings_));
    }
    // Partners are 2^level ranks apart, or somewhat more.
    [[nodiscard, gnu::cold]] pricing::contention factors(std::size_t level) const {
        return now_.contention_of_changing_partners((std::size_t{1} << level) * now_.size / std::bit_floor(now_.size));
    }
    [[nodiscard, gnu::cold]] double exchange(std::size_t level, double vectors,
                                             pricing::message_costs const& costs) const {
        return costs.exchange(bytes(level, vectors), factors(level));
    }

    hypercube all_;
    std::size_t halvings_;
    bool folds_;
    pricing::message_costs const& costs_;
    call_parameters const& now_;  // outlives this
};

}  // namespace tutti::generators
