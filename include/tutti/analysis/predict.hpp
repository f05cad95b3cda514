// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <tutti/analysis/bounds.hpp>
#include <tutti/analysis/closed_form.hpp>
#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/segments.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/papers/uni_greedy.hpp>
#include <tutti/partition.hpp>

namespace tutti::analysis {

/// How long a collective takes, and how long any algorithm for it takes at least in the same blocks.
struct prediction {
    double time = 0;
    bool closed_form = false;   ///< from a formula; otherwise from a simulation
    double lower_bound = 0;     ///< of every algorithm in the same blocks; other blocks may allow less
};

/// The time of the closed form that holds for `generator`, `cut` and `costs`, if there is one.
template <class Collective, generators::generator_for<Collective> Generator>
[[nodiscard]] std::optional<double> closed_form_of(Collective which, Generator const& generator, std::size_t size,
                                                   std::size_t root, partition const& cut, cost_model const& costs) {
    if (costs.transfers_at_once < size) { return std::nullopt; }
    if constexpr (has_closed_form<Collective, Generator, partition>) {
        return closed_form(which, generator, size, root, cut, costs);
    } else if constexpr (has_closed_form<Collective, Generator, equal_segments>) {
        auto const segments = equal_segments_of(cut);
        return segments ? closed_form(which, generator, size, root, *segments, costs) : std::nullopt;
    } else {
        return std::nullopt;
    }
}

/// The time when the last rank ends, by a closed form if one is exact for this generator, cut and cost model, otherwise
/// by a simulation; and a lower bound for all algorithms whose messages hold whole blocks of the same cut.
/// Requires root < size, else throws std::invalid_argument.
/// Closed form and simulation agree to the last bit if costs are integers.
template <class Collective, generators::generator_for<Collective> Generator>
[[nodiscard]] prediction predict(Collective which, Generator const& generator, std::size_t size, std::size_t root,
                                 partition const& cut, cost_model const& costs) {
    auto const formula =
        root < size ? analysis::closed_form_of(which, generator, size, root, cut, costs) : std::nullopt;
    auto const time = formula ? *formula : analysis::simulate(which, generator, size, root, cut, costs).makespan();
    return {time, formula.has_value(), analysis::lower_bound(which, size, cut, costs)};
}

/// Root 0.
template <class Collective, generators::generator_for<Collective> Generator>
[[nodiscard]] prediction predict(Collective which, Generator const& generator, std::size_t size, partition const& cut,
                                 cost_model const& costs) {
    return analysis::predict(which, generator, size, 0, cut, costs);
}

/// A reduction to rank 0.
template <generators::generator_for<collective::reduce> Generator>
[[nodiscard]] prediction predict(Generator const& generator, std::size_t size, partition const& cut,
                                 cost_model const& costs) {
    return analysis::predict(collective::reduce{}, generator, size, 0, cut, costs);
}

/// The times at which ranks are free in a uni-greedy reduction, in ascending order. The makespan depends on nothing
/// else: neither on ties nor on which of two ranks sends.
/// Times are exact as long as costs are integers.
class uni_greedy_times {
public:
    /// All of `size` ranks, at least one, are free at 0.
    explicit uni_greedy_times(std::size_t size) : free_(size + 1, 0.0) { free_.back() = never; }

    /// What `before` becomes by the reduction of one more segment. `before` is another object.
    /// Cost: O(p), and no allocation if both have as many ranks.
    void follow(uni_greedy_times const& before, double transfer, double combine) {
        free_.resize(before.free_.size());
        auto const* waiting = before.free_.data();
        auto* const sent = free_.data();
        auto const* received = sent;   // who received is free `combine` after who sent
        auto const first_free = [&] {
            auto const one = *waiting;
            auto const other = *received + combine;
            bool const from_waiting = one <= other;
            waiting += from_waiting;
            received += !from_waiting;
            return from_waiting ? one : other;
        };
        auto const operations = before.free_.size() - 2;
        sent[0] = never;
        for (std::size_t i = 0; i < operations; ++i) {
            first_free();
            auto const start = first_free();
            sent[i] = start + transfer;
            sent[i + 1] = never;
        }
        sent[operations] = first_free();
        sent[operations + 1] = never;
    }

