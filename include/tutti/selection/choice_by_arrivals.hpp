// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/arrival/pattern.hpp>
#include <tutti/generator/any_generator.hpp>
#include <tutti/generator/front_loaded_ring.hpp>
#include <tutti/generator/late_rank.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/pre_reduced_ring.hpp>
#include <tutti/generator/ring.hpp>
#include <tutti/generator/sorted_linear_tree.hpp>
#include <tutti/problem.hpp>
#include <tutti/selection/candidates/all_reduce.hpp>

namespace tutti::selection::forecast {

using times = std::vector<std::int64_t>;  ///< ns, by position

/// When each position of a ring of `starts` ends, if position p arrives at arrivals[p], sorted, a segment takes
/// `transfer` until it has been combined, and the next one can follow after `interval`.
///
/// A message leaves when its sender has what it sends, the message before it has left, and its receiver has arrived; a
/// position has ended when it has all results and its own messages have left. In whole nanoseconds: all ranks compute
/// the same.
/// Cost: O(p S) for S segments.
/// Source: the timed model of [proficz18]; with receives that are posted early, and messages that follow one another
/// faster than they arrive.
[[nodiscard]] inline times end_of_ring(std::vector<std::size_t> const& starts, times const& arrivals,
                                       std::int64_t transfer, std::int64_t interval) {
    auto const size = arrivals.size();
    auto const segments = starts.back() + 1;
    std::vector<std::size_t> started(size);  // segments that begin their way at a position
    for (std::size_t p = 0; p < size; ++p) { started[p] = p == 0 ? starts[0] + 1 : starts[p] - starts[p - 1]; }
    auto const next = [size](std::size_t p) { return p + 1 == size ? 0 : p + 1; };
    std::vector<std::size_t> sends(size);
    for (std::size_t p = 0; p < size; ++p) { sends[p] = 2 * segments - started[next(p)] - started[next(next(p))]; }

    times now = arrivals;
    times link_free = arrivals;  // when the last message of a position has left
    std::vector<times> posted(size);
    for (std::size_t p = 0; p < size; ++p) { posted[p].resize(sends[p]); }
    for (std::size_t i = 0; i < 2 * segments; ++i) {
        for (std::size_t p = 0; p < size; ++p) {
            if (i >= started[p] && i < 2 * segments - started[next(p)]) {
                auto const before = p == 0 ? size - 1 : p - 1;
                auto const start = std::max({posted[before][i - started[p]], link_free[before], arrivals[p]});
                link_free[before] = start + interval;
                now[p] = std::max(now[p], start + transfer);
            }
            if (i < sends[p]) { posted[p][i] = now[p]; }
        }
    }
    for (std::size_t p = 0; p < size; ++p) { now[p] = std::max(now[p], link_free[p]); }
    return now;
}

/// The number of segments for which the reduction of the early ranks and the distribution take least, each about
/// (n - 1 + q)(α + m (β + γ) / q), if a message of no bytes takes `latency` and the vector `whole` more.
[[nodiscard]] inline std::size_t best_segments_of_late_rank(std::size_t size, std::size_t bytes, std::int64_t latency,
                                                            std::int64_t whole) {
    auto const rounds = static_cast<double>(generators::late_broadcast_rounds(size, 1));
    return std::clamp<std::size_t>(
        static_cast<std::size_t>(std::sqrt(rounds * static_cast<double>(whole) / static_cast<double>(latency))), 2,
        bytes / 8 + 2);
}

/// When the positions end, if position p arrives at arrivals[p], sorted, and a segment takes `transfer`: the last rank
/// waits for the others' result, they for what the last one brings. Ranks do not keep step, so that messages of
/// different rounds meet and wait for each other: that takes a fifth more in simulations of real programs (SMPI of
/// SimGrid 3.32, eth1g, 48 ranks, 4 MiB, November 2026; `./dev bench arrivals`).
[[nodiscard]] inline times end_of_late_rank(times const& arrivals, std::int64_t transfer, std::size_t segments) {
    auto const size = arrivals.size();
    auto const round = transfer * 6 / 5;
    auto const before = static_cast<std::int64_t>(generators::early_reduction_rounds(size, segments)) * round;
    auto const after = static_cast<std::int64_t>(generators::late_broadcast_rounds(size, segments)) * round;
    return times(size, std::max(arrivals[size - 2] + before, arrivals[size - 1]) + after);
}

}  // namespace tutti::selection::forecast

