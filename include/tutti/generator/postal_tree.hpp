// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <tutti/cost/price.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/language.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// The whole vector moves up the tree that is shortest if messages take long and occupy ranks briefly.
///
/// From the start of a message it takes `latency` until its receiver has combined it, and a rank can take a message
/// every `gap`, in any common unit; only their ratio matters. Where a message occupies a rank for o and travels for L,
/// latency = L + 2 o and gap is o, or the g of LogP if that is more. The root does not matter to the length.
/// Requires latency >= gap > 0, both finite, else std::invalid_argument when schedules are generated.
/// Cost: the least t with N(t) >= p, where N(t) = N(t - gap) + N(t - latency) and N = 1 before `latency`; no reduction
/// without segments is shorter. With latency = gap it is a binomial tree, with latency = 2 gap the Fibonacci tree, and
/// the longer messages take, the more ranks send to the root.
/// Cost to generate: O(latency / gap log p + log³ p) on every rank. Source: [barnoy92]; [karp93].
/// Counts of reduce: the shortest tree for messages that take long and occupy ranks briefly | m | up to (p - 1) m.
struct postal_tree {
    double latency = 5;
    double gap = 1;
    friend bool operator==(postal_tree const&, postal_tree const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<postal_tree>) { return {.name = "postal_tree"}; }

/// How many ranks a postal tree has. Times are whole numbers of gaps and of latencies, so that all ranks count alike.
class postal_sizes {
public:
    struct time {
        std::ptrdiff_t gaps = 0;
        std::ptrdiff_t latencies = 0;
    };

    explicit postal_sizes(postal_tree const& costs) : latency_{costs.latency}, gap_{costs.gap} {
        if (!(gap_ > 0 && latency_ >= gap_ && language::is_finite(latency_) && language::is_finite(gap_))) {
            throw std::invalid_argument{
                "tutti: postal_tree needs a gap above 0 and a latency that is no less: who takes a message every gap "
                "has each one after the latency"};
        }
    }

    /// N(t), or `many`: the ranks that are j messages from the root, after k gaps that senders have waited, are
    /// binomial(k + j - 1, j - 1); of all k up to K = floor((t - j latency) / gap) together binomial(K + j, j).
    /// Cost: O(j²) for the longest path of j messages.
    [[nodiscard, gnu::cold]] std::size_t within(time t) const {
        std::size_t result = 0;
        for (std::ptrdiff_t messages = 0;; ++messages) {
            auto const waited = gaps_in(t.gaps, t.latencies - messages);
            if (waited < 0) { return result; }
            result += choose(waited, messages);
            if (result >= many) { return many; }
        }
    }

    /// The least time within which there are `size` ranks. Cost: O(log² p) calls of `within`.
    [[nodiscard, gnu::cold]] time least(std::size_t size) const {
        time best{};
        if (size == 1) { return best; }
        auto shortest = std::numeric_limits<double>::max();
        for (std::ptrdiff_t latencies = 1;; ++latencies) {
            std::ptrdiff_t below = -1, gaps = 0;
            while (within({gaps, latencies}) < size) { below = std::exchange(gaps, 2 * gaps + 1); }
            while (gaps - below > 1) {
                auto const middle = below + (gaps - below) / 2;
                (within({middle, latencies}) < size ? below : gaps) = middle;
            }
            time const found{gaps, latencies};
            if (units(found) < shortest * (1 - pricing::rounding)) {
                shortest = units(found);
                best = found;
            }
            if (gaps == 0) { return best; }
        }
    }

    [[nodiscard]] double units(time t) const {
        return static_cast<double>(t.gaps) * gap_ + static_cast<double>(t.latencies) * latency_;
    }

    /// Messages that the root takes in that time.
    [[nodiscard]] std::size_t to_root(time t) const {
        return static_cast<std::size_t>(gaps_in(t.gaps, t.latencies - 1) + 1);
    }

private:
    static constexpr std::size_t many = std::size_t{1} << 31;  // ranks