    /// When the root has the last segment so far.
    [[nodiscard]] double makespan() const { return free_[free_.size() - 2]; }

private:
    static constexpr double never = std::numeric_limits<double>::max();

    std::vector<double> free_;   // and `never` behind the last
};

/// How long a uni-greedy reduction takes in segments of `segment` elements, the last one possibly shorter, if it is
/// planned for `costs`; nothing if that is more than `limit`. Cost: O(pq).
[[nodiscard]] inline std::optional<double> uni_greedy_time(std::size_t size, std::size_t elements, std::size_t segment,
                                                           cost_model const& costs,
                                                           double limit = std::numeric_limits<double>::max()) {
    uni_greedy_times now{size};
    auto next = now;
    for (auto left = elements; left != 0;) {
        auto const bytes = std::min(segment, left);
        next.follow(now, costs.transfer(bytes), costs.combine(bytes));
        std::swap(now, next);
        left -= bytes;
        auto least = now.makespan();
        if (left != 0 && size != 1) {
            // the root has yet to receive and combine all the rest
            auto const rest = cut_summary::by_segment(left, segment);
            least += static_cast<double>(rest.blocks - 1) * (costs.transfer(segment) + costs.combine(segment)) +
                     costs.transfer(rest.shortest) + costs.combine(rest.shortest);
        }
        if (least > limit) { return std::nullopt; }
    }
    return now.makespan();
}

/// The best size of equal segments for a reduction of `elements` elements on `size` ranks, the last segment possibly
/// shorter; of equals the longest. The generator's own number of segments does not matter.
/// Uni-greedy, unidirectional: the best of every segment size from 1 to m, for uni_greedy{.alpha, .beta, .gamma} with
/// the costs of `costs`, whatever those of `generator`. predict of a default uni_greedy{} is the time of a schedule
/// which was planned for other costs. Where there is a closed form, the best by it; `time` is then for ⌈m/s⌉ full
/// segments. Others: the best prediction for 1, 2, ..., 16 segments, and then for each number that is at least an
/// eighth larger than the last, up to the first that takes more than four times as long as the best.
/// Requires at least one rank. Cost: O(√m) with a formula; O(p m log m) for uni-greedy, but for bounds that end the
/// search; otherwise O(log m) predictions.
template <generators::generator_for<collective::reduce> Generator>
[[nodiscard]] segment_choice optimal_segments(Generator const& generator, std::size_t size, std::size_t elements,
                                              cost_model const& costs) {
    constexpr collective::reduce which{};
    if (elements == 0) { return {}; }
    if constexpr (std::same_as<Generator, uni_greedy>) {
        if (costs.model == ports::unidirectional) {
            segment_choice best{elements, 1, *uni_greedy_time(size, elements, elements, costs)};
            for (auto segment = elements - 1; segment != 0; --segment) {
                auto const cut = cut_summary::by_segment(elements, segment);
                if (lower_bound(which, size, cut, costs) >= best.time) { continue; }
                auto const time = uni_greedy_time(size, elements, segment, costs, best.time);
                if (time && *time < best.time) { best = {segment, cut.blocks, *time}; }
            }
            return best;
        }
    }
    auto const formula = [&](std::size_t segment, std::size_t segments) -> std::optional<double> {
        if constexpr (has_closed_form<collective::reduce, Generator, equal_segments>) {
            if (auto const time = closed_form(which, generator, size, 0, equal_segments{segments, segment}, costs)) {
                return time;
            }
        }
        return std::nullopt;
    };
    if (formula(elements, 1)) {
        return analysis::best_segments(
            elements, [&](std::size_t segment, std::size_t segments) { return *formula(segment, segments); });
    }
    segment_choice best{};
    for (std::size_t wanted = 1; wanted <= elements; wanted += std::max<std::size_t>(1, wanted / 8)) {
        auto const segment = (elements - 1) / wanted + 1;
        auto const cut = partition::by_segment(elements, segment);
        if (cut.blocks() == best.segments) { continue; }
        auto const time = analysis::predict(which, generator, size, cut, costs).time;
        if (best.segments == 0 || time < best.time) { best = {segment, cut.blocks(), time}; }
        if (time > 4 * best.time) { break; }
    }
    return best;
}

}  // namespace tutti::analysis

namespace tutti {
using analysis::optimal_segments;
using analysis::predict;
}  // namespace tutti
