// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tutti/cost/call_parameters.hpp>
#include <tutti/cost/price.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/generator/any_generator.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/skips.hpp>
#include <tutti/generator/ported_circulant.hpp>
#include <tutti/selection/algorithm.hpp>
#include <tutti/selection/turns.hpp>

namespace tutti::selection {

/// Bytes. Vectors, and parts of them, are not cut into less: such messages are no sooner there than longer ones.
inline constexpr std::size_t shortest_message = 1024;

inline constexpr std::string_view why_least_time = "expected to take the least time";
inline constexpr std::string_view why_not_by_rule =
    "expected to take the least time, since what the tuning file names cannot be chosen here";

/// Algorithms with the time that each is expected to take for the parameters of a call.
template <class Collective>
class candidate_list {
public:
    using candidate = expected_generator<Collective>;

    explicit candidate_list(call_parameters const& now) : now_{now} {}

    /// Relative tolerance of ties; the first that was added wins.
    static constexpr double tie_tolerance = 0.01;

    /// Adds what the algorithm means for the collective, perhaps its reversal: see `algorithm_for`.
    template <class A>
    [[gnu::cold]] void add(A const& named) {
        auto const meant = generators::implementation_of(Collective{}, named);
        push(meant, pricing::expected_time(Collective{}, meant, now_));
    }
    template <class A>
    [[gnu::cold]] void add(A const& named, double seconds) {
        push(generators::implementation_of(Collective{}, named), seconds);
    }

    /// Adds `make(n)` for the number n of segments that takes the least time. Every segment costs ranks some work that
    /// no network model contains, so the longest segments are taken whose time is within the tie tolerance.
    template <class Make>
    [[gnu::cold]] void add_in_segments(Make make) {
        auto const meant = [&](std::size_t n) { return generators::implementation_of(Collective{}, make(n)); };
        if (now_.rule && now_.rule->segment != 0 && now_.rule->names(name_of(Collective{}, meant(1)))) {
            return add(meant(segments_of(now_.rule->segment)));
        }
        auto least = std::numeric_limits<double>::max();
        auto const all = cuts();
        dynamic_array<double> times;
        for (auto const n : all) {
            times.push_back(pricing::expected_time(Collective{}, meant(n), now_));
            least = std::min(least, times.back());
        }
        std::size_t best = 1;
        for (std::size_t i = 0; i != all.size(); ++i) {
            if (times[i] <= least * (1 + tie_tolerance)) { best = all[i]; }
        }
        add(meant(best));
    }

    [[nodiscard, gnu::cold]] dynamic_array<candidate> const& candidates() const { return candidates_; }

