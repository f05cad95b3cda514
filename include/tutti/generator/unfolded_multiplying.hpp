// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/collective.hpp>
#include <tutti/cost/price.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/merging_groups.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// Groups of neighbours become one with up to `radix` - 1 others at a time: their ranks receive the whole vectors of
/// the other groups all at once, and combine them by the canonical tree. For short vectors, whose messages cost little
/// overhead and much latency.
///
/// Groups have 2^a ranks, those of the next level 2^(a+b) with the largest 2^b <= radix; as soon as no more than
/// `radix` groups are left, all become one. Only the last group of a level may have fewer ranks; nothing is folded. The
/// j-th rank of a group receives from the j-th rank of each other group. If the last group has only u ranks, it
/// receives from rank j modulo u of it. Where these would send to many ranks w/u in each of several groups of w ranks,
/// they send to d = √(w/u) of them, and the others receive from rank j modulo du of their own group, which relays.
/// Requires 2 <= radix <= send_window, else std::invalid_argument when schedules are generated.
/// Result: the canonical tree over all ranks, in scans over the operands of the prefix, any size, any root.
/// Rounds are the number n of levels. With f_1, ..., f_n groups, a rank gets at most Σ (f_i - 1)
/// messages, and combines as often; in scans, messages of lower groups twice. It sends as many, but for all_reduce
/// and scan_reduce, where ranks of the last group, or those that receive from it, send up to 2^a + p/2 more.
/// Cost: n α and Σ (f_i - 1) (o + (β+γ)m), if a message occupies ranks for o and takes α to arrive, and the cost of the
/// further messages. To generate: O(log p), and the number of messages.
/// Source: with radix 2, recursive doubling, the direct scan of [bae98] and a binomial tree.
/// Counts of reduce, radix k = 2^b: ⌈L/b⌉, of up to b k/2 messages | m | up to L m k/2.
/// Counts of all_reduce, radix k: about ⌈log_k p⌉, of up to k messages, few ranks more | at most k m a round, few ranks
/// more | at most (k - 1) m a round.
/// Counts of scans, radix k: about ⌈log_k p⌉, of up to k messages | at most k m a round | at most 2 k m a round.
/// Counts of scan_reduce, radix k: about ⌈log_k p⌉, of up to k messages, few ranks more | at most k m a round, few
/// ranks more | at most 2 k m a round.
/// Picture: --collective all_reduce --algorithm unfolded_multiplying --size 7 --tcomm 1 --tcomp 0 --ports bidirectional
///     0  0a>1 1a>0 2a>3 3a>2 4a>5 5a>4
///     1  0a>2 1a>3 2a>0 3a>1 4a>6 6a>4
///     2  0a>4 4a>0 6a>5
///     3  1a>5 2a>6 4a>3 5a>1 6a>2
struct unfolded_multiplying {
    std::size_t radix = 2;
    friend bool operator==(unfolded_multiplying const&, unfolded_multiplying const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<unfolded_multiplying>) {
    return {.name = "unfolded_multiplying", .one_ported = false};
}
template <class Collective>
    requires(std::same_as<Collective, collective::all_reduce> || collective::is_scan<Collective>)
constexpr facts describe(Collective, std::type_identity<unfolded_multiplying>) {
    return {.name = "unfolded_multiplying", .one_ported = false, .keeps_round_order = true};
}

inline void check_radix(unfolded_multiplying const& generator) {
    if (generator.radix >= 2 && generator.radix <= schedules::send_window) { return; }
    throw std::invalid_argument{"tutti: unfolded_multiplying makes one group of 2 to " +
                                std::to_string(schedules::send_window) + ", not of " + std::to_string(generator.radix) +
                                "; choose a radix in between"};
}

/// How many groups become one in each level.
[[nodiscard]] inline dynamic_array<std::size_t> group_factors(unfolded_multiplying const& generator, std::size_t size) {
    check_radix(generator);
    auto const radix = generator.radix;
    dynamic_array<std::size_t> result;
    for (auto left = size; left > 1;) {
        auto const factor = left <= radix ? left : std::bit_floor(radix);
        result.push_back(factor);
        left = (left - 1) / factor + 1;
    }
    return result;
}

/// A group of 2^a ranks is represented by the root, or else by its first rank. It receives what the siblings of its own
/// subgroups of 2^j ranks have, j = 0, 1, ..., a - 1: each in 2^b messages from subgroups of the sibling, with the
/// largest 2^(b+1) <= radix, or in one from each rank if the sibling has fewer. With radix 2 this is the binomial tree,
/// with 4 nearly the fastest tree for short messages where latency is a few times the gap between messages.
/// Rounds: ⌈⌈log2 p⌉ / (b + 1)⌉; the root gets at most 2^b ⌈log2 p⌉ messages. Others send one.
class subgroups_of_reduction {
public:
    struct group {
        std::size_t first;
        std::size_t height;  ///< it has 2^height ranks, the last one perhaps fewer
    };