    [[nodiscard]] std::ptrdiff_t gaps_in(std::ptrdiff_t gaps, std::ptrdiff_t latencies) const {
        constexpr auto most = static_cast<double>(many);
        constexpr double rounding = 1e-9;  // gaps
        auto const further = std::floor(static_cast<double>(latencies) * latency_ / gap_ + rounding);
        return static_cast<std::ptrdiff_t>(std::clamp(static_cast<double>(gaps) + further, -1.0, most));
    }

    [[nodiscard]] static std::size_t choose(std::ptrdiff_t waited, std::ptrdiff_t messages) {
        std::size_t result = 1;
        for (std::ptrdiff_t i = 1; i <= messages; ++i) {
            result = result * static_cast<std::size_t>(waited + i) / static_cast<std::size_t>(i);
            if (result >= many) { return many; }
        }
        return result;
    }

    double latency_;
    double gap_;
};

/// The least time in which a message gets from one rank to all `size`, if it takes `latency` and a rank sends one every
/// `gap`.
[[nodiscard, gnu::cold]] inline double makespan_of(postal_tree const& costs, std::size_t size) {
    postal_sizes const sizes{costs};
    return sizes.units(sizes.least(size));
}

/// The messages of one rank. A tree of more than one rank is the child that the root takes last, within `latency` of
/// the end, and below the root the largest tree that is shorter by `gap`. So only first children, those taken last, are
/// not the largest of their length; each is half of the tree at most, and fits beside any root.
class postal_walk {
public:
    postal_walk(postal_tree const& costs, problem const& at) : sizes_{costs} {
        auto time = sizes_.least(at.size);
        rounds_ = at.size == 1 ? 0 : sizes_.to_root(time);
        std::size_t first = 0, last = at.size, rank = at.root;
        while (rank != at.rank) {
            auto const parent = rank;
            take_children(time, first, last, rank, [&](std::size_t child_first, std::size_t child_last) {
                if (at.rank < child_first || at.rank >= child_last) { return false; }
                first = rank = child_first;
                last = child_last;
                return true;
            });
            parent_ = {parent, round_, first, last};
            time = sizes_.least(last - first);
        }
        take_children(time, first, last, rank, [&](std::size_t child_first, std::size_t child_last) {
            children_.push_back({child_first, round_, child_first, child_last});
            return false;
        });
    }

    /// From the end back. The subtree of the rank below is the ranks [first, last).
    struct message {
        std::size_t peer;
        std::size_t rounds_left;
        std::size_t first;
        std::size_t last;
    };

    [[nodiscard]] std::size_t rounds() const { return rounds_; }
    [[nodiscard]] message parent() const { return parent_; }
    /// The one that is taken last first.
    [[nodiscard]] dynamic_array<message> const& children() const { return children_; }

private:
    // The children of `rank`, whose tree is the ranks [first, last), until `use(first, last)` of one returns that it is
    // the last to look at. What is taken last lies farthest from the root.
    template <class Use>
    void take_children(postal_sizes::time time, std::size_t first, std::size_t last, std::size_t rank, Use use) {
        for (auto round = parent_.rounds_left + 1; last - first > 1; ++round) {
            --time.gaps;
            auto const child = last - first - sizes_.within(time);
            round_ = round;
            if (child <= rank - first) {
                first += child;
                if (use(first - child, first)) { return; }
            } else {
                last -= child;
                if (use(last, last + child)) { return; }
            }
        }
    }

