// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/affine_maps.hpp>
#include <support/operands.hpp>
#include <support/ranks.hpp>
#include <support/scan_algorithms.hpp>

#include <array>
#include <span>

#include <tutti/collective/scan_reduce.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/operation/annotated.hpp>

BOOST_AUTO_TEST_SUITE(collective_scan_reduce)

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

/// Prefixes and totals of maps by an algorithm. Without an identity, rank 0 gets no prefix.
void check_order(auto& world, std::size_t n, auto const& algorithm) {
    int const rank = support::rank_of(world);
    int const size = support::size_of(world);
    auto const in = maps_of(rank, n);
    std::vector<affine_map> const untouched(n, affine_map{7, 7});
    auto prefix = untouched;
    auto total = untouched;
    tutti::scan_reduce(world, in, prefix, total, compose, algorithm);
    check(prefix == (rank == 0 ? untouched : composed(0, rank, n)), "prefix of " + std::to_string(n) + " maps");
    check(total == composed(0, size, n), "total of " + std::to_string(n) + " maps");
    check(in == maps_of(rank, n), "the input was written");
    auto both = in;
    total = untouched;
    tutti::scan_reduce(world, tutti::inplace(both), total, compose, algorithm);
    check(both == (rank == 0 ? in : composed(0, rank, n)), "prefix in place");
    check(total == composed(0, size, n), "total of what is in place");
}

}  // namespace

BOOST_AUTO_TEST_CASE(ranges_of_all_lengths) {
    support::on_ranks_by_length({0, 1, 2, 7, 1001, 5000, 100'000}, [](auto& world, std::size_t n) {
        int const rank = support::rank_of(world);
        auto const in = operands(rank, n);
        std::vector<int> prefix(n, -1);
        std::vector<int> total(n, -1);
        tutti::scan_reduce(world, in, prefix, total, plus);
        check(prefix == sums_before(rank, n), "prefix of " + std::to_string(n));
        check(total == sums(support::size_of(world), n), "total of " + std::to_string(n));
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
    std::vector<int> prefix(3, -1);
    std::vector<int> total(3, -1);
    auto const check_both = [&] {
        check_equal(prefix, sums_before(rank, 3), "prefix");
        check_equal(total, sums(size, 3), "total");
        prefix.assign(3, -1);
        total.assign(3, -1);
    };
    tutti::scan_reduce(world, std::span{in}, std::span{prefix}, total, plus);
    check_both();
    tutti::scan_reduce(world, tutti::elements(in), prefix, std::span<int, 3>{total}, plus);
    check_both();
    int const c_array[] = {in[0], in[1], in[2]};
    std::array<int, 3> array{-1, -1, -1};
    int c_array_out[] = {-1, -1, -1};
    tutti::scan_reduce(world, c_array, array, c_array_out, plus);
    std::copy(array.begin(), array.end(), prefix.begin());
    std::copy_n(c_array_out, 3, total.begin());
    check_both();
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(in_place) {
    auto const given = operands(rank, 3);
    auto both = given;
    std::vector<int> total(3, -1);
    auto const check_both = [&] {
        check_equal(both, sums_before(rank, 3), "prefix");
        check_equal(total, sums(size, 3), "total");
        both = given;
        total.assign(3, -1);
    };
    tutti::scan_reduce(world, tutti::inplace(both), total, plus);
    check_both();
    tutti::scan_reduce(world, tutti::inplace(std::span{both}), std::span{total}, plus);
    check_both();
    tutti::scan_reduce(world, both, both, total, plus);
    check_both();
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(single_values) {
    auto const [before, all] = tutti::scan_reduce(world, 2, plus);
    check_equal(before, 2 * rank, "prefix");
    check_equal(all, 2 * size, "total");
    check(tutti::scan_reduce(world, tutti::value(rank), plus, tutti::linear{}) ==
              tutti::collective::scanned<int>{rank * (rank - 1) / 2, size * (size - 1) / 2},
          "of value(x)");
    int prefix = -1;
    int total = -1;
    tutti::scan_reduce(world, rank, prefix, total, plus);
    check_equal(prefix, rank * (rank - 1) / 2, "prefix, out");
    check_equal(total, size * (size - 1) / 2, "total, out");
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(the_first_rank_gets_the_identity_if_it_is_known) {
    auto const in = maps_of(rank, 20);
    auto const mine = in[0];
    auto const known = tutti::with_identity(compose, affine_map{1, 0});
    auto const before = rank == 0 ? std::vector<affine_map>(20) : composed(0, rank, 20);
    auto const all = composed(0, size, 20);
    std::vector<affine_map> prefix(20, affine_map{7, 7});
    std::vector<affine_map> total(20, affine_map{7, 7});
    tutti::scan_reduce(world, in, prefix, total, known);
    check_equal(prefix, before, "prefix");
    check_equal(total, all, "total");
    prefix = in;
    tutti::scan_reduce(world, tutti::inplace(prefix), total, known);
    check_equal(prefix, before, "prefix in place");
    check_equal(total, all, "total of what is in place");
    check(tutti::scan_reduce(world, mine, known) == tutti::collective::scanned<affine_map>{before[0], all[0]},
          "results");
}

BOOST_AUTO_TEST_SUITE_END()