    /// The first candidate whose expected time is within 1 % of the least; if a rule names candidates, among these.
    [[nodiscard, gnu::cold]] candidate const& best() const {
        auto const only_named = any_is_named();
        auto const may_be_chosen = [&](candidate const& each) { return !only_named || is_named(each); };
        candidate const* least = nullptr;
        for (auto const& each : candidates_) {
            if (may_be_chosen(each) && (least == nullptr || each.seconds < least->seconds)) { least = &each; }
        }
        for (auto const& each : candidates_) {
            if (may_be_chosen(each) && each.seconds <= least->seconds * (1 + tie_tolerance)) { return each; }
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
        if (!now_.rule) { return why_least_time; }
        return any_is_named() ? why_by_rule : why_not_by_rule;
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
        if (now_.indivisible) { return {1}; }
        auto const longest = now_.on_one_node() ? now_.bytes : std::min<std::size_t>(now_.bytes, 128 * 1024);
        dynamic_array<std::size_t> result;
        for (auto segment = shortest_message;; segment *= 2) {
            result.push_back(segments_of(segment));
            if (segment >= longest) { return result; }
        }
    }

    [[gnu::noinline, gnu::cold]] void push(generators::any_generator<Collective> generator, double seconds) {
        auto const wanted = generator.blocks(now_.size, now_.bytes);
        if (now_.indivisible && wanted > (collective::divides<Collective> ? now_.size : 1)) { return; }
        auto const in_turns = selection::time_in_turns(generator, now_, seconds);
        candidates_.push_back({std::move(generator), in_turns});
    }

    call_parameters const& now_;  // outlives this
    dynamic_array<candidate> candidates_;
};

/// The most messages that a rank has under way at once: with more of them, latency is no longer what counts.
inline constexpr std::size_t most_ports = 16;

/// Each n up to `most_ports` with which p ranks need fewer rounds than with n - 1 at once. That messages at once take
/// less time than one after the other is not supposed of a network that has not been measured: by TCP at 100 Mbit/s an
/// all_reduce of 2 KiB over 16 hosts takes 1.3 times as long so (emulated by token buckets, Open MPI 4.1, 2026-11-29,
/// `collectives --model default`).
[[nodiscard, gnu::cold]] inline dynamic_array<std::size_t> numbers_of_ports(call_parameters const& now) {
    bool const is_known = now.on_one_node() || *now.machine != pricing::supposed_machine();
    dynamic_array<std::size_t> result;
    std::size_t fewest = now.size + 1;
    for (std::size_t ports = 1; ports <= (is_known ? most_ports : 1) && fewest > 1; ++ports) {
        auto const rounds = generators::dividing_skips{now.size, ports + 1}.count();
        if (rounds < fewest) {
            fewest = rounds;
            result.push_back(ports);
        }
    }
    return result;
}

/// The numbers of messages in which each rank's part may go round a ring. With one, every hop
/// takes a whole latency; with two, only where that is longer than a message; with four, where it is much longer. Two
/// also make up for ranks that are late.
[[nodiscard, gnu::cold]] inline dynamic_array<std::size_t> cuts_of_parts(call_parameters const& now) {
    dynamic_array<std::size_t> result;
    for (std::size_t const n : {2U, 1U, 4U}) {
        if (n == 1 || now.bytes >= n * now.size * shortest_message) { result.push_back(n); }
    }
    return result;
}

/// Adds the node-aware generators, unless all ranks share one node or each has its own.
template <class Ranking, class... NodeAware>
[[gnu::cold]] void add_node_aware(Ranking& result, call_parameters const& now, NodeAware... generators) {
    if (!now.nodes.divides(now.size)) { return; }
    auto const consider = [&](auto generator) {
        generator.nodes = now.nodes;
        if (generator.fits(now.size)) { result.add(generator); }
    };
    (consider(generators), ...);
}

/// Adds a circulant for each number of messages at once.
template <class Ranking>
[[gnu::cold]] void add_circulants(Ranking& result, call_parameters const& now) {
    result.add(circulant{});
    for (auto const ports : numbers_of_ports(now)) {
        if (ports > 1) { result.add(ported_circulant{.ports = ports}); }
    }
}

/// Adds algorithms as they are, with the best number of segments if they have that parameter, as far as what they
/// `describe` allows it.
template <class... Algorithms, class Collective>
[[gnu::cold]] void add_each(candidate_list<Collective>& result, call_parameters const& now, bool commutes) {
    auto const consider = [&]<class A>(std::type_identity<A>) {
        using meant = decltype(generators::implementation_of(Collective{}, std::declval<A const&>()));
        constexpr auto const& known = generators::facts_of<Collective, meant>;
        if ((known.requires_commutative && !commutes) || !known.supports(now.size)) { return; }
        if constexpr (requires(A named) { named.segments = std::size_t{}; }) {
            result.add_in_segments([](std::size_t n) { return A{.segments = n}; });
        } else {
            result.add(A{});
        }
    };
    (consider(std::type_identity<Algorithms>{}), ...);
}

/// The algorithms among which `automatic` chooses. Each collective has a specialisation, in a header of the folder
/// candidates/ which its own header includes, so that a call compiles those of its collective and no others:
///
///     static void add(candidate_list<Collective>&, call_parameters const&, bool commutes);
///
/// If the operator does not commute, all of them keep operands in rank order. Of two that take the same time, the first
/// is chosen.
template <class Collective>
struct candidates_of;

template <class Collective>
[[nodiscard, gnu::cold]] candidate_list<Collective> candidates_for(Collective, call_parameters const& now,
                                                                   bool commutes) {
    candidate_list<Collective> result{now};
    candidates_of<Collective>::add(result, now, commutes);
    return result;
}

/// Calls `use(generator, why)` with the chosen algorithm.
template <class Collective, class Use>
auto choose(Collective which, call_parameters const& now, bool commutes, Use&& use) {
    auto const all = selection::candidates_for(which, now, commutes);
    return use(all.best().generator, all.why());
}

}  // namespace tutti::selection
