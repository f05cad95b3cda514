// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include <tutti/cost/price.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/generator/butterfly.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/hypercube.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// Groups of 1, 2, 4, ... ranks become one with their neighbours, and in the first h of the d = ⌈log2 p⌉ levels share
/// out the vector, halving after halving, so that each rank works on 1/2^h of it. On the way back each group receives
/// from its neighbours the product of what lies before it, or the total, or both.
///
/// If p = P + r with P = 2^⌊log2 p⌋ < p, the first 2r ranks are pairs that either share the vector too, while the other
/// ranks do the work of two (`beside`, at least one halving), or fold: the odd rank leaves all work to the even one
/// (`folded`, at most ⌊log2 p⌋ halvings).
/// Result: on rank i prefix x_0 ⊕ ... ⊕ x_{i-1}, result that ⊕ x_i, the total, or prefix and total.
/// Rounds: d + h; folded ⌊log2 p⌋ + h + 2. For both prefix and total two messages in each of the last h.
/// Cost for p = P and equal blocks, u = 2 for prefix and total, otherwise 1: (d + uh) α + ((1+u)(1 - 2^-h) + (d - h)
/// 2^-h) mβ + at most 2 (1 + (d - h - 1) 2^-h) mγ, mγ more if inclusive. To generate: O(log² p).
/// Source: [bae98]; ranks that are no power of two are new.
/// Counts of scans: at most 2 L - 1 | at most 2 m | at most 2 m, inclusive 3 m.
/// Counts of scan_reduce: at most 2 L - 1 | at most 3 m | at most 3 m.
/// Picture: --collective all_reduce --algorithm split --size 7 --blocks 4 --tcomm 1 --tcomp 0 --ports bidirectional
///     0  0cd>1 1ab>0 2cd>3 3ab>2 4cd>5 5ab>4
///     2  0b>2 1d>3 2a>0 3c>1 4b>6 6a>4
///     3  0a>4 4a>0 5d>6 6c>5
///     4  1c>5 2b>6 5c>1 6b>2
///     5  0a>2 2b>0 3d>6 6d>3
///     6  1c>3 3d>1 4a>6 6b>4
///     7  0ab>1 1cd>0 2ab>3 3cd>2 5c>6 6d>5
///     8  4ab>5 5cd>4
struct split {
    enum placing : std::uint8_t { automatic, beside, folded };

    std::optional<std::size_t> halvings{};  ///< at most d; left out: chosen by the length
    placing placement = automatic;          ///< of pairs; `automatic`: `beside` if anything is halved

    /// Bytes whose transfer is supposed to take as long as the latency of a message.
    static constexpr std::size_t bytes_per_latency = 12 * 1024;
    /// Ranks among which a rank of a reduce_scatter lists parts that do not lie side by side.
    static constexpr std::size_t most_listed = 4096;

    friend bool operator==(split const&, split const&) = default;
};

/// The most halvings that a call of `split` makes: its parameter, or as many as save any volume.
[[nodiscard]] constexpr std::size_t most_halvings(split const& generator, hypercube const& all, std::size_t results) {
    auto const levels = generator.placement == split::folded ? all.fold.levels() : all.levels();
    if (generator.halvings) { return std::min(*generator.halvings, levels); }
    return levels - std::min(results, levels);
}

/// As many blocks as the ranks need to share a vector of `bytes` bytes out. One more halving costs `results` messages,
/// and saves fewer elements than the one before.
[[nodiscard]] constexpr std::size_t split_blocks(split const& generator, std::size_t size, std::size_t bytes,
                                                 std::size_t results) {
    hypercube const all{size};
    auto const most = most_halvings(generator, all, results);
    auto const saves = [&](std::size_t h) {
        return (bytes >> (h + 1)) * (most - h) > results * split::bytes_per_latency;
    };
    std::size_t h = generator.placement == split::beside && !all.is_power_of_two() ? 1 : 0;
    while (h < most && (generator.halvings || saves(h))) { ++h; }
    return std::size_t{1} << h;
}

/// How the ranks share the vector once it is cut.
[[nodiscard]] constexpr hypercube_intervals split_intervals(split const& generator, std::size_t size,
                                                            std::size_t blocks, std::size_t results) {
    hypercube const all{size};
    auto const useful = blocks == 0 ? 0 : schedules::bit_width(blocks - 1);
    auto const most = most_halvings(generator, all, results);
    auto const h = generator.halvings ? most : std::min(most, useful);
    if (all.is_power_of_two()) { return {blocks, h}; }
    if (generator.placement == split::folded || (generator.placement == split::automatic && h == 0)) {
        return {blocks, h + 1, true};
    }
    return {blocks, std::max<std::size_t>(h, 1)};
}

