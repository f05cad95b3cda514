// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/affine_maps.hpp>
#include <support/operands.hpp>
#include <support/ranks.hpp>
#include <support/scan_algorithms.hpp>

#include <array>
#include <span>

#include <tutti/collective/scan.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/operation/annotated.hpp>

BOOST_AUTO_TEST_SUITE(collective_scan)

using support::affine_map;
using support::check;
using support::check_equal;
using support::composed;
using support::maps_of;
using support::operands;
using support::sums;
using support::sums_before;

namespace {

std::plus<> plus;  // one object for all calls: they are then one type of invocation
support::composition compose;

/// Both scans of maps by an algorithm. Without an identity, rank 0 gets nothing from an exclusive scan.
void check_order(auto& world, std::size_t n, auto const& algorithm) {
    int const rank = support::rank_of(world);
    auto const in = maps_of(rank, n);
    std::vector<affine_map> out(n);
    tutti::inclusive_scan(world, in, out, compose, algorithm);
    check(out == composed(0, rank + 1, n), "inclusive_scan of " + std::to_string(n) + " maps");
    std::vector<affine_map> const untouched(n, affine_map{7, 7});
    out = untouched;
    tutti::exclusive_scan(world, in, out, compose, algorithm);
    check(out == (rank == 0 ? untouched : composed(0, rank, n)), "exclusive_scan of " + std::to_string(n) + " maps");
    check(in == maps_of(rank, n), "the input was written");
    auto both = in;
    tutti::inclusive_scan(world, tutti::inplace(both), compose, algorithm);
    check(both == composed(0, rank + 1, n), "inclusive_scan in place");
    both = in;
    tutti::exclusive_scan(world, tutti::inplace(both), compose, algorithm);
    check(both == (rank == 0 ? in : composed(0, rank, n)), "exclusive_scan in place");
}

}  // namespace

BOOST_AUTO_TEST_CASE(ranges_of_all_lengths) {
    support::on_ranks_by_length({0, 1, 2, 7, 1001, 5000, 100'000}, [](auto& world, std::size_t n) {
        int const rank = support::rank_of(world);
        auto const in = operands(rank, n);
        std::vector<int> out(n, -1);
        tutti::inclusive_scan(world, in, out, plus);
        check(out == sums(rank + 1, n), "inclusive_scan of " + std::to_string(n));
        out.assign(n, -1);
        tutti::exclusive_scan(world, in, out, plus);
        check(out == sums_before(rank, n), "exclusive_scan of " + std::to_string(n));
        check(in == operands(rank, n), "the input was written");
    });
}

BOOST_AUTO_TEST_CASE(all_algorithms_keep_rank_order) {
    support::on_ranks_by_length({0, 1, 2, 7, 1001}, [](auto& world, std::size_t n) {
        support::for_each_scan_algorithm([&](auto const& algorithm) { check_order(world, n, algorithm); });
    });
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(all_kinds_of_ranges) {
    auto const in = operands(rank, 3);
    std::vector<int> out(3, -1);
    auto const check_all = [&](auto const& scan, std::vector<int> const& expected) {
        auto const check_out = [&] {
            check_equal(out, expected, "out");
            out.assign(3, -1);
        };
        scan(world, std::span{in}, out, plus);
        check_out();
        scan(world, std::span<int const, 3>{in}, std::span<int>{out}, plus);
        check_out();
        scan(world, tutti::elements(in), tutti::elements(out), plus);
        check_out();
        std::array<int, 3> const array{in[0], in[1], in[2]};
        std::array<int, 3> array_out{-1, -1, -1};
        scan(world, array, array_out, plus);
        std::copy(array_out.begin(), array_out.end(), out.begin());
        check_out();
        int const c_array[] = {in[0], in[1], in[2]};
        int c_array_out[] = {-1, -1, -1};
        scan(world, c_array, c_array_out, plus);
        std::copy_n(c_array_out, 3, out.begin());
        check_out();
        scan(world, in.data(), 3, out.data(), plus);
        check_out();
        scan(world, in.data(), in.size(), out.data(), plus);
        check_out();
    };
    check_all(tutti::inclusive_scan, sums(rank + 1, 3));
    check_all(tutti::scan, sums(rank + 1, 3));
    check_all(tutti::exclusive_scan, sums_before(rank, 3));
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(in_place) {
    auto const given = operands(rank, 3);
    auto both = given;
    auto const check_all = [&](auto const& scan, std::vector<int> const& expected) {
        auto const check_both = [&] {
            check_equal(both, expected, "in place");
            both = given;
        };
        scan(world, tutti::inplace(both), plus);
        check_both();
        scan(world, tutti::inplace(std::span{both}), plus);
        check_both();
        scan(world, tutti::inplace(tutti::elements(both)), plus);
        check_both();
        scan(world, tutti::inplace(both.data()), 3, plus);
        check_both();
        scan(world, both, both, plus);
        check_both();
        int c_array[] = {given[0], given[1], given[2]};
        scan(world, tutti::inplace(c_array), plus);
        check_equal(std::vector<int>(c_array, c_array + 3), expected, "C array in place");
        int value = given[0];
        scan(world, tutti::inplace(value), plus);
        check_equal(value, expected[0], "value in place");
    };
    check_all(tutti::inclusive_scan, sums(rank + 1, 3));
    check_all(tutti::exclusive_scan, sums_before(rank, 3));
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(single_values) {
    int const before = rank * (rank + 1) / 2;  // 1 + ... + rank
    int const mine = rank + 1;
    check_equal(tutti::inclusive_scan(world, mine, plus), before + mine, "inclusive_scan");
    check_equal(tutti::scan(world, tutti::value(mine), plus), before + mine, "scan of value(x)");
    check_equal(tutti::exclusive_scan(world, mine, plus), before, "exclusive_scan");
    check_equal(tutti::exclusive_scan(world, 1, plus, tutti::linear{}), rank, "exclusive_scan of a temporary");
    int out = -1;
    tutti::inclusive_scan(world, mine, out, plus);
    check_equal(out, before + mine, "inclusive_scan, out");
    tutti::exclusive_scan(world, mine, out, plus);
    check_equal(out, before, "exclusive_scan, out");
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(a_range_may_be_one_value) {
    std::array<int, 2> const mine{rank, 1};
    auto const longer = [](std::array<int, 2> const& a, std::array<int, 2> const& b) {
        return std::array<int, 2>{std::max(a[0], b[0]), a[1] + b[1]};
    };
    check_equal(tutti::inclusive_scan(world, tutti::value(mine), longer), std::array<int, 2>{rank, rank + 1},
                "an array as a value");
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(the_first_rank_gets_the_identity_if_it_is_known) {
    auto const in = maps_of(rank, 20);
    auto const mine = in[0];
    auto const known = tutti::with_identity(compose, affine_map{1, 0});
    auto const expected = rank == 0 ? std::vector<affine_map>(20) : composed(0, rank, 20);
    std::vector<affine_map> out(20, affine_map{7, 7});
    tutti::exclusive_scan(world, in, out, known);
    check_equal(out, expected, "identity");
    out = in;
    tutti::exclusive_scan(world, tutti::inplace(out), known);
    check_equal(out, expected, "identity in place");
    check_equal(tutti::exclusive_scan(world, mine, known), expected[0], "identity as a result");
}

BOOST_AUTO_TEST_SUITE_END()