    subgroups_of_reduction(unfolded_multiplying const& generator, std::size_t size, std::size_t root)
        : size_{size}, root_{root}, cuts_{schedules::bit_width(generator.radix) - 2} {
        check_radix(generator);
        all_ = {0, schedules::bit_width(size - 1)};
    }

    [[nodiscard]] group all() const { return all_; }
    [[nodiscard]] std::size_t rounds_of(std::size_t height) const { return (height + cuts_) / (cuts_ + 1); }
    [[nodiscard]] std::size_t representative(group const& of) const {
        return root_ >> of.height == of.first >> of.height ? root_ : of.first;
    }
    [[nodiscard]] std::size_t height_of_part(std::size_t height) const { return height - std::min(height, cuts_); }
    /// The first scratch buffer for parts of a sibling: siblings take turns with two sets of buffers.
    [[nodiscard]] std::uint32_t spare(std::size_t height) const {
        return static_cast<std::uint32_t>(height % 2 * (cuts_ + 1));
    }

    /// The ranks of the sibling of the subgroup of that height which `rank` is in.
    [[nodiscard]] block_range sibling(std::size_t rank, std::size_t height) const {
        auto const first = ((rank >> height) ^ 1) << height;
        return {std::min(first, size_), std::min(first + (std::size_t{1} << height), size_)};
    }

private:
    std::size_t size_;
    std::size_t root_;
    std::size_t cuts_;
    group all_{};
};

/// The steps by which the representative of a group gets what neighbouring groups of 2^height ranks have, and combines
/// that by the canonical tree.
struct canonical_receives {
    dynamic_array<step>& steps;
    subgroups_of_reduction const& groups;
    block_list const& whole;
    std::size_t height;

    [[nodiscard]] std::size_t round() const { return groups.rounds_of(height); }
    [[nodiscard]] std::size_t peer(std::size_t first) const { return groups.representative({first, height}); }
    [[nodiscard]] bool is_one(block_range ranks) const { return (ranks.last - ranks.first - 1) >> height == 0; }

    /// Receives it into an empty buffer.
    void gather(block_range ranks, std::uint32_t into) const {
        if (is_one(ranks)) {
            steps.push_back(step::receive(round(), peer(ranks.first), buffer::scratch(into), whole));
            return;
        }
        auto const middle = ranks.first + std::bit_floor(ranks.last - ranks.first - 1);
        gather({ranks.first, middle}, into);
        join({middle, ranks.last}, buffer::scratch(into), side::right, into + 1);
    }