/// The collectives that `split` implements, all of them below.
template <class Collective>
concept split_collective =
    collective::scan_collective<Collective> || std::same_as<Collective, collective::all_reduce> ||
    std::same_as<Collective, collective::reduce_scatter>;

template <split_collective Collective>
constexpr facts describe(Collective, std::type_identity<split>) {
    return {.name = "split", .one_ported = false, .keeps_round_order = true};
}

template <split_collective Collective>
    requires(!collective::divides<Collective>)
[[nodiscard]] constexpr std::size_t blocks_for(Collective, split const& generator, std::size_t size,
                                               std::size_t bytes) {
    return generators::split_blocks(generator, size, bytes, collective::results_of<Collective>);
}

/// The steps of one rank in a scan over levels in which leaves share the vector and then join it again.
///
/// In a level the product of the lower group stays where it is, and the product of both replaces the upper group's, so
/// that an exclusive scan copies nothing. Empty blocks of a prefix are not sent.
template <collective::scan_collective Collective>
class split_scan {
public:
    split_scan(problem const& at, hypercube_intervals const& shares)
        : at_{at},
          leaf_{hypercube{at.size}.of(at.rank).first},
          halvings_{shares.halvings},
          levels_{levels_of(at.rank, hypercube{at.size}, shares)},
          lower_(halvings_) {
        for (std::size_t k = 0; k < levels_.size(); ++k) { k < halvings_ ? divide(k) : exchange(k); }
        for (auto k = halvings_; k-- > 0;) { unite(k); }
        if (inclusive && at.rank != 0) { append_own(); }
    }

    [[nodiscard]] std::size_t rounds() const { return levels_.size() + halvings_; }
    [[nodiscard]] dynamic_array<step> steps() && { return std::move(steps_); }

private:
    static constexpr bool inclusive = std::same_as<Collective, collective::inclusive_scan>;
    static constexpr bool with_total = collective::results_of<Collective> == 2;
    static constexpr buffer own = buffer::result();
    static constexpr buffer prefix = buffer::prefix();

    void divide(std::size_t k) {
        auto const& level = levels_[k];
        if (level.exchanges.empty()) { return; }
        give(k);
        auto const fresh = scratch(k);
        lower_[k] = level.upper ? fresh : product_;
        if (level.upper) {
            keep_own(k);
        } else {
            product_ = fresh;
        }
        for (auto const& each : level.exchanges) {
            add(step::receive(k, each.peer, fresh, each.kept));
            add(step::combine(k, lower_[k], product_, each.kept, side::left));
        }
    }

    void exchange(std::size_t k) {
        give(k);
        keep_own(k);
        for (auto const& each : levels_[k].exchanges) {
            if (levels_[k].upper) {
                auto const fresh = scratch(halvings_);
                add(step::receive(k, each.peer, fresh, each.kept));
                add(step::combine(k, fresh, prefix, each.kept, side::left));
                add(step::combine(k, fresh, product_, each.kept, side::left));
            } else {
                add(step::receive_combine(k, each.peer, product_, each.kept, side::right));
            }
        }
    }

    void unite(std::size_t k) {
        auto const& level = levels_[k];
        auto const round = rounds() - 1 - k;
        bool const anything_before = leaf_ >> (k + 1) != 0;
        for (auto const& each : level.exchanges) {
            if (level.upper) {
                if (anything_before) { add(step::send(round, each.peer, prefix, each.kept)); }
            } else {
                if (anything_before) { add(step::combine(round, prefix, lower_[k], each.kept, side::left)); }
                add(step::send(round, each.peer, lower_[k], each.kept));
            }
            if (with_total) { add(step::send(round, each.peer, product_, each.kept)); }
        }
        if (with_total && lower_[k] == own && !level.exchanges.empty()) {
            // from here on `result` holds nothing else
            for (auto const& each : level.exchanges) { add(step::copy(round, product_, own, each.kept)); }
            product_ = own;
        }
        for (auto const& each : level.exchanges) {
            if (level.upper || anything_before) { add(step::receive(round, each.peer, prefix, each.given)); }
            if (level.upper) { add(step::combine(round, lower_[k], prefix, each.kept, side::right)); }
            if (with_total) { add(step::receive(round, each.peer, product_, each.given)); }
        }
    }

    void give(std::size_t k) {
        for (auto const& each : levels_[k].exchanges) { add(step::send(k, each.peer, product_, each.given)); }
    }

    // An inclusive scan needs the rank's operand in the end: it must not become part of a product where it is.
    void keep_own(std::size_t k) {
        if (!inclusive || product_ != own) { return; }
        product_ = scratch(halvings_ + 1);
        for (auto const& each : levels_[k].exchanges) { add(step::copy(k, own, product_, each.kept)); }
    }