    postal_sizes sizes_;
    std::size_t rounds_ = 0;
    std::size_t round_ = 0;  // of the child that is looked at, from the end
    message parent_{};
    dynamic_array<message> children_;
};

[[nodiscard, gnu::cold]] inline lazy_schedule generate(collective::reduce, postal_tree const& costs,
                                                       problem const& at) {
    postal_walk const own{costs, at};
    block_list const whole{block_range{0, at.blocks.blocks()}};
    dynamic_array<step> steps;
    if (at.blocks.elements() != 0) {
        auto const& children = own.children();
        for (auto i = children.size(); i-- != 0;) {
            steps.push_back(step::receive_combine(own.rounds() - children[i].rounds_left, children[i].peer,
                                                  buffer::result(), whole,
                                                  children[i].peer < at.rank ? side::left : side::right));
        }
        if (at.rank != at.root) {
            steps.push_back(
                step::send(own.rounds() - own.parent().rounds_left, own.parent().peer, buffer::result(), whole));
        }
    }
    return stored_schedule(own.rounds(), std::move(steps));
}

/// Down the tree each rank sends its children, the one with most ranks below it first, the parts of these ranks.
///
/// Reversed, it is a gather. Counts of scatter: those of the reduce | m (p - 1)/p | 0.
constexpr facts describe(collective::scatter, std::type_identity<postal_tree>) { return {.name = "postal_tree"}; }

[[nodiscard, gnu::cold]] inline lazy_schedule generate(collective::scatter, postal_tree const& costs,
                                                       problem const& at) {
    postal_walk const own{costs, at};
    auto const parts = [&](postal_walk::message const& of) {
        return ownership::blocks_of_ranks(of.first, of.last - of.first, at.size, at.blocks.blocks());
    };
    dynamic_array<step> steps;
    if (at.rank != at.root) {
        auto const& from = own.parent();
        steps.push_back(step::receive(from.rounds_left - 1, from.peer, buffer::result(), parts(from)));
    }
    for (auto const& to : own.children()) {
        steps.push_back(step::send(to.rounds_left - 1, to.peer, buffer::result(), parts(to)));
    }
    return without_empty_blocks(at.blocks, stored_schedule(own.rounds(), std::move(steps)));
}

/// The root sends one message after another; below each of its children what takes longest is supposed to be the way to
/// the first child of the first child, which gets most.
[[nodiscard, gnu::cold]] inline double time_of(collective::scatter, postal_tree const& tree,
                                               pricing::message_costs const& costs, call_parameters const& now) {
    postal_sizes const sizes{tree};
    auto const part = pricing::part_of(now);
    auto const way_to_first = [&](postal_sizes::time time, std::size_t ranks) {
        double result = 0;
        while (ranks > 1) {
            if (sizes.within(time) != ranks) { time = sizes.least(ranks); }
            ranks -= sizes.within({time.gaps - 1, time.latencies});
            --time.latencies;
            result += costs.one_way(static_cast<double>(ranks) * part);
        }
        return result;
    };
    double begins = 0, result = 0;
    auto time = sizes.least(now.size);
    for (auto left = now.size; left > 1;) {
        auto const rest = sizes.within({time.gaps - 1, time.latencies});
        auto const child = left - rest;
        auto const bytes = static_cast<double>(child) * part;
        result = std::max(result, begins + costs.one_way(bytes) + way_to_first({time.gaps, time.latencies - 1}, child));
        begins += costs.gap(bytes);
        left = rest;
        --time.gaps;
    }
    return result;
}

/// The postal tree for messages of `bytes` bytes.
[[nodiscard, gnu::cold]] inline postal_tree postal_tree_for(pricing::message_costs const& costs, std::size_t bytes) {
    auto const volume = static_cast<double>(bytes);
    auto const latency = costs.one_way(volume);
    // only the ratio matters; in 256ths of a latency, so that rounding does not grow the tree differently
    auto const gap = costs.gap(volume);
    if (gap >= latency) { return {.latency = 256, .gap = 256}; }
    return {.latency = 256, .gap = std::max(std::floor(256 * gap / latency + pricing::rounding), 1.0)};
}

[[nodiscard, gnu::cold]] inline double time_of(collective::reduce, postal_tree const& tree,
                                               pricing::message_costs const& costs, call_parameters const& now) {
    // by the tree's whole numbers, so that what comes at the same time counts as such
    return makespan_of(tree, now.size) / tree.latency * costs.one_way(static_cast<double>(now.bytes));
}

}  // namespace tutti::generators

namespace tutti {
using generators::postal_tree;
}  // namespace tutti
