// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/operands.hpp>
#include <support/ranks.hpp>

#include <array>
#include <optional>
#include <span>

#include <tutti/collective/reduce.hpp>
#include <tutti/generator/linear.hpp>

BOOST_AUTO_TEST_SUITE(collective_reduce)

using support::check_equal;
using support::for_each_root;
using support::operands;
using support::sums;

namespace {

std::plus<> plus;  // one object for all calls: they are then one type of invocation

}  // namespace

BOOST_AUTO_TEST_CASE(ranges_of_all_lengths_to_every_root) {
    support::on_ranks_by_length({0, 1, 2, 7, 1001, 5000, 100'000}, [](auto& world, std::size_t n) {
        auto const in = operands(support::rank_of(world), n);
        for_each_root(world, [&](int rank, int root) {
            std::vector<int> out(n, -1);
            tutti::reduce(world, in, out, plus, root);
            auto const expected = rank == root ? sums(support::size_of(world), n) : std::vector<int>(n, -1);
            support::check(out == expected, "reduction of " + std::to_string(n) + " to " + std::to_string(root));
            check_equal(in.size(), n, "the input");
        });
    });
}

BOOST_AUTO_TEST_CASE_ON_RANKS(all_kinds_of_ranges) {
    for_each_root(world, [&](int rank, int root) {
        auto const expected = sums(support::size_of(world), 3);
        auto const in = operands(rank, 3);
        std::vector<int> out(4, -1);
        auto const check = [&] {
            check_equal(out, rank == root ? std::vector{expected[0], expected[1], expected[2], -1}
                                          : std::vector{-1, -1, -1, -1}, "out");
            out.assign(4, -1);
        };
        tutti::reduce(world, in, std::span{out}.first(3), plus, root);
        check();
        tutti::reduce(world, std::span{in}, std::span{out}.first<3>(), plus, root);
        check();
        tutti::reduce(world, tutti::elements(in), std::span{out}.first(3), plus, root);
        check();
        std::array<int, 3> const array{in[0], in[1], in[2]};
        std::array<int, 3> array_out{-1, -1, -1};
        tutti::reduce(world, array, array_out, plus, root);
        std::copy(array_out.begin(), array_out.end(), out.begin());
        check();
        int const c_array[] = {in[0], in[1], in[2]};
        int c_array_out[] = {-1, -1, -1};
        tutti::reduce(world, c_array, c_array_out, plus, root);
        std::copy_n(c_array_out, 3, out.begin());
        check();
        tutti::reduce(world, in.data(), 3, out.data(), plus, root);
        check();
        tutti::reduce(world, in.data(), in.size(), out.data(), plus, root);
        check();
    });
}

BOOST_AUTO_TEST_CASE_ON_RANKS(in_place) {
    for_each_root(world, [&](int rank, int root) {
        auto const given = operands(rank, 3);
        auto const expected = rank == root ? sums(support::size_of(world), 3) : given;
        auto both = given;
        tutti::reduce(world, tutti::inplace(both), plus, root);
        check_equal(both, expected, "in place");
        both = given;
        tutti::reduce(world, tutti::inplace(both.data()), 3, plus, root);
        check_equal(both, expected, "in place by pointer");
        both = given;
        tutti::reduce(world, both, both, plus, root);
        check_equal(both, expected, "in and out are the same");
        int c_array[] = {given[0], given[1], given[2]};
        tutti::reduce(world, tutti::inplace(c_array), plus, root);
        check_equal(std::vector<int>(c_array, c_array + 3), expected, "C array in place");
        int value = rank;
        tutti::reduce(world, tutti::inplace(value), plus, root);
        auto const size = support::size_of(world);
        check_equal(value, rank == root ? size * (size - 1) / 2 : rank, "value in place");
    });
}

BOOST_AUTO_TEST_CASE_ON_RANKS(single_values) {
    for_each_root(world, [&](int rank, int root) {
        int const size = support::size_of(world);
        int const expected = rank == root ? size * (size - 1) / 2 : -1;
        int out = -1;
        tutti::reduce(world, rank, out, plus, root);
        check_equal(out, expected, "value");
        out = -1;
        tutti::reduce(world, tutti::value(rank), out, plus, root);
        check_equal(out, expected, "value(x)");
        std::optional<int> const returned = tutti::reduce(world, rank, plus, root);
        check_equal(returned.has_value(), rank == root, "a result");
        check_equal(returned.value_or(-1), expected, "what is returned");
        check_equal(tutti::reduce(world, tutti::value(rank), plus, root, tutti::linear{}).value_or(-1), expected,
                    "what is returned by an algorithm that is named");
    });
}

BOOST_AUTO_TEST_CASE_ON_RANKS(other_ranks_need_not_name_an_output) {
    for_each_root(world, [&](int rank, int root) {
        auto const in = operands(rank, 5);
        std::vector<int> out(5);
        int sum = 0;
        if (rank == root) {
            tutti::reduce(world, in, out, plus, root);
            tutti::reduce(world, in.data(), 5, out.data(), plus, root);
            tutti::reduce(world, rank, sum, plus, root);
            check_equal(out, sums(support::size_of(world), 5), "out");
            check_equal(sum, support::size_of(world) * (support::size_of(world) - 1) / 2, "sum");
        } else {
            tutti::reduce(world, in, plus, root);
            tutti::reduce(world, in.data(), 5, plus, root);
            tutti::reduce(world, rank, plus, root);
        }
    });
}

BOOST_AUTO_TEST_SUITE_END()
