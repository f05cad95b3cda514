// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <tutti/arrival/pattern.hpp>
#include <tutti/generator.hpp>
#include <tutti/generator/all_reduce/front_loaded_ring.hpp>
#include <tutti/generator/all_reduce/late_rank.hpp>
#include <tutti/generator/all_reduce/pre_reduced_ring.hpp>
#include <tutti/generator/all_reduce/recursive_doubling.hpp>
#include <tutti/generator/all_reduce/ring.hpp>
#include <tutti/generator/all_reduce/sorted_linear_tree.hpp>
#include <tutti/generator/all_reduce/split.hpp>
#include <tutti/selection/automatic.hpp>
#include <tutti/selection/forecast/circulant.hpp>
#include <tutti/selection/forecast/late_rank.hpp>
#include <tutti/selection/forecast/ring_family.hpp>

namespace tutti {

/// One of the algorithms among which arrivals decide, as a generator: a call is compiled once for all of them.
struct arrival_choice {
    using circulant_there_and_back = decltype(selection::circulant_all_reduce());
    using any = std::variant<ring, recursive_doubling, split, circulant_there_and_back, sorted_linear_tree,
                             pre_reduced_ring, front_loaded_ring, late_rank>;

    any algorithm;
    std::string_view why;
    std::int64_t after_last = 0;  ///< ns from the last arrival until the rank that arrives last has ended, as forecast

    /// The same schedules.
    friend bool operator==(arrival_choice const& a, arrival_choice const& b) { return a.algorithm == b.algorithm; }
};

constexpr facts describe(collective::all_reduce, std::type_identity<arrival_choice>) {
    return {.name = "arrival_aware", .requires_commutative = true, .one_ported = false};
}

[[nodiscard]] inline std::string name_of(collective::all_reduce which, arrival_choice const& choice) {
    return std::visit([&](auto const& chosen) { return name_of(which, chosen); }, choice.algorithm);
}

[[nodiscard]] inline std::size_t blocks_for(collective::all_reduce which, arrival_choice const& choice,
                                            std::size_t size, std::size_t bytes) {
    return std::visit([&](auto const& chosen) { return blocks_for(which, chosen, size, bytes); }, choice.algorithm);
}

[[nodiscard]] inline auto generate(collective::all_reduce which, arrival_choice const& choice, problem const& at) {
    return std::visit([&](auto const& chosen) { return stored(generate(which, chosen, at)); }, choice.algorithm);
}

namespace selection {

/// Compares what the algorithms are expected to take, given when the ranks are expected.
class comparison_by_arrivals {
public:
    comparison_by_arrivals(process_arrival_pattern const& expected, std::size_t bytes)
        : costs_{expected.costs}, by_rank_{expected.arrivals}, order_{expected.order()}, bytes_{bytes} {
        for (auto const rank : order_) { by_position_.push_back(by_rank_[rank]); }
        arrivals_.assign(by_rank_.begin(), by_rank_.end());
    }

    /// Since estimates are not exact, an algorithm that goes by them must gain more than 2 % of what an all_reduce
    /// takes without delays.
    [[nodiscard]] arrival_choice best() {
        consider_oblivious();
        auto const oblivious = std::exchange(least_, {});
        consider_late_rank();
        consider_ring_family();
        auto const without_delays = 2 * static_cast<std::int64_t>(size()) * costs_.transfer(bytes_);
        return oblivious.elapsed - least_.elapsed > without_delays / 50 ? least_.choice : oblivious.choice;
    }

private:
    struct candidate {
        arrival_choice choice;
        std::int64_t elapsed = std::numeric_limits<std::int64_t>::max();  ///< ns, of all ranks together
    };

    [[nodiscard]] std::size_t size() const { return order_.size(); }
    [[nodiscard]] static std::int64_t total(forecast::times const& each) {
        return std::accumulate(each.begin(), each.end(), std::int64_t{0});
    }