namespace tutti::generators {

/// One of the algorithms among which arrivals decide, as a generator: a call is compiled once for all of them.
struct arrival_choice {
    any_generator<collective::all_reduce> algorithm = ring{};
    std::string_view why;
    std::int64_t after_last = 0;  ///< ns from the last arrival until the rank that arrives last has ended, as forecast
    std::int64_t to_end = 0;      ///< ns from the last arrival until all ranks have ended
    std::int64_t gain = 0;        ///< ns that a rank gains in the mean by an algorithm that uses arrivals, as forecast
    std::int64_t without = 0;     ///< ns from the last arrival to the end by what does not

    /// The same schedules.
    friend bool operator==(arrival_choice const& a, arrival_choice const& b) { return a.algorithm == b.algorithm; }
};

constexpr facts describe(collective::all_reduce, std::type_identity<arrival_choice>) {
    return {.name = "arrival_aware", .requires_commutative = true, .one_ported = false};
}

[[nodiscard]] inline std::string name_of(collective::all_reduce, arrival_choice const& choice) {
    return choice.algorithm.name();
}

[[nodiscard]] inline std::size_t blocks_for(collective::all_reduce, arrival_choice const& choice, std::size_t size,
                                            std::size_t bytes) {
    return choice.algorithm.blocks(size, bytes);
}

[[nodiscard]] inline facts const& facts_about(collective::all_reduce, arrival_choice const& choice) {
    return choice.algorithm.stated();
}

[[nodiscard]] inline lazy_schedule generate(collective::all_reduce, arrival_choice const& choice, problem const& at) {
    return choice.algorithm.schedule_of(at);
}

}  // namespace tutti::generators

namespace tutti::selection {

[[nodiscard]] inline candidate_list<collective::all_reduce>::candidate choose_obliviously(call_parameters const& now) {
    return candidates_for(collective::all_reduce{}, now, true).best();
}

/// Compares the times that the algorithms are expected to take, given when the ranks are expected.
class comparison_by_arrivals {
public:
    comparison_by_arrivals(process_arrival_pattern const& expected, call_parameters const& now)
        : now_{now},
          costs_{pricing::message_costs::combining(now)},
          time_scale_{expected.time_scale.value()},
          order_{expected.order()} {
        for (auto const rank : order_) { by_position_.push_back(expected.arrivals[rank]); }
        arrivals_.assign(expected.arrivals.begin(), expected.arrivals.end());
    }

    /// Since estimates are not exact, an algorithm that uses them must gain more than 2 % of what an all_reduce
    /// takes without delays.
    [[nodiscard]] generators::arrival_choice best() {
        consider_oblivious();
        auto const oblivious = std::exchange(least_, {});
        consider_late_rank();
        consider_ring_family();
        auto const without_delays = 2 * static_cast<std::int64_t>(size()) * transfer(now_.bytes);
        auto result = oblivious.elapsed - least_.elapsed > without_delays / 50 ? least_.choice : oblivious.choice;
        auto const ranks = static_cast<std::int64_t>(size());
        result.gain = (oblivious.elapsed - least_.elapsed) / ranks;
        result.without = oblivious.choice.after_last;
        return result;
    }

private:
    struct candidate {
        generators::arrival_choice choice;
        std::int64_t elapsed = std::numeric_limits<std::int64_t>::max();  ///< ns, of all ranks together
    };

    [[nodiscard]] std::size_t size() const { return order_.size(); }

    /// In whole nanoseconds, at least one.
    [[nodiscard]] std::int64_t time_of(double seconds) const {
        return std::max<std::int64_t>(1, std::llround(seconds * time_scale_ * 1e9));
    }
    [[nodiscard]] std::int64_t transfer(std::size_t bytes) const {
        return time_of(costs_.one_way(static_cast<double>(bytes)));
    }
    /// The bytes of one of `count` segments.
    [[nodiscard]] std::size_t segment(std::size_t count) const { return (now_.bytes - 1) / count + 1; }

