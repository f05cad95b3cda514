// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/arrival_order.hpp>
#include <tutti/generator/round_optimal.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// Ranks that arrive early are reduced while the others are awaited: group after group in the order of arrival.
///
/// Each group reduces as round_optimal does, the latest as relative ranks 1, 2, ..., which send last. Its result goes
/// to the root or, before the root is there, to a rank that takes it into the next group. The groups are those that end
/// earliest if m ranks need n-1+⌈log2 m⌉ rounds of length tau once the last of them is there and the group before has
/// ended. If all arrive at once, they are one group, and this is round_optimal.
/// Gain over that: (⌈log2 p⌉-1) tau at most, so little for many blocks.
/// Errors: those of `check_arrivals`, and for a tau that is not positive.
/// Cost in lock step: within (n-1+⌈log2 p⌉) tau of the last arrival. To generate: O(p log p), and O(1) a step.
/// Source: new; in each group [traeff23].
/// Counts of reduce: L + q - 1 if all arrive at once, else group by group | m | up to (p - 1) m.
struct arrival_ordered {
    std::vector<double> arrivals{};  ///< when each rank is expected; none: all at once
    std::size_t segments = 0;        ///< 0: blocks of 128 KiB
    double tau = 1;                  ///< time to send a block and to combine it
    friend bool operator==(arrival_ordered const&, arrival_ordered const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<arrival_ordered>) {
    return {.name = "arrival_ordered", .requires_commutative = true};
}

/// The ranks in the order of arrival; of those that arrive at once the root first.
[[nodiscard]] inline std::vector<std::size_t> ranks_by_arrival(std::vector<double> const& arrivals, std::size_t size,
                                                               std::size_t root) {
    check_arrivals("arrival_ordered", arrivals, size);
    std::vector<std::size_t> ranks(size);
    for (std::size_t i = 0; i < size; ++i) { ranks[i] = (root + size - i) % size; }
    return sorted_by_arrival(std::move(ranks), arrivals);
}

/// How many ranks have been reduced after each group. `arrivals` are sorted, and counted in rounds.
[[nodiscard]] inline std::vector<std::size_t> arrival_groups(std::vector<double> const& arrivals, std::size_t blocks) {
    auto const rounds = [blocks](std::size_t ranks) {
        return static_cast<double>(round_optimal_rounds(ranks, blocks));
    };
    auto const size = arrivals.size();
    std::vector<double> ready(size + 1, 0.0);     // when there is a result of this many ranks
    std::vector<std::size_t> first(size + 1, 0);  // of the last group on the way there
    for (std::size_t last = 1; last <= size; ++last) {
        auto const arrival = arrivals[last - 1];
        ready[last] = arrival + rounds(last);
        // one less than a power of two: the rank that has the result so far makes it full
        for (std::size_t fresh = 1; fresh < last; fresh = 2 * fresh + 1) {
            auto const before = last - fresh;
            auto const end = std::max(ready[before], arrival) + rounds(fresh + 1);
            if (end < ready[last]) {
                ready[last] = end;
                first[last] = before;
            }
        }
    }
    std::vector<std::size_t> groups;
    for (auto last = size; last != 0; last = first[last]) { groups.push_back(last); }
    std::reverse(groups.begin(), groups.end());
    return groups;
}

/// The steps of one rank in the reduction of one group.
struct arrival_group_part {
    std::vector<std::size_t> ranks;  ///< of the group, its root first
    round_optimal_broadcast part;    ///< among them
    std::size_t first_round;
    std::size_t first_step;

    [[nodiscard]] step operator()(std::size_t i) const {
        auto each = reduce_step(part, i - first_step);
        each.peer = ranks[each.peer];
        each.round += first_round;
        return each;
    }
};

[[nodiscard]] inline lazy_schedule generate(collective::reduce, arrival_ordered const& known, problem const& at) {
    check_tau("arrival_ordered", known.tau);
    auto const order = ranks_by_arrival(known.arrivals, at.size, at.root);
    std::vector<double> arrivals(at.size, 0.0);
    if (!known.arrivals.empty()) {
        auto const earliest = known.arrivals[order.front()];
        std::transform(order.begin(), order.end(), arrivals.begin(),
                       [&](std::size_t rank) { return (known.arrivals[rank] - earliest) / known.tau; });
    }

    auto const parts = std::make_shared<std::vector<arrival_group_part>>();
    std::size_t rounds = 0;
    std::size_t steps = 0;
    std::vector<std::size_t> group;
    auto fresh = order.begin();
    for (auto const reduced : arrival_groups(arrivals, at.blocks.blocks())) {
        if (!group.empty()) { group.erase(std::next(group.begin()), group.end()); }  // the root before has its result
        auto const last = order.begin() + static_cast<std::ptrdiff_t>(reduced);
        group.insert(group.end(), fresh, last);
        fresh = last;
        std::reverse(group.begin(), group.end());
        auto const root = std::find(group.begin(), group.end(), at.root);
        auto const top = root != group.end() ? root : std::prev(group.end());
        std::rotate(group.begin(), top, std::next(top));

        auto const self = std::find(group.begin(), group.end(), at.rank);
        if (self != group.end()) {
            problem const inside{static_cast<std::size_t>(self - group.begin()), group.size(), 0, at.blocks};
            parts->push_back({group, round_optimal_broadcast{inside}, rounds, steps});
            steps += 2 * parts->back().part.rounds();
        }
        rounds += round_optimal_rounds(group.size(), at.blocks.blocks());
    }
    auto const step_at = [parts](std::size_t i) {
        auto const before = [](std::size_t index, arrival_group_part const& each) { return index < each.first_step; };
        return (*std::prev(std::upper_bound(parts->begin(), parts->end(), i, before)))(i);
    };
    return without_empty_blocks(at.blocks, indexed_schedule(rounds, steps, step_at));
}

}  // namespace tutti::generators

namespace tutti {
using generators::arrival_ordered;
}  // namespace tutti