    /// A forecast must not take long beside what it is about: some 10 ns for each message, 2 % of the transfer.
    [[nodiscard]] bool is_cheap_to_forecast(std::size_t segments) const {
        auto const messages = static_cast<std::int64_t>(2 * segments * size());
        return 10 * messages <= costs_.transfer(bytes_) / 50;
    }

    /// `end` by position.
    void consider(arrival_choice::any algorithm, std::string_view why, forecast::times const& end) {
        auto const elapsed = total(end) - total(by_position_);
        if (elapsed < least_.elapsed) {
            least_ = {{std::move(algorithm), why, end.back() - by_position_.back()}, elapsed};
        }
    }

    [[nodiscard]] forecast::times by_position(forecast::times const& end) const {
        forecast::times result;
        for (auto const rank : order_) { result.push_back(end[rank]); }
        return result;
    }

    /// Without arrivals: in the order of arrival all the same, which for a plain ring makes no difference in the mean.
    template <class Generator>
    [[nodiscard]] forecast::times end_of_ring(Generator const& generator) const {
        auto const starts = ring_by_arrival(generator, size()).starts;
        return forecast::end_of_ring(starts, by_position_, costs_, (bytes_ - 1) / (starts.back() + 1) + 1);
    }

    /// What `automatic` takes for vectors of such length.
    void consider_oblivious() {
        if (!ring_pays({size(), bytes_})) {
            consider(circulant_all_reduce(), "nothing is gained by not waiting: fewest rounds",
                     by_position(forecast::end_of_circulant(by_rank_, costs_, bytes_)));
            return;
        }
        auto const hops = 2 * static_cast<std::int64_t>(size() - 1);
        consider(ring{}, "nothing is gained by not waiting: least volume",
                 is_cheap_to_forecast(size())
                     ? end_of_ring(pre_reduced_ring{})
                     : forecast::times(size(), by_position_.back() + hops * costs_.transfer(bytes_ / size())));
    }

    void consider_late_rank() {
        auto const segments = forecast::best_segments_of_late_rank(size(), costs_, bytes_);
        consider(late_rank{.arrivals = arrivals_, .segments = segments}, "one rank is late: the others go ahead",
                 forecast::end_of_late_rank(by_position_, costs_, bytes_, segments));
    }

    void consider_ring_family() {
        if (!is_cheap_to_forecast(size())) { return; }
        auto const tau = costs_.transfer((bytes_ - 1) / size() + 1);
        pre_reduced_ring const reduced{.arrivals = arrivals_, .tau = static_cast<double>(tau)};
        consider(reduced, "delays of some segments: early ranks reduce ahead", end_of_ring(reduced));
        sorted_linear_tree const tree{.arrivals = arrivals_};
        consider(tree, "delays as long as the vector: in the order of arrival", end_of_ring(tree));
        for (std::size_t const sub_segments : {2U, 3U, 4U, 6U, 8U}) {
            if (!is_cheap_to_forecast(sub_segments * size())) { return; }
            for (std::size_t const started : {0U, 1U}) {
                front_loaded_ring const loaded{
                    .arrivals = arrivals_, .sub_segments = sub_segments, .started = started};
                consider(loaded, "delays: the earliest rank starts most segments", end_of_ring(loaded));
            }
        }
    }

    link_costs costs_;
    forecast::times by_rank_;
    std::vector<std::size_t> order_;
    forecast::times by_position_;
    std::vector<double> arrivals_;
    std::size_t bytes_;
    candidate least_;
};

/// Arrivals do not matter for vectors that a tree of a few short messages has reduced before delays are noticed.
[[nodiscard]] inline arrival_choice choose_by_arrivals(process_arrival_pattern const& expected, std::size_t bytes) {
    if (bytes <= 4 * short_vector || expected.arrivals.size() < 3) {
        return choose<true>(collective::all_reduce{}, situation{expected.arrivals.size(), bytes},
                            [](auto const& generator, std::string_view why) { return arrival_choice{generator, why}; });
    }
    return comparison_by_arrivals{expected, bytes}.best();
}

}  // namespace selection

}  // namespace tutti
