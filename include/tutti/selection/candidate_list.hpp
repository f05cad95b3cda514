// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/generator.hpp>
#include <tutti/generator/any_generator.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/selection/expected_time.hpp>
#include <tutti/selection/call_parameters.hpp>

namespace tutti {

namespace selection {

/// Bytes. Vectors, and parts of them, are not cut into less: such messages are no sooner there than longer ones.
inline constexpr std::size_t shortest_message = 1024;

inline constexpr std::string_view why_least_time = "expected to take the least time";
inline constexpr std::string_view why_by_rule = "named by the tuning file";
inline constexpr std::string_view why_not_by_rule =
    "expected to take the least time, since what the tuning file names cannot be chosen here";

}  // namespace selection

/// Algorithms with the time that each is expected to take for the parameters of a call.
template <class Collective>
class candidate_list {
public:
    using candidate = expected_generator<Collective>;

    explicit candidate_list(call_parameters const& now) : now_{now} {}

    /// Relative tolerance of ties; the first that was added wins.
    static constexpr double tie_tolerance = 0.01;

    template <class Generator>
    [[gnu::cold]] void add(Generator const& generator) {
        push(generator, expected_time(Collective{}, generator, now_));
    }

    /// `make(n)` for the number n of segments that suits it best. Every segment costs ranks some work that no model of
    /// a network knows of, so that the longest are taken that cost no more than the tie tolerance.
    template <class Make>
    [[gnu::cold]] void add_in_segments(Make make) {
        if (now_.rule && now_.rule->segment != 0 && now_.rule->names(name_of(Collective{}, make(1)))) {
            return add(make(segments_of(now_.rule->segment)));
        }
        auto least = std::numeric_limits<double>::infinity();
        auto const all = cuts();
        dynamic_array<double> times;
        for (auto const n : all) {
            times.push_back(expected_time(Collective{}, make(n), now_));
            least = std::min(least, times.back());
        }
        std::size_t best = 1;
        for (std::size_t i = 0; i != all.size(); ++i) {
            if (times[i] <= least * (1 + tie_tolerance)) { best = all[i]; }
        }
        add(make(best));
    }

    [[nodiscard, gnu::cold]] dynamic_array<candidate> const& candidates() const { return candidates_; }

    /// The one that is expected to take the least time; if a rule names some, of these.
    [[nodiscard, gnu::cold]] candidate const& best() const {
        candidate const* least = nullptr;
        auto const only_named = any_is_named();
        for (auto const& each : candidates_) {
            if (only_named && !is_named(each)) { continue; }
            if (least == nullptr || each.seconds < least->seconds * (1 - tie_tolerance)) { least = &each; }
        }
        return *least;
    }

    /// All of them, the best one first.
    [[nodiscard, gnu::cold]] dynamic_array<candidate> best_first() const {
        auto result = candidates_;
        std::rotate(result.begin(), result.begin() + (&best() - candidates_.begin()), result.end());
        return result;
    }

    [[nodiscard, gnu::cold]] std::string_view why() const {
        if (!now_.rule) { return selection::why_least_time; }
        return any_is_named() ? selection::why_by_rule : selection::why_not_by_rule;
    }

private:
    [[nodiscard, gnu::cold]] bool is_named(candidate const& each) const {
        return now_.rule && (now_.rule->ports == 0 || now_.rule->ports == each.generator.ports()) &&
               now_.rule->names(each.generator.name());
    }
    [[nodiscard, gnu::cold]] bool any_is_named() const {
        for (auto const& each : candidates_) {
            if (is_named(each)) { return true; }
        }
        return false;
    }

    /// Number of segments of `bytes` bytes.
    [[nodiscard, gnu::cold]] std::size_t segments_of(std::size_t bytes) const {
        return now_.bytes == 0 ? 1 : (now_.bytes - 1) / bytes + 1;
    }

    // From short segments to long ones. On a node the whole vector may be one: segmentation does not
    // reduce latency there.
    [[nodiscard, gnu::cold]] dynamic_array<std::size_t> cuts() const {
        auto const longest = now_.on_one_node() ? now_.bytes : std::min<std::size_t>(now_.bytes, 128 * 1024);
        dynamic_array<std::size_t> result;
        for (auto segment = selection::shortest_message;; segment *= 2) {
            result.push_back(segments_of(segment));
            if (segment >= longest) { return result; }
        }
    }

    [[gnu::noinline, gnu::cold]] void push(any_generator<Collective> generator, double seconds) {
        candidates_.push_back({std::move(generator), seconds});
    }

    call_parameters const& now_;  // outlives this
    dynamic_array<candidate> candidates_;
};

}  // namespace tutti
