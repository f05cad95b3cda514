// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>

#include <tutti/collective.hpp>
#include <tutti/cost/call_parameters.hpp>

namespace tutti::pricing {

/// Costs of the messages of a call with these parameters, which their receivers combine or only store.
class message_costs {
public:
    static message_costs combining(call_parameters const& now) { return {now, now.combine_per_byte}; }
    static message_costs transfer_only(call_parameters const& now) { return {now, 0}; }
    /// Where operands are combined while they are read, and partial results are not read again: the slower one of
    /// memory and operator counts.
    static message_costs combining_lent(call_parameters const& now) {
        auto const reading = now.reads_in_place() ? now.link().per_byte : 0;
        return {now, std::max(now.combine_per_byte - reading, 0.0)};
    }

    /// The same messages, which are only stored.
    [[nodiscard, gnu::noinline, gnu::cold]] message_costs without_combines() const {
        auto result = *this;
        result.combine_per_byte_ = 0;
        return result;
    }

    /// The same messages, each combined once all of it has arrived.
    [[nodiscard]] message_costs whole() const {
        auto result = *this;
        result.piece_ = std::numeric_limits<double>::max();
        return result;
    }

    /// α = L + 2 o + 2 h: both ranks handle the message, too, for `machine_model::handling` each
    [[nodiscard]] double latency(contention const& factors = {}) const { return link_.transfer(0) * factors.latency; }
    /// m β
    [[nodiscard]] double transmission(double bytes, contention const& factors = {}) const {
        return bytes * link_.per_byte * factors.per_byte;
    }
    /// m γ
    [[nodiscard]] double combine(double bytes) const { return bytes * combine_per_byte_; }

    /// α + m (β + γ): from when a message is sent until it is combined. Pieces are combined while the next ones arrive.
    [[nodiscard, gnu::noinline, gnu::cold]] double one_way(double bytes, contention const& factors = {}) const {
        return latency(factors) + overlapped(bytes, transmission(bytes, factors));
    }

    /// The same where the rank sends as much meanwhile: the larger factor counts, of an exchange or of contention.
    [[nodiscard, gnu::noinline, gnu::cold]] double exchange(double bytes, contention const& factors = {}) const {
        return latency(factors) + overlapped(bytes, std::max(both_ways_, factors.per_byte) * transmission(bytes));
    }

    /// From one message to the next, where several go to one rank one after another.
    [[nodiscard, gnu::noinline, gnu::cold]] double gap(double bytes, contention const& factors = {}) const {
        return overlap(transmission(bytes, factors), link_.overhead * factors.overhead + combine(bytes), factors);
    }

    /// The same where the rank sends a message to another rank for each that it receives and combines. Messages from
    /// several ranks wait for links and for combines: transfers take `busy` times as long, and so do combines, unless
    /// processors move the messages.
    [[nodiscard, gnu::noinline, gnu::cold]] double stage(double bytes, double busy = 1,
                                                         contention const& factors = {}) const {
        auto const combining = (moved_by_processors_ ? 1 : busy) * combine(bytes);
        return overlap(busy * transmission(bytes, factors), 2 * link_.overhead * factors.overhead + combining, factors);
    }

    /// A round in which every rank sends `messages` messages of `bytes` bytes each, and then receives as many. They are
    /// combined in a fixed order; where all are cut into pieces, their pieces arrive in turn, and the first message
    /// is not complete much sooner than the last.
    [[nodiscard, gnu::noinline, gnu::cold]] double round(std::size_t messages, double bytes,
                                                         contention const& factors = {}) const {
        auto const count = static_cast<double>(messages);
        auto const kept = without_combines().exchange(bytes, factors);
        auto const first_comes = kept - link_.overhead;
        auto const next = bytes <= piece_ ? gap(bytes, factors) : transmission(bytes, factors) + combine(bytes);
        return std::max(first_comes, count * link_.overhead * factors.overhead) + (count - 1) * next + link_.overhead +
               (exchange(bytes, factors) - kept);
    }

private:
    [[gnu::noinline, gnu::cold]] message_costs(call_parameters const& now, double combine_per_byte)
        : link_{now.link()},
          both_ways_{now.exchange_factor()},
          combine_per_byte_{combine_per_byte},
          piece_{now.longest_message()},
          moved_by_processors_{now.on_one_node()} {
        link_.overhead += now.machine->handling;
    }

    /// Time of messages that are `moving` in the network and keep processors `working`: both overlap, but add up in
    /// shared memory. A rank that shares its core with others is often not scheduled when a message arrives.
    [[nodiscard, gnu::cold]] double overlap(double moving, double working, contention const& factors) const {
        auto const waits = moved_by_processors_ ? 1 : 1 - 1 / std::max(factors.overhead, 1.0);
        return std::max(link_.gap * factors.overhead, std::max(moving, working) + waits * std::min(moving, working));
    }

