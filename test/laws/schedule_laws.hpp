// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <range/v3/algorithm/equal.hpp>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/iota.hpp>

#include <laws/cost_laws.hpp>
#include <laws/thorough.hpp>

#include <tutti/analysis/verify.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/problem.hpp>

// What suites of generators include in place of Boost.Test.

/// What every generator must keep for every size, root and partition.
namespace laws {

/// Ranks. Where nothing is optimised, proofs take ten times as long.
#ifdef __OPTIMIZE__
inline constexpr std::size_t most_ranks = 64;
#else
inline constexpr std::size_t most_ranks = 17;
#endif

/// 1 .. most_ranks; of those from 10 on some, unless all are asked for.
inline std::vector<std::size_t> const sizes = [] {
    std::vector<std::size_t> all;
    for (std::size_t size = 1; size <= most_ranks; ++size) {
        bool const is_typical = size <= 9 || size == 12 || size == 16 || size == 17 || size == 33 || size == 63;
        if (is_typical || thorough) { all.push_back(size); }
    }
    return all;
}();

/// Cuts into few and many blocks, some with blocks that hold nothing.
inline std::vector<tutti::partition> const cuts{
    tutti::partition::equal(1, 1),          tutti::partition::equal(9, 2),  tutti::partition::equal(8, 3),
    tutti::partition::by_segment(14, 3),    tutti::partition::equal(16, 8), tutti::partition::equal(3, 8),
    tutti::partition::of_sizes(std::vector<std::size_t>{0, 3, 0, 0, 1, 0}), tutti::partition::equal(0, 3),
    tutti::partition::equal(0, 0)};

/// Every root of a small communicator, a few of a large one unless all are asked for; 0 where the collective has no
/// root.
template <class Collective>
[[nodiscard]] std::vector<std::size_t> roots(std::size_t size) {
    if (!tutti::collective::is_rooted<Collective>) { return {0}; }
    if (thorough) { return ranges::to<std::vector>(ranges::views::iota(std::size_t{0}, size)); }
    if (size > 33) { return {0, size / 2}; }
    if (size > 9) { return {0, 1, size / 2, size - 1}; }
    return {sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(size)};
}

/// Two generators give one schedule.
template <class Collective, class One, class Other>
void check_same(Collective which, One const& one, Other const& other, tutti::problem const& at) {
    auto const steps = generate(which, one, at);
    auto const expected = generate(which, other, at);
    BOOST_TEST(ranges::equal(steps, expected));
    BOOST_TEST(steps.rounds() == expected.rounds());
}

/// None of these generators has a schedule there.
template <class Collective, class Generator>
void check_refusals(Collective which, std::vector<Generator> const& all, tutti::problem const& at) {
    for (auto const& each : all) {
        BOOST_CHECK_THROW(static_cast<void>(generate(which, each, at)), std::invalid_argument);
    }
}

/// A schedule may be read as often as one likes, and equal generators give equal schedules.
template <class Collective, class Generator>
void check_repeatable(Collective which, Generator const& generator, tutti::problem const& at) {
    auto const once = generate(which, generator, at);
    auto const copy = generator;
    auto const again = generate(which, copy, at);
    BOOST_TEST(ranges::equal(once, again));
    BOOST_TEST(ranges::equal(once, once));
    BOOST_TEST(once.rounds() == again.rounds());
}

/// How a call would cut vectors of these lengths: as the generator wants it, and, where every rank has its part, also
/// into very different parts.
template <class Collective, class Generator>
[[nodiscard]] std::vector<tutti::partition> cuts_of_lengths(Collective which, Generator const& generator,
                                                            std::size_t size) {
    std::vector<tutti::partition> result;
    for (std::size_t const elements : {0U, 1U, 2U, 3U, 5U, 7U, 8U, 16U, 33U, 64U}) {
        std::size_t const wanted = blocks_for(which, generator, size, elements * sizeof(double));
        if constexpr (tutti::collective::divides<Collective>) {
            auto const pieces = (wanted + size - 1) / size;
            std::vector<std::size_t> skewed;
            for (std::size_t block = 0; block != size * pieces; ++block) {
                skewed.push_back(block % 3 == 1 ? 0 : block * elements % 7);
            }
            skewed[size / 2] += elements;
            result.push_back(tutti::partition::equal(elements, size * pieces));
            result.push_back(tutti::partition::of_sizes(skewed));
        } else {
            result.push_back(tutti::partition::equal(elements, std::max<std::size_t>(wanted, 1)));
            if (elements > 1 && elements < wanted) { result.push_back(tutti::partition::equal(elements, elements)); }
        }
    }
    return result;
}

/// Whether the schedules of all ranks are proved; if not, the test has failed.
template <class Collective, class Generator>
[[nodiscard]] bool proves(Collective which, Generator const& generator, std::size_t size, std::size_t root,
                          tutti::partition const& cut) {
    auto const verdict = tutti::verify(which, generator, size, root, cut);
    if (!verdict) {
        BOOST_ERROR(name_of(which, generator) << ", " << size << " ranks, root " << root << ", " << cut.elements()
                                              << " elements in " << cut.blocks() << " blocks: " << verdict.reason);
    }
    return static_cast<bool>(verdict);
}

/// Proves the schedules of all ranks for each size, and each length cut as calls would cut it.
template <class Collective, class Generator>
void check_lengths(Collective which, Generator const& generator, std::vector<std::size_t> const& of_sizes = sizes) {
    std::size_t checked = 0;
    for (auto const size : of_sizes) {
        if (!tutti::generators::facts_of<Collective, Generator>.supports(size)) { continue; }
        for (auto const& cut : cuts_of_lengths(which, generator, size)) {
            auto const root = tutti::collective::is_rooted<Collective> ? size / 2 : 0;
            ++checked;
            if (!proves(which, generator, size, root, cut)) { return; }
        }
    }
    BOOST_TEST(checked != 0U);
}

/// Proves the schedules of all ranks for each size, cut and root.
template <class Collective, class Generator>
void check_schedules(Collective which, Generator const& generator, std::vector<std::size_t> const& of_sizes = sizes,
                     std::vector<tutti::partition> const& of_cuts = cuts) {
    static_assert(tutti::generators::generator_for<Generator, Collective>);
    static_assert(std::is_aggregate_v<Generator> && std::equality_comparable<Generator>);
    std::size_t checked = 0;
    for (auto const size : of_sizes) {
        if (!tutti::generators::facts_of<Collective, Generator>.supports(size)) { continue; }
        for (auto const& cut : of_cuts) {
            // many ranks change nothing about blocks that are empty or few
            if (size > 33 && cut.blocks() < 5 && cut.blocks() != 1) { continue; }
            for (auto const root : roots<Collective>(size)) {
                ++checked;
                if (!proves(which, generator, size, root % size, cut)) { return; }
            }
            if (size == 7) { check_repeatable(which, generator, tutti::problem{3, size, 0, cut}); }
        }
    }
    BOOST_TEST(checked != 0U);
}

/// Proves both: the schedules for all cuts, and for all lengths.
template <class Collective, class Generator>
void check_cuts_and_lengths(Collective which, Generator const& generator) {
    check_schedules(which, generator);
    check_lengths(which, generator);
}

}  // namespace laws
