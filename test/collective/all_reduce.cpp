// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/operands.hpp>
#include <support/ranks.hpp>

#include <array>
#include <span>

#include <tutti/collective/all_reduce.hpp>

BOOST_AUTO_TEST_SUITE(collective_all_reduce)

using support::check_equal;
using support::operands;
using support::sums;

namespace {

std::plus<> plus;  // one object for all calls: they are then one type of invocation

}  // namespace

BOOST_AUTO_TEST_CASE(ranges_of_all_lengths) {
    support::on_ranks_by_length({0, 1, 2, 7, 1001, 5000, 100'000}, [](auto& world, std::size_t n) {
        auto const in = operands(support::rank_of(world), n);
        std::vector<int> out(n, -1);
        tutti::all_reduce(world, in, out, plus);
        support::check(out == sums(support::size_of(world), n), "all_reduce of " + std::to_string(n));
        support::check(in == operands(support::rank_of(world), n), "the input was written");
    });
}

BOOST_AUTO_TEST_CASE_ON_RANKS(all_kinds_of_ranges) {
    auto const in = operands(support::rank_of(world), 3);
    auto const expected = sums(support::size_of(world), 3);
    std::vector<int> out(3, -1);
    auto const check = [&] {
        check_equal(out, expected, "out");
        out.assign(3, -1);
    };
    tutti::all_reduce(world, std::span{in}, out, plus);
    check();
    tutti::all_reduce(world, std::span<int const, 3>{in}, std::span<int>{out}, plus);
    check();
    tutti::all_reduce(world, tutti::elements(in), tutti::elements(out), plus);
    check();
    std::array<int, 3> const array{in[0], in[1], in[2]};
    std::array<int, 3> array_out{-1, -1, -1};
    tutti::all_reduce(world, array, array_out, plus);
    std::copy(array_out.begin(), array_out.end(), out.begin());
    check();
    int const c_array[] = {in[0], in[1], in[2]};
    int c_array_out[] = {-1, -1, -1};
    tutti::all_reduce(world, c_array, c_array_out, plus);
    std::copy_n(c_array_out, 3, out.begin());
    check();
    tutti::all_reduce(world, in.data(), 3, out.data(), plus);
    check();
    tutti::all_reduce(world, in.data(), in.size(), out.data(), plus);
    check();
    int const* pointer = in.data();
    int* pointer_out = out.data();
    tutti::all_reduce(world, pointer, 3U, pointer_out, plus);
    check();
}

BOOST_AUTO_TEST_CASE_ON_RANKS(in_place) {
    auto const given = operands(support::rank_of(world), 3);
    auto const expected = sums(support::size_of(world), 3);
    auto both = given;
    auto const check = [&] {
        check_equal(both, expected, "in place");
        both = given;
    };
    tutti::all_reduce(world, tutti::inplace(both), plus);
    check();
    tutti::all_reduce(world, tutti::inplace(std::span{both}), plus);
    check();
    tutti::all_reduce(world, tutti::inplace(tutti::elements(both)), plus);
    check();
    tutti::all_reduce(world, tutti::inplace(both.data()), 3, plus);
    check();
    int* const pointer = both.data();
    tutti::all_reduce(world, tutti::inplace(pointer), 3, plus);
    check();
    tutti::all_reduce(world, both, both, plus);
    check();
    int c_array[] = {given[0], given[1], given[2]};
    tutti::all_reduce(world, tutti::inplace(c_array), plus);
    check_equal(std::vector<int>(c_array, c_array + 3), expected, "C array in place");
    int value = 1;
    tutti::all_reduce(world, tutti::inplace(value), plus);
    check_equal(value, support::size_of(world), "value in place");
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(single_values) {
    int const expected = size * (size - 1) / 2;
    check_equal(tutti::all_reduce(world, rank, plus), expected, "result");
    check_equal(tutti::all_reduce(world, tutti::value(rank), plus), expected, "result of value(x)");
    check_equal(tutti::all_reduce(world, 1, plus), size, "result of a temporary");
    int out = -1;
    tutti::all_reduce(world, rank, out, plus);
    check_equal(out, expected, "out");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(a_range_may_be_one_value) {
    std::array<int, 2> const mine{support::rank_of(world), 1};
    auto const longer = [](std::array<int, 2> const& a, std::array<int, 2> const& b) {
        return std::array<int, 2>{std::max(a[0], b[0]), a[1] + b[1]};
    };
    std::array<int, 2> const expected{support::size_of(world) - 1, support::size_of(world)};
    check_equal(tutti::all_reduce(world, tutti::value(mine), longer), expected, "an array as a value");
}

BOOST_AUTO_TEST_SUITE_END()
