// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include <tutti/collective.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/generator/direct_exchange.hpp>
#include <tutti/generator/pattern/hypercube.hpp>
#include <tutti/generator/pattern/radix_levels.hpp>
#include <tutti/generator/recursive_multiplying.hpp>
#include <tutti/generator/ring.hpp>
#include <tutti/generator/split.hpp>
#include <tutti/generator/unfolded_multiplying.hpp>
#include <tutti/problem.hpp>
#include <tutti/selection/call_parameters.hpp>
#include <tutti/selection/expected_time/parts.hpp>
#include <tutti/selection/expected_time/trees.hpp>
#include <tutti/selection/message_costs.hpp>

namespace tutti {

/// Calls `visit(time, more)` for each round in which the subgroups of a group exchange whole vectors: the time of the
/// round, and how much longer it is if all ranks need the total: ranks of smaller subgroups then send to one rank more.
template <class Visit>
void for_each_round(recursive_multiplying const& generator, call_parameters const& now, message_costs const& costs,
                    Visit visit) {
    auto const bytes = static_cast<double>(now.bytes);
    std::size_t group = now.size;
    for (auto const subgroups : radix_factors(now.size, generator.radix)) {
        auto const distance = (group - 1) / subgroups + 1;
        bool const uneven = distance * subgroups != std::exchange(group, distance);
        if (subgroups == 1) { continue; }
        bool const crowded = subgroups > 2 && costs.length(bytes) > now.link.overhead;
        auto const factors = now.contention_of_changing_partners(distance, crowded ? now.fitted.several_ports : 1);
        visit(costs.round(subgroups - 1, bytes, factors), uneven ? costs.length(bytes, factors) : 0);
    }
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
    halving_cost(std::size_t halvings, message_costs const& costs, call_parameters const& now)
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
        if (all_.is_power_of_two() || folds_ || border() > all_.count() / 2) { return all_gather_time(); }
        double upper = 0;
        auto const giving = costs_.without_combines();
        for (std::size_t k = 1; k < halvings_; ++k) { upper += exchange(k, 2, giving); }
        auto const last = all_.levels() - 1;
        return std::max(upper, all_gather_time() - exchange(last, 2, costs_) + costs_.latency(factors(last)));
    }

private:
    // The first leaf of a rank with two leaves.
    [[nodiscard]] std::size_t border() const { return all_.is_power_of_two() ? all_.count() : 2 * all_.fold.pairs; }

