// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include <tutti/problem.hpp>
#include <tutti/schedule.hpp>

namespace tutti::generators {

/// The simultaneous actions of a rank. `unidirectional`: it sends, receives or combines. `bidirectional`: it sends and
/// receives together, and combines alone. `overlapped`: it sends or receives, and combines meanwhile.
enum class ports { unidirectional, bidirectional, overlapped };

/// The properties of every schedule of a generator for one collective, known at compile time.
struct facts {
    std::string_view name;                      ///< as users type it
    bool requires_commutative = false;          ///< otherwise operands stay in rank order
    bool requires_identity = false;
    bool identical_on_all_ranks = true;         ///< all_reduce: one tree of combines for all ranks
    /// In each round a rank does at most what `model` allows at the same time, and a message is received in the round
    /// in which it is sent. If false, in that round or a later one: rounds then only order the steps of a rank.
    bool one_ported = true;
    /// Ranks exchange with others in every round, so that one which is ahead would get in their way: a long message is
    /// neither sent nor received into its place before those of earlier rounds have come.
    bool keeps_round_order = false;
    ports model = ports::bidirectional;         ///< in which the rounds are counted
    bool (*supports)(std::size_t size) = [](std::size_t) { return true; };
};

/// A generator is a small copyable value with the algorithm's parameters. It implements a collective by two
/// functions found beside it, in its own namespace:
///
///     constexpr tutti::facts describe(tutti::collective::reduce, std::type_identity<chain>);
///     auto generate(tutti::collective::reduce, chain const&, tutti::problem const&);   // a tutti::schedules::schedule
///
/// `generate` computes the steps of one rank when they are read, and costs what that rank does.
/// Unless its comment or `describe` says otherwise, it is for any size and root, operands stay in rank order, and the
/// tree of combines is the same on all ranks; the result is the collective's.
template <class Generator, class Collective>
concept generator_for = std::copyable<Generator> && requires(Generator const& generator, problem const& at) {
    { describe(Collective{}, std::type_identity<Generator>{}) } -> std::same_as<facts>;
    { generate(Collective{}, generator, at) } -> schedules::range_of_steps;
    { generate(Collective{}, generator, at).rounds() } -> std::convertible_to<std::size_t>;
};

template <class Collective, class Generator>
    requires generator_for<Generator, Collective>
inline constexpr facts facts_of = describe(Collective{}, std::type_identity<Generator>{});

/// The name of a generator in messages, reports and files. Combinators overload it to name their parts.
template <class Collective, generator_for<Collective> Generator>
[[nodiscard, gnu::cold]] std::string name_of(Collective, Generator const&) {
    return std::string{facts_of<Collective, Generator>.name};
}

/// "name(part, part)", for combinators.
[[nodiscard, gnu::cold]] inline std::string name_with_parts(std::string_view name,
                                                            std::initializer_list<std::string> parts) {
    std::string result{name};
    for (auto const& each : parts) { (result += &each == parts.begin() ? "(" : ", ") += each; }
    return result += ')';
}

/// What holds for the schedules of this generator. A generator that holds one of several, chosen when a call begins,
/// overloads it to say what holds for the chosen one.
template <class Collective, generator_for<Collective> Generator>
[[nodiscard]] facts const& facts_about(Collective, Generator const&) {
    return facts_of<Collective, Generator>;
}

inline constexpr std::size_t unlimited_transfers = std::numeric_limits<std::size_t>::max();

/// How many messages at a time, of all ranks together, the schedules of a generator are made for. Generators for
/// networks that carry only few overload this beside their type.
template <class Generator>
[[nodiscard]] constexpr std::size_t transfers_at_once(Generator const&) {
    return unlimited_transfers;
}

/// Length of the segments into which pipelines cut a vector by default, in bytes: long enough that the
/// cost of handling a message is small beside its transfer.
inline constexpr std::size_t default_segment = 128 * 1024;

/// Into how many blocks a generator wants a vector of `bytes` bytes cut: its `segments` if it has that
/// parameter and the user set it; for a pipeline left to itself, the default segments; otherwise one.
/// Algorithms that fix the number themselves (a ring) overload this beside their type.
template <class Generator>
[[nodiscard, gnu::cold]] std::size_t blocks_for(Generator const& generator, std::size_t /*size*/, std::size_t bytes) {
    if constexpr (requires { { generator.segments } -> std::convertible_to<std::size_t>; }) {
        if (generator.segments != 0) { return generator.segments; }
        return bytes <= default_segment ? 1 : (bytes - 1) / default_segment + 1;
    } else {
        return 1;
    }
}

/// The same for one collective: one block for each rank at least where ranks own parts of the vector. Generators whose
/// collectives want other cuts overload this instead.
template <class Collective, class Generator>
[[nodiscard, gnu::cold]] std::size_t blocks_for(Collective, Generator const& generator, std::size_t size,
                                                std::size_t bytes) {
    auto const wanted = blocks_for(generator, size, bytes);
    return collective::divides<Collective> ? std::max(size, wanted) : wanted;
}

}  // namespace tutti::generators

namespace tutti {
using generators::blocks_for;
using generators::facts;
using generators::name_of;
using generators::ports;
}  // namespace tutti
