// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/affine_maps.hpp>
#include <support/operands.hpp>
#include <support/ranks.hpp>

#include <algorithm>
#include <array>
#include <span>

#include <tutti/collective/reduce_scatter.hpp>
#include <tutti/generator/all.hpp>

BOOST_AUTO_TEST_SUITE(collective_reduce_scatter)

using support::affine_map;
using support::check;
using support::check_equal;
using support::composed;
using support::maps_of;
using support::operands;
using support::part_of;
using support::part_size;
using support::division;
using support::sums;
using support::total;

namespace {

std::plus<> plus;  // one object for all calls: they are then one type of invocation
support::composition compose;

/// What is in memory that held `in`, and begins with the result now.
std::vector<int> with_first(std::vector<int> in, std::vector<int> const& result) {
    std::copy(result.begin(), result.end(), in.begin());
    return in;
}

std::string of(division const& counts) { return "reduce_scatter of " + std::to_string(total(counts)); }

/// Sums of a vector divided in several ways.
void check_sums(auto& world, std::size_t n, auto const& algorithm) {
    int const rank = support::rank_of(world);
    int const size = support::size_of(world);
    for (auto const& counts : support::divisions(size, n)) {
        auto const in = operands(rank, total(counts));
        auto const expected = part_of(sums(size, total(counts)), counts, rank);
        std::vector<int> out(part_size(counts, rank), -1);
        tutti::reduce_scatter(world, in, out, counts, plus, algorithm);
        check(out == expected, of(counts));
        check(in == operands(rank, total(counts)), "the input was written");
        auto both = in;
        tutti::reduce_scatter(world, tutti::inplace(both), counts, plus, algorithm);
        check(both == with_first(in, expected), of(counts) + " in place");
    }
}

/// The same with an operator that does not commute.
void check_order(auto& world, std::size_t n, auto const& algorithm) {
    int const rank = support::rank_of(world);
    int const size = support::size_of(world);
    for (auto const& counts : support::divisions(size, n)) {
        auto const in = maps_of(rank, total(counts));
        std::vector<affine_map> out(part_size(counts, rank));
        tutti::reduce_scatter(world, in, out, counts, compose, algorithm);
        check(out == part_of(composed(0, size, total(counts)), counts, rank), of(counts) + " maps");
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(parts_of_all_lengths) {
    support::on_ranks_by_length({0, 1, 2, 7, 1001, 100'000},
                                [](auto& world, std::size_t n) { check_sums(world, n, tutti::automatic{}); });
}

BOOST_AUTO_TEST_CASE(algorithms_for_operators_that_commute) {
    support::on_ranks_by_length({1, 7, 1001}, [](auto& world, std::size_t n) {
        check_sums(world, n, tutti::bucket{});
        check_sums(world, n, tutti::mesh{});
        check_sums(world, n, tutti::round_optimal{.segments = 3});
    });
}

BOOST_AUTO_TEST_CASE_ON_RANKS(algorithms_that_keep_rank_order) {
    for (auto const n : std::vector<std::size_t>{1, 7, 1001}) {
        check_order(world, n, tutti::automatic{});
        check_order(world, n, tutti::ordered{});
        check_order(world, n, tutti::short_vector{});
        check_order(world, n, tutti::split{});
    }
    check_order(world, 20'000, tutti::automatic{});
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(equal_parts) {
    auto const counts = support::equal(size, 3);
    auto const in = operands(rank, total(counts));
    auto const expected = part_of(sums(size, total(counts)), counts, rank);
    std::vector<int> out(3, -1);
    auto const check_out = [&] {
        check_equal(out, expected, "out");
        out.assign(3, -1);
    };
    tutti::reduce_scatter(world, in, out, plus);
    check_out();
    tutti::reduce_scatter(world, std::span{in}, std::span<int, 3>{out}, plus);
    check_out();
    tutti::reduce_scatter(world, tutti::elements(in), tutti::elements(out), plus);
    check_out();
    int c_array[] = {-1, -1, -1};
    tutti::reduce_scatter(world, in, c_array, plus);
    std::copy_n(c_array, 3, out.begin());
    check_out();
    auto both = in;
    tutti::reduce_scatter(world, tutti::inplace(both), plus);
    check_equal(both, with_first(in, expected), "in place");
    both = in;
    tutti::reduce_scatter(world, tutti::inplace(std::span{both}), plus, tutti::bucket{});
    check_equal(both, with_first(in, expected), "in place by a named algorithm");
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(one_element_for_each_rank) {
    auto const in = operands(rank, static_cast<std::size_t>(size));
    auto const expected = sums(size, in.size())[static_cast<std::size_t>(rank)];
    int out = -1;
    tutti::reduce_scatter(world, in, out, plus);
    check_equal(out, expected, "out");
    out = -1;
    tutti::reduce_scatter(world, in, tutti::value(out), support::equal(size, 1), plus);
    check_equal(out, expected, "value(out)");
    // even where an element is itself a range
    std::vector<std::array<int, 2>> const pairs(in.size(), {rank, 1});
    std::array<int, 2> pair{};
    tutti::reduce_scatter(world, pairs, pair, [](std::array<int, 2> const& a, std::array<int, 2> const& b) {
        return std::array<int, 2>{a[0] + b[0], a[1] + b[1]};
    });
    check_equal(pair, std::array<int, 2>{size * (size - 1) / 2, size}, "a pair for each rank");
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(counts_of_all_types) {
    auto const counts = support::uneven(size, 40);
    auto const in = operands(rank, 40);
    auto const expected = part_of(sums(size, 40), counts, rank);
    support::for_each_type_of_counts(counts, [&](auto const& given, char const* type) {
        std::vector<int> out(expected.size(), -1);
        tutti::reduce_scatter(world, in, out, given, plus);
        check_equal(out, expected, type);
        auto both = in;
        tutti::reduce_scatter(world, tutti::inplace(both), given, plus);
        check_equal(both, with_first(in, expected), std::string{type} + " in place");
    });
}

// Its memory may begin where the input does; nothing may be written there.
BOOST_AUTO_TEST_CASE_ON_EACH_RANK(an_empty_part_may_lie_anywhere) {
    auto const counts = support::all_of(size - 1, size, 50);
    auto in = operands(rank, 50);
    std::vector<int> sum(50);
    bool const is_owner = rank == size - 1;
    tutti::reduce_scatter(world, in, is_owner ? std::span{sum} : std::span{in}.first(0), counts, plus);
    check_equal(in, operands(rank, 50), "the input");
    if (is_owner) { check_equal(sum, sums(size, 50), "the sum"); }
}

BOOST_AUTO_TEST_SUITE_END()