    [[nodiscard, gnu::noinline, gnu::cold]] double latest(std::size_t levels, message_costs const& costs,
                                                          double vectors) const {
        auto const meet = static_cast<std::size_t>(std::countr_zero(border()));
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
    [[nodiscard, gnu::cold]] contention factors(std::size_t level) const {
        return now_.contention_of_changing_partners((std::size_t{1} << level) * now_.size / std::bit_floor(now_.size));
    }
    [[nodiscard, gnu::cold]] double exchange(std::size_t level, double vectors, message_costs const& costs) const {
        return costs.exchange(bytes(level, vectors), factors(level));
    }

    hypercube all_;
    std::size_t halvings_;
    bool folds_;
    message_costs const& costs_;
    call_parameters const& now_;  // outlives this
};

/// A rank receives the whole vectors of all other subgroups of its group at once.
[[nodiscard, gnu::cold]] inline double time_of(collective::all_reduce, recursive_multiplying const& generator,
                                               message_costs const& costs, call_parameters const& now) {
    double result = 0;
    for_each_round(generator, now, costs, [&](double time, double more) { result += time + more; });
    return result;
}

/// The number of halvings that takes the least time: each one saves fewer bytes than the one before.
template <class TimeOfHalvings>
[[nodiscard, gnu::cold]] split best_split(std::size_t size, TimeOfHalvings time_of_halvings) {
    auto least = std::numeric_limits<double>::infinity();
    std::size_t best = 0;
    // unless the number of ranks is a power of two, pairs share the vector: one halving at least
    for (std::size_t halvings = std::has_single_bit(size) ? 0 : 1; halvings <= static_cast<std::size_t>(log2_of(size));
         ++halvings) {
        auto const time = time_of_halvings(halvings);
        if (time < least) {
            least = time;
            best = halvings;
        }
    }
    return {.halvings = best};
}

[[nodiscard, gnu::cold]] inline double time_of(collective::all_reduce, split const& generator,
                                               message_costs const& costs, call_parameters const& now) {
    halving_cost const levels{generator.halvings.value_or(0), costs, now};
    return levels.reduce_scatter_time() + levels.all_gather_time();
}

/// A rank combines its part of all vectors, and then reads the parts of the other ranks. Partial results stay in its
/// cache. Every segment but the first adds messages, and no bytes.
[[nodiscard, gnu::cold]] inline double time_of(collective::all_reduce, direct_exchange const& generator,
                                               message_costs const&, call_parameters const& now) {
    auto const combining = message_costs::combining_in_place(now);
    auto const transfer_only = message_costs::transfer_only(now);
    auto const factors = now.mean_contention();
    auto const part = part_of(now);
    auto const further = blocks_for(generator, now.size, now.bytes) / now.size - 1;
    return combining.round(now.size - 1, part, factors) + transfer_only.round(now.size - 1, part, factors) +
           static_cast<double>(further) * 2 * transfer_only.round(now.size - 1, 0, factors);
}

/// The longest exchanges are the first, between neighbours.
[[nodiscard, gnu::cold]] inline double time_of(collective::reduce_scatter, split const&, message_costs const& costs,
                                               call_parameters now) {
    now.bytes = now.size * static_cast<std::size_t>(part_of(now));
    return halving_cost{static_cast<std::size_t>(log2_of(now.size)), costs, now}.reduce_scatter_time();
}

/// Once round the ring to reduce and once more to distribute, always to the next rank.
[[nodiscard, gnu::cold]] inline double time_of(collective::all_reduce, ring const& generator,
                                               message_costs const& costs, call_parameters const& now) {
    return time_of_shifts(generator.sub_segments, costs, now) +
           time_of_shifts(generator.sub_segments, costs.without_combines(), now);
}

/// Until the representative of a group of 2^height ranks has its result; its messages arrive one after another.
[[nodiscard]] inline double time_of(collective::reduce, unfolded_multiplying const& generator,
                                    message_costs const& costs, call_parameters const& now) {
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
            auto const one = std::min(part, static_cast<std::size_t>(std::bit_width(ranks.last - ranks.first - 1)));
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
[[nodiscard]] double time_of(Collective, unfolded_multiplying const& generator, message_costs const& costs,
                             call_parameters const& now) {
    constexpr bool to_all =
        !std::same_as<Collective, collective::inclusive_scan> && !std::same_as<Collective, collective::exclusive_scan>;
    auto const bytes = static_cast<double>(now.bytes);
    auto const transfer_only = costs.without_combines();
    double result = 0, rounds = 0;
    dynamic_array<double> begins;  // when the rounds begin in which groups of 1, 2, 4, ... ranks merge
    std::size_t width = 1;
    for (auto const factor : group_factors(generator, now.size)) {
        bool const crowded = factor > 2 && costs.length(bytes) > now.link.overhead;
        auto const factors = now.contention_of_changing_partners(width, crowded ? now.fitted.several_ports : 1);
        auto const alone = now.contention_of_changing_partners(width);
        auto const of_last = now.size % width;
        begins.resize(static_cast<std::size_t>(std::bit_width(width)), result);
        result += costs.round(factor - 1, bytes, factors);
        if (to_all && of_last != 0) {
            auto const ready = begins[static_cast<std::size_t>(std::bit_width(of_last - 1))];
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

}  // namespace tutti
