// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>

#include <tutti/dynamic_array.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/problem.hpp>
#include <tutti/selection/expected_time.hpp>
#include <tutti/selection/message_costs.hpp>
#include <tutti/selection/candidate_list.hpp>
#include <tutti/selection/call_parameters.hpp>

/// Among which algorithms `automatic` chooses: `ranked(Collective, call_parameters, commutes)`. Of what is known of the
/// operator it only matters whether it commutes: otherwise all keep rank order. Of two that are as good, the first is
/// chosen.
namespace tutti::selection {

/// There and back.
template <class Generator>
using twice = chained<Generator, reversed<Generator>>;

template <class Generator>
[[nodiscard, gnu::cold]] twice<Generator> there_and_back(Generator const& generator) {
    return then(generator, reverse(generator));
}

/// How many messages a rank has under way at once, at most: with more, latency is no longer what counts.
inline constexpr std::size_t most_ports = 16;

/// Each n up to `most_ports` with which p ranks need fewer rounds than with n - 1 at once.
[[nodiscard, gnu::cold]] inline dynamic_array<std::size_t> numbers_of_ports(std::size_t size) {
    dynamic_array<std::size_t> result;
    std::size_t fewest = size + 1;
    for (std::size_t ports = 1; ports <= most_ports && fewest > 1; ++ports) {
        auto const rounds = dividing_skips{size, ports + 1}.count();
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

/// What goes by the nodes of the ranks, if there are several with several ranks.
template <class Ranking, class... NodeAware>
[[gnu::cold]] void add_node_aware(Ranking& result, call_parameters const& now, NodeAware... generators) {
    if (!now.nodes.divides(now.size)) { return; }
    auto const consider = [&](auto generator) {
        generator.nodes = now.nodes;
        if (fits(generator, now.size)) { result.add(generator); }
    };
    (consider(generators), ...);
}

template <std::same_as<collective::reduce> Collective>
[[nodiscard, gnu::cold]] candidate_list<Collective> ranked(Collective, call_parameters const& now,
                                                           [[maybe_unused]] bool commutes) {
    candidate_list<Collective> result{now};
    result.add(postal_tree_for(message_costs::combining(now), now.bytes));
    result.add(butterfly{});
    result.add_in_segments([](std::size_t n) { return pipeline{.segments = n}; });
    result.add_in_segments([](std::size_t n) { return two_tree{.segments = n}; });
    if (commutes) {
        result.add_in_segments([](std::size_t n) { return round_optimal{.segments = n}; });
    }
    add_node_aware(result, now, hierarchical{}, multi_lane{});
    return result;
}

template <std::same_as<collective::broadcast> Collective>
[[nodiscard, gnu::cold]] candidate_list<Collective> ranked(Collective, call_parameters const& now,
                                                           [[maybe_unused]] bool commutes) {
    candidate_list<Collective> result{now};
    result.add(reverse(postal_tree_for(message_costs::transfer_only(now), now.bytes)));
    result.add(reverse(butterfly{}));
    result.add_in_segments([](std::size_t n) { return reverse(pipeline{.segments = n}); });
    result.add_in_segments([](std::size_t n) { return reverse(two_tree{.segments = n}); });
    result.add_in_segments([](std::size_t n) { return round_optimal{.segments = n}; });
    return result;
}

template <std::same_as<collective::all_reduce> Collective>
[[nodiscard, gnu::cold]] candidate_list<Collective> ranked(Collective, call_parameters const& now,
                                                           [[maybe_unused]] bool commutes) {
    candidate_list<Collective> result{now};
    for (auto const n : numbers_of_ports(now.size)) { result.add(recursive_multiplying{.radix = n + 1}); }
    result.add(best_split(now.size, [&](std::size_t halvings) {
        return expected_time(collective::all_reduce{}, split{.halvings = halvings}, now);
    }));
    // on more ranks the chain takes too long there and back
    if (now.size <= 4) {
        result.add_in_segments([](std::size_t n) { return there_and_back(pipeline{.segments = n}); });
    }
    if (commutes) {
        result.add(there_and_back(circulant{}));
        for (auto const ports : numbers_of_ports(now.size)) {
            if (ports > 1) { result.add(there_and_back(ported_circulant{.ports = ports})); }
        }
        for (auto const n : cuts_of_parts(now)) { result.add(ring{.sub_segments = n}); }
    }
    // in a network all messages of a rank would share its link
    if (now.reads_in_place() && facts_of<collective::all_reduce, direct_exchange>.supports(now.size)) {
        result.add(direct_exchange{});
    }
    add_node_aware(result, now, hierarchical{}, multi_lane{});
    return result;
}

template <scan_collective Scan>
[[nodiscard, gnu::cold]] candidate_list<Scan> ranked(Scan which, call_parameters const& now,
                                                     [[maybe_unused]] bool commutes) {
    candidate_list<Scan> result{now};
    for (auto const n : numbers_of_ports(now.size)) { result.add(recursive_multiplying{.radix = n + 1}); }
    result.add(best_split(
        now.size, [&](std::size_t halvings) { return expected_time(which, split{.halvings = halvings}, now); }));
    result.add_in_segments([](std::size_t n) { return linear{.segments = n}; });
    result.add_in_segments([](std::size_t n) { return two_tree{.segments = n}; });
    add_node_aware(result, now, hierarchical{});
    return result;
}

/// A part much longer than the others would travel whole in every round; cut into blocks it goes from rank to rank.
[[nodiscard, gnu::cold]] inline bool is_skewed(call_parameters const& now) {
    return now.longest_part > default_segment && now.longest_part > 2 * (now.bytes / now.size);
}

template <std::same_as<collective::reduce_scatter> Collective>
[[nodiscard, gnu::cold]] candidate_list<Collective> ranked(Collective, call_parameters const& now,
                                                           [[maybe_unused]] bool commutes) {
    candidate_list<Collective> result{now};
    // of powers of two it takes as long as a circulant, but in fat trees fewer of its messages meet on a link
    result.add(split{});
    if (commutes) {
        result.add(circulant{});
        for (auto const ports : numbers_of_ports(now.size)) {
            if (ports > 1) { result.add(ported_circulant{.ports = ports}); }
        }
        for (auto const n : cuts_of_parts(now)) { result.add(bucket{.segments = n}); }
        if (is_skewed(now)) { result.add(round_optimal{}); }
    }
    add_node_aware(result, now, multi_lane{});
    return result;
}

template <std::same_as<collective::all_gather> Collective>
[[nodiscard, gnu::cold]] candidate_list<Collective> ranked(Collective, call_parameters const& now,
                                                           [[maybe_unused]] bool commutes) {
    candidate_list<Collective> result{now};
    result.add(reverse(circulant{}));
    for (auto const ports : numbers_of_ports(now.size)) {
        if (ports > 1) { result.add(reverse(ported_circulant{.ports = ports})); }
    }
    for (auto const n : cuts_of_parts(now)) { result.add(reverse(bucket{.segments = n})); }
    result.add(reverse(split{}));
    if (is_skewed(now)) { result.add(reverse(round_optimal{})); }
    return result;
}

template <std::same_as<collective::scatter> Collective>
[[nodiscard, gnu::cold]] candidate_list<Collective> ranked(Collective, call_parameters const& now,
                                                           [[maybe_unused]] bool commutes) {
    candidate_list<Collective> result{now};
    if (!now.parts_differ) { result.add(binomial{}); }  // ranks between need the counts, which the root alone may have
    result.add(linear{});
    return result;
}

template <std::same_as<collective::gather> Collective>
[[nodiscard, gnu::cold]] candidate_list<Collective> ranked(Collective, call_parameters const& now,
                                                           [[maybe_unused]] bool commutes) {
    candidate_list<Collective> result{now};
    if (!now.parts_differ) { result.add(reverse(binomial{})); }  // as for scatter
    result.add(reverse(linear{}));
    return result;
}

/// Calls `use(generator, why)` with the algorithm of choice.
template <class Collective, class Use>
auto choose(Collective which, call_parameters const& now, bool commutes, Use&& use) {
    auto const all = ranked(which, now, commutes);
    return use(all.best().generator, all.why());
}

}  // namespace tutti::selection