    // A lower rank has sent its first partner what lies before that, which is what it needs itself.
    void append_own() {
        auto const round = rounds() - 1;
        std::size_t const first = levels_.front().exchanges.empty() ? 1 : 0;
        if (first >= halvings_ || levels_[first].upper) {
            add(step::combine(round, prefix, own, block_range{0, at_.blocks.blocks()}, side::left));
            return;
        }
        for (auto const& each : levels_[first].exchanges) {
            add(step::combine(round, prefix, own, each.given, side::left));
        }
    }

    [[nodiscard]] static buffer scratch(std::size_t which) {
        return buffer::scratch(static_cast<std::uint32_t>(which));
    }

    void add(step next) {
        if (schedules::holds_elements(at_.blocks, next.blocks)) { steps_.push_back(std::move(next)); }
    }

    problem at_;
    std::size_t leaf_;
    std::size_t halvings_;
    dynamic_array<hypercube_level> levels_;
    dynamic_array<buffer> lower_;  // of each halving level: where the product of the lower group is
    buffer product_ = own;       // of the group so far
    dynamic_array<step> steps_;
};

template <collective::scan_collective Collective>
[[nodiscard]] lazy_schedule generate(Collective, split const& generator, problem const& at) {
    split_scan<Collective> all{
        at, generators::split_intervals(generator, at.size, at.blocks.blocks(), collective::results_of<Collective>)};
    auto const rounds = all.rounds();
    return schedules::stored_schedule(rounds, std::move(all).steps());
}

/// The blocks that leaves keep if every rank is to end with its own blocks: after k levels a leaf has the blocks of all
/// leaves that agree with it in the lowest k bits.
struct leaf_parts {
    hypercube all;
    std::size_t size;
    std::size_t blocks;

    /// Cost: O(p / 2^levels).
    [[nodiscard]] block_list kept(leaf_range which, std::size_t levels) const {
        auto const stride = std::size_t{1} << levels;
        block_list result;
        block_range last{};  // grows while ranges continue one another
        for (auto first = which.first % stride; first < all.count(); first += stride) {
            for (auto leaf = first; leaf < first + which.last - which.first; ++leaf) {
                auto const rank = all.rank_of(leaf);
                if (all.owner(rank) != leaf) { continue; }
                auto const part = ownership::blocks_of(rank, size, blocks);
                if (part.first != last.last) { result.append(std::exchange(last, part)); }
                last.last = part.last;
            }
        }
        result.append(last);
        return result;
    }
};

/// The reduce_scatter of more than `most_listed` ranks.
[[nodiscard, gnu::cold]] inline lazy_schedule split_and_return_parts(problem const& at) {
    hypercube const all{at.size};
    auto const blocks = at.blocks.blocks();
    hypercube_intervals const intervals{blocks, all.levels()};
    auto steps = split_stage(levels_of(at.rank, all, intervals));
    auto const round = all.levels();
    auto const own = ownership::blocks_of(at.rank, at.size, blocks);
    for (auto leaf = all.of(at.rank).first; leaf < all.of(at.rank).last; ++leaf) {
        auto const held = intervals.interval(leaf, all.levels());
        for (auto block = held.first; block < held.last;) {
            auto const owner = ownership::owner_of(block, at.size, blocks);
            auto const end = std::min(ownership::blocks_of(owner, at.size, blocks).last, held.last);
            if (owner != at.rank) {
                steps.push_back(step::send(round, owner, buffer::result(), block_range{block, end}));
            }
            block = end;
        }
    }
    for (auto block = own.first; block < own.last;) {
        auto const leaf = intervals.leaf_with(block);
        auto const end = std::min(intervals.interval(leaf, all.levels()).last, own.last);
        auto const peer = all.rank_of(leaf);
        if (peer != at.rank) {
            steps.push_back(step::receive(round, peer, buffer::result(), block_range{block, end}));
        }
        block = end;
    }
    return without_empty_blocks(at.blocks, stored_schedule(round + 1, std::move(steps)));
}

/// Groups of 1, 2, 4, ... ranks become one with their neighbours and share out the parts of all ranks: each rank keeps
/// every second rank's part, then every fourth's, and at last its own.
///
/// If p is no power of two, with P = 2^⌊log2 p⌋ < p, the first p - P pairs share the vector, and the other ranks do the
/// work of two, with up to two messages a round. Every level halves, whatever the parameters.
/// Among more than `most_listed` ranks, where lists of every second part would be long, neighbouring parts stay
/// together, and one more message takes each part from the rank whose number is its owner's backwards, in bits, to the
/// owner.
/// Reversed, it is an all_gather. A rank receives as many parts as it sends, for p > P at most 1.5 times as many. There
/// is one round more beyond `most_listed`.
/// Cost for p = P and equal parts: log2 p α + (p-1)/p m (β + γ), the least; α + m/p β more beyond `most_listed`. To
/// generate: O(p), beyond `most_listed` O(log² p).
/// Source: [bae98]: the split stage. Counts of reduce_scatter: L | m (p - 1)/p | at most 5/4 m.
[[nodiscard, gnu::cold]] inline lazy_schedule generate(collective::reduce_scatter, split const&, problem const& at) {
    if (at.size > split::most_listed) { return split_and_return_parts(at); }
    hypercube const all{at.size};
    auto const levels = levels_of(at.rank, all, leaf_parts{all, at.size, at.blocks.blocks()});
    return without_empty_blocks(at.blocks, stored_schedule(levels.size(), split_stage(levels)));
}