    // Transfer and combine of a message whose pieces are combined while the next ones arrive.
    [[nodiscard, gnu::cold]] double overlapped(double bytes, double moving) const {
        auto const working = combine(bytes);
        if (moved_by_processors_ || bytes <= piece_) { return moving + working; }
        return std::max(moving, working) + std::min(moving, working) / std::ceil(bytes / piece_ * (1 - rounding));
    }

    loggp link_;  // handling is part of the overhead
    double both_ways_;
    double combine_per_byte_;
    double piece_;
    bool moved_by_processors_;
};

/// ⌈log2 p⌉
[[nodiscard]] constexpr double log2_of(std::size_t size) {
    return size > 1 ? static_cast<double>(std::bit_width(size - 1)) : 0;
}

/// Bytes of a rank's part of the vector, the longest where they differ: in every round one rank or another has it.
[[nodiscard, gnu::cold]] inline double part_of(call_parameters const& now) {
    return std::max(static_cast<double>(now.longest_part),
                    static_cast<double>(now.bytes) / static_cast<double>(now.size));
}

/// Parameters of a pipeline's cost, apart from the number of its segments.
struct pipeline_cost {
    double hops;                   ///< messages that the first segment takes to its end
    double combines = 1;           ///< of the first segment at each hop, before it is sent on
    double messages = 1;           ///< that a rank receives on average for each further segment, and sends
    double kept = 0;               ///< of these, the ones that it does not combine
    double combines_at_once = 1;   ///< `busy` of message_costs::stage
    double contention_factor = 1;  ///< by which transfers on shared links are longer
    bool overtake = false;         ///< messages overtake one another: seldom one arrives while another is combined
};

/// Successive segments come from different ranks; but they are short, and a rank need not wait for one to get the next.
[[nodiscard, gnu::cold]] inline double segment_contention(call_parameters const& now) {
    return std::sqrt(now.change_of_distance());
}

/// Time of algorithms that send segments one after another: the hops of the first one, and a stage for each other one.
///
/// In seconds, where messages in flight together share latencies but not links. How long messages from several ranks to
/// one wait for each other, `fitted_contention` has.
/// In a network few messages of a pipeline share a link, but processors may be shared; in shared memory all ranks share
/// processors and memory.
[[nodiscard, gnu::cold]] inline double time_of_segments(std::size_t segments, pipeline_cost const& cost,
                                                        message_costs const& costs, call_parameters const& now) {
    auto const count = static_cast<double>(std::max<std::size_t>(segments, 1));
    auto const segment = static_cast<double>(now.bytes) / count;
    auto factors = now.mean_contention();
    if (!now.on_one_node()) { factors.latency = factors.per_byte = 1; }
    auto shared = factors;
    shared.per_byte *= cost.contention_factor;
    auto const transfer_only = costs.without_combines();
    auto next = costs.stage(segment, cost.combines_at_once, shared);
    auto kept = transfer_only.stage(segment, cost.combines_at_once, shared);
    if (now.size == 2) {  // one sends and the other one receives
        next = costs.gap(segment, factors);
        kept = transfer_only.gap(segment, factors);
    } else if (cost.overtake) {
        next = transfer_only.stage(segment, cost.combines_at_once, shared) +
               cost.combines_at_once * costs.combine(segment);
    }
    auto const hop = costs.one_way(segment, factors) + (cost.combines - 1) * costs.combine(segment);
    return cost.hops * hop + (count - 1) * ((cost.messages - cost.kept) * next + cost.kept * kept);
}

/// Whether the file of a generator states the time of a collective by it: `time_of(collective, generator, costs, now)`.
template <class Generator, class Collective>
concept has_formula = requires(Generator const& generator, message_costs const& costs, call_parameters const& now) {
    { time_of(Collective{}, generator, costs, now) } -> std::convertible_to<double>;
};

/// Seconds that a call is expected to take if all ranks enter it at once, by the costs in its parameters.
///
/// For choosing among algorithms with their best parameters: only the order of the times matters. How long messages of
/// several ranks delay each other on a link was measured in simulations of full-duplex networks.
template <class Collective, class Generator>
[[nodiscard, gnu::cold]] double expected_time(Collective which, Generator const& generator,
                                              call_parameters const& now) {
    if (now.size == 1) { return 0; }
    auto const costs =
        collective::combines<Collective> ? message_costs::combining(now) : message_costs::transfer_only(now);
    return time_of(which, generator, costs, now);
}

}  // namespace tutti::pricing