    /// Combines it with what a buffer holds.
    void join(block_range ranks, buffer into, side operand, std::uint32_t spare) const {
        if (is_one(ranks)) {
            steps.push_back(step::receive_combine(round(), peer(ranks.first), into, whole, operand));
            return;
        }
        gather(ranks, spare);
        steps.push_back(step::combine(round(), buffer::scratch(spare), into, whole, operand));
    }
};

[[nodiscard]] inline lazy_schedule generate(collective::reduce, unfolded_multiplying const& generator,
                                            problem const& at) {
    block_list const whole{block_range{0, at.blocks.blocks()}};
    subgroups_of_reduction const groups{generator, at.size, at.root};
    auto const rank = at.rank;
    auto own = groups.all();
    auto parent = rank;
    while (groups.representative(own) != rank) {
        parent = groups.representative(own);
        own.height = groups.height_of_part(schedules::bit_width(parent ^ rank) - 1);
        own.first = rank >> own.height << own.height;
    }
    dynamic_array<step> steps;
    for (std::size_t height = 0; height != own.height; ++height) {
        auto const from = groups.sibling(rank, height);
        if (from.first == from.last) { continue; }
        canonical_receives const receives{steps, groups, whole, groups.height_of_part(height)};
        receives.join(from, buffer::result(), from.first < rank ? side::left : side::right, groups.spare(height));
    }
    if (parent != rank) { steps.push_back(step::send(groups.rounds_of(own.height), parent, buffer::result(), whole)); }
    return without_empty_blocks(at.blocks, stored_schedule(groups.rounds_of(groups.all().height), std::move(steps)));
}

[[nodiscard]] inline lazy_schedule generate(collective::all_reduce, unfolded_multiplying const& generator,
                                            problem const& at) {
    block_list const whole{block_range{0, at.blocks.blocks()}};
    auto const result = buffer::result();
    auto const factors = group_factors(generator, at.size);
    dynamic_array<step> steps;
    std::size_t width = 1;
    for (std::size_t round = 0; round != factors.size(); width *= factors[round++]) {
        merging_groups const all{at.rank, at.size, width, factors[round], true};
        auto const send = [&](std::size_t to) { steps.push_back(step::send(round, to, result, whole)); };
        all.for_later(send);
        all.for_earlier(send);
        canonical_arrivals const from{steps,
                                      round,
                                      whole,
                                      0,
                                      all,
                                      [](side) { return true; },
                                      [&](std::size_t group) { return all.sender(group); }};
        for (auto const& each : from.siblings()) { from.combine(each, result); }
    }
    return without_empty_blocks(at.blocks, stored_schedule(factors.size(), std::move(steps)));
}

/// The rank's prefix, and the product of its group for ranks of later groups. An inclusive scan has both in one place
/// while the rank is the last of its group.
template <class Scan>
    requires collective::is_scan<Scan>
[[nodiscard]] lazy_schedule generate(Scan, unfolded_multiplying const& generator, problem const& at) {
    constexpr bool exclusive = collective::traits<Scan>.prefix;
    constexpr bool with_total = std::is_same_v<Scan, collective::scan_reduce>;
    block_list const whole{block_range{0, at.blocks.blocks()}};
    auto const prefix = exclusive ? buffer::prefix() : buffer::result();
    auto group = buffer::result();
    bool holds_prefix = !exclusive;
    auto const factors = group_factors(generator, at.size);
    dynamic_array<step> steps;
    std::size_t width = 1;
    for (std::size_t round = 0; round != factors.size(); width *= factors[round++]) {
        merging_groups const all{at.rank, at.size, width, factors[round], with_total};
        // whether the rank will send others what all these groups have
        auto const updates = [&](std::size_t rank) { return with_total || rank + width * factors[round] < at.size; };
        auto const send = [&](std::size_t to) { steps.push_back(step::send(round, to, group, whole)); };
        all.for_later(send);
        all.for_earlier([&](std::size_t to) {
            if (updates(to)) { send(to); }
        });
        bool const total = updates(at.rank);
        canonical_arrivals const from{steps,
                                      round,
                                      whole,
                                      exclusive ? 0U : 1U,
                                      all,
                                      [&](side operand) { return total || operand == side::left; },
                                      [&](std::size_t other) { return all.sender(other); }};
        for (auto const& each : from.siblings()) {
            if (each.operand == side::right) {
                if (group == prefix) {
                    group = buffer::scratch(0);
                    steps.push_back(step::copy(round, prefix, group, whole));
                }
                from.combine(each, group);
                continue;
            }
            bool const twice = total && group != prefix;
            if (holds_prefix && !twice) {
                from.combine(each, prefix);
                continue;
            }
            auto const comes = from.get(each, holds_prefix ? from.apart() : prefix);
            if (holds_prefix) {
                steps.push_back(step::combine(round, comes, prefix, whole, side::left));
            } else if (comes != prefix) {
                steps.push_back(step::copy(round, comes, prefix, whole));
            }
            if (twice) { steps.push_back(step::combine(round, comes, group, whole, side::left)); }
            holds_prefix = true;
        }
    }
    return without_empty_blocks(at.blocks, stored_schedule(factors.size(), std::move(steps)));
}

/// Until the representative of a group of 2^height ranks has its result; its messages arrive one after another.
[[nodiscard]] inline double time_of(collective::reduce, unfolded_multiplying const& generator,
                                    pricing::message_costs const& costs, call_parameters const& now) {
    subgroups_of_reduction const groups{generator, now.size, 0};
    auto const bytes = static_cast<double>(now.bytes);
    dynamic_array<double> times{0.0};  // of groups of 1, 2, 4, ... ranks
    while (times.size() <= groups.all().height) {
        double ready = 0;
        for (std::size_t height = 0; height != times.size(); ++height) {
            auto const ranks = groups.sibling(0, height);
            auto const part = groups.height_of_part(height);
            auto const messages = ((ranks.last - ranks.first - 1) >> part) + 1;
            auto const factors = now.contention_of_changing_partners(ranks.first);
            auto const one = std::min(part, schedules::bit_width(ranks.last - ranks.first - 1));
            auto const next = costs.gap(bytes, factors);
            ready = std::max(times[one] + costs.one_way(bytes, factors), ready + next) +
                    static_cast<double>(messages - 1) * next;
        }
        times.push_back(ready);
    }
    return times.back();
}

/// Each round takes as long as the ranks with the most messages, which receive one from each other group. Where all
/// ranks need the total, the ranks of a small last group send to many, but have been ready for long; or the ranks that
/// receive from them relay to others of their own groups, beside their other messages.
template <class Collective>
    requires(std::same_as<Collective, collective::all_reduce> || collective::is_scan<Collective>)
[[nodiscard]] double time_of(Collective, unfolded_multiplying const& generator, pricing::message_costs const& costs,
                             call_parameters const& now) {
    constexpr bool to_all =
        !std::same_as<Collective, collective::inclusive_scan> && !std::same_as<Collective, collective::exclusive_scan>;
    auto const bytes = static_cast<double>(now.bytes);
    auto const transfer_only = costs.without_combines();
    double result = 0, rounds = 0;
    dynamic_array<double> begins;  // when the rounds begin in which groups of 1, 2, 4, ... ranks merge
    std::size_t width = 1;
    for (auto const factor : group_factors(generator, now.size)) {
        // in other scans ranks that receive many messages send few
        bool const crowded = to_all && factor > 2 && costs.transmission(bytes) > now.link().overhead;
        auto const factors = now.contention_of_changing_partners(width, crowded ? now.fitted().several_ports : 1);
        auto const alone = now.contention_of_changing_partners(width);
        auto const of_last = now.size % width;
        begins.resize(schedules::bit_width(width), result);
        result += costs.round(factor - 1, bytes, factors);
        if (to_all && of_last != 0) {
            auto const ready = begins[schedules::bit_width(of_last - 1)];
            merging_groups const seen{now.size - 1, now.size, width, factor, true};
            auto const others = seen.count() - 1;
            auto const gap = transfer_only.gap(bytes, alone);
            if (others != 0) {
                auto const each = (seen.served - 1) / of_last + 1;  // messages of a rank to each other group
                auto const relayed = (width - 1) / seen.served;
                auto const last_to_send =
                    ready + costs.one_way(bytes, alone) + static_cast<double>(others * each - 1) * gap;
                result = std::max(result, last_to_send) + static_cast<double>(relayed) * gap;
            }
        }
        width *= factor;
        ++rounds;
    }
    if (!collective::is_scan<Collective>) { return result; }
    // messages that are combined twice: in all rounds but the first and, in exclusive scans, the last
    return result + std::max(rounds - (std::same_as<Collective, collective::exclusive_scan> ? 2 : 1), 0.0) *
                        costs.combine(bytes);
}

}  // namespace tutti::generators

namespace tutti {
using generators::unfolded_multiplying;
}  // namespace tutti