/// Ranks share out the vector in the first h of ⌈log2 p⌉ levels, exchange what they have in the others, and collect the
/// total on the way back.
///
/// Rounds and cost: see `split`; combines (1 - 2^-h + (d - h) 2^-h) mγ. h = 0 is recursive doubling, h = d a butterfly.
/// Source: [bae98]. Counts of all_reduce: at most 2 L - 1 | at most 2 m | at most m.
[[nodiscard, gnu::cold]] inline lazy_schedule generate(collective::all_reduce, split const& generator,
                                                       problem const& at) {
    return exchange_and_return(split_intervals(generator, at.size, at.blocks.blocks(), 1), at);
}

[[nodiscard, gnu::cold]] inline double time_of(collective::all_reduce, split const& generator,
                                               pricing::message_costs const& costs, call_parameters const& now) {
    halving_cost const levels{generator.halvings.value_or(0), costs, now};
    return levels.reduce_scatter_time() + levels.all_gather_time();
}

/// The longest exchanges are the first, between neighbours.
[[nodiscard, gnu::cold]] inline double time_of(collective::reduce_scatter, split const&,
                                               pricing::message_costs const& costs, call_parameters now) {
    auto const part = pricing::part_of(now);
    now.bytes = now.size * static_cast<std::size_t>(part);
    halving_cost const levels{static_cast<std::size_t>(pricing::log2_of(now.size)), costs, now};
    auto const returned = costs.without_combines().one_way(part, now.mean_contention());
    return levels.reduce_scatter_time() + (now.size > split::most_listed ? returned : 0);
}

/// Bytes that a rank of `split` combines beside its messages of the halvings: a second product in rounds that halve
/// nothing, what lies before it on the way back, and its own operand in the end.
template <collective::scan_collective Scan>
[[nodiscard, gnu::cold]] double further_bytes(std::size_t halvings, call_parameters const& now) {
    hypercube const all{now.size};
    auto const levels = all.levels();
    auto const whole = static_cast<double>(now.bytes);
    auto const part = [&](std::size_t level) { return whole / static_cast<double>(std::size_t{1} << level); };
    // ranks of two leaves, which receive nothing in the last step back, do twice as much in all others
    bool const twice = !all.is_power_of_two() && halvings != 0;
    double result = 0;
    for (std::size_t k = halvings + 1; k < levels; ++k) { result += part(halvings); }
    for (std::size_t k = twice ? 1 : 0; k < std::min(halvings, levels - 1); ++k) { result += part(k + 1); }
    if (twice) { result *= 2; }
    return std::same_as<Scan, collective::inclusive_scan> ? result + whole : result;
}

template <collective::scan_collective Scan>
[[nodiscard, gnu::cold]] double time_of(Scan, split const& generator, pricing::message_costs const& costs,
                                        call_parameters const& now) {
    auto const halvings = generator.halvings.value_or(0);
    auto const whole = costs.whole();
    halving_cost const levels{halvings, whole, now};
    constexpr bool with_total = std::same_as<Scan, collective::scan_reduce>;
    auto const return_time =
        with_total ? levels.all_gather_time(collective::results_of<Scan>) : levels.scan_return_time();
    return levels.reduce_scatter_time() + return_time + costs.combine(generators::further_bytes<Scan>(halvings, now));
}

/// The number of halvings that takes the least time: each one saves fewer bytes than the one before.
template <class TimeOfHalvings>
[[nodiscard, gnu::cold]] split best_split(std::size_t size, TimeOfHalvings time_of_halvings) {
    auto least = std::numeric_limits<double>::max();
    std::size_t best = 0;
    // unless the number of ranks is a power of two, pairs share the vector: one halving at least
    for (std::size_t halvings = std::has_single_bit(size) ? 0 : 1;
         halvings <= static_cast<std::size_t>(pricing::log2_of(size)); ++halvings) {
        auto const time = time_of_halvings(halvings);
        if (time < least * (1 - pricing::rounding)) {
            least = time;
            best = halvings;
        }
    }
    return {.halvings = best};
}

}  // namespace tutti::generators

namespace tutti {
using generators::split;
}  // namespace tutti