    [[nodiscard]] static std::int64_t total(forecast::times const& each) {
        return std::accumulate(each.begin(), each.end(), std::int64_t{0});
    }

    /// A forecast must not take long beside what it is about: some 10 ns for each message, 2 % of the transfer.
    [[nodiscard]] bool is_cheap_to_forecast(std::size_t segments) const {
        auto const messages = static_cast<std::int64_t>(2 * segments * size());
        return 10 * messages <= transfer(now_.bytes) / 50;
    }

    /// `end` by position.
    void consider(generators::any_generator<collective::all_reduce> algorithm, std::string_view why,
                  forecast::times const& end) {
        auto const elapsed = total(end) - total(by_position_);
        if (elapsed < least_.elapsed) {
            auto const last = by_position_.back();
            least_ = {{std::move(algorithm), why, end.back() - last, *std::max_element(end.begin(), end.end()) - last},
                      elapsed};
        }
    }

    /// Without arrivals: in the order of arrival all the same, which for a plain ring makes no difference in the mean.
    template <class Generator>
    [[nodiscard]] forecast::times end_of_ring(Generator const& generator) const {
        auto const starts = generators::ring_by_arrival(generator, size()).starts;
        auto const bytes = segment(starts.back() + 1);
        return forecast::end_of_ring(starts, by_position_, transfer(bytes),
                                     time_of(costs_.gap(static_cast<double>(bytes))));
    }

    void consider_oblivious() {
        auto const fastest = choose_obliviously(now_);
        consider(fastest.generator, "nothing is gained by not waiting",
                 forecast::times(size(), by_position_.back() + time_of(fastest.seconds)));
        if (is_cheap_to_forecast(size())) {
            consider(ring{}, "nothing is gained by not waiting: least volume", end_of_ring(pre_reduced_ring{}));
        }
    }

    void consider_late_rank() {
        auto const segments =
            forecast::best_segments_of_late_rank(size(), now_.bytes, transfer(0), transfer(now_.bytes) - transfer(0));
        consider(late_rank{.arrivals = arrivals_, .segments = segments}, "one rank is late: the others go ahead",
                 forecast::end_of_late_rank(by_position_, transfer(segment(segments)), segments));
    }

    void consider_ring_family() {
        if (!is_cheap_to_forecast(size())) { return; }
        auto const tau = transfer(segment(size()));
        pre_reduced_ring const reduced{.arrivals = arrivals_, .tau = static_cast<double>(tau)};
        consider(reduced, "delays of some segments: early ranks reduce ahead", end_of_ring(reduced));
        sorted_linear_tree const tree{.arrivals = arrivals_};
        consider(tree, "delays as long as the vector: in the order of arrival", end_of_ring(tree));
        for (std::size_t const sub_segments : {2U, 3U, 4U, 6U, 8U}) {
            if (!is_cheap_to_forecast(sub_segments * size())) { return; }
            for (std::size_t const started : {0U, 1U}) {
                front_loaded_ring const loaded{.arrivals = arrivals_, .sub_segments = sub_segments, .started = started};
                consider(loaded, "delays: the earliest rank starts most segments", end_of_ring(loaded));
            }
        }
    }

    call_parameters const& now_;  // outlives this
    pricing::message_costs costs_;
    double time_scale_;
    std::vector<std::size_t> order_;
    forecast::times by_position_;
    std::vector<double> arrivals_;
    candidate least_;
};

/// Bytes; a choice, not a measurement.
inline constexpr std::size_t longest_unwatched = 64 * 1024;

/// They do not for vectors that a tree of a few short messages has reduced before delays are noticed. Where a tuning
/// rule names an algorithm, it counts.
[[nodiscard]] inline bool arrivals_matter(call_parameters const& now) {
    return now.bytes > longest_unwatched && now.size >= 3 && !now.rule;
}

[[nodiscard]] inline generators::arrival_choice choose_by_arrivals(process_arrival_pattern const& expected,
                                                                   call_parameters const& now) {
    if (!arrivals_matter(now)) {
        auto const usual = candidates_for(collective::all_reduce{}, now, true);
        return {usual.best().generator, usual.why()};
    }
    return comparison_by_arrivals{expected, now}.best();
}

}  // namespace tutti::selection
