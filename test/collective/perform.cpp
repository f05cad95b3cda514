// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/operands.hpp>
#include <support/ranks.hpp>

#include <cstddef>
#include <functional>
#include <vector>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/perform.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/generators.hpp>

BOOST_AUTO_TEST_SUITE(collective_perform)

using support::check_equal;
using support::operands;
using support::sums;

namespace {

std::plus<> plus;

struct in_a_namespace {};

}  // namespace

BOOST_AUTO_TEST_CASE(types_have_names) {
    BOOST_TEST(tutti::text::type_name<int>() == "int");
    BOOST_TEST(tutti::text::type_name<tutti::binomial>().ends_with("binomial"));
    BOOST_TEST(tutti::text::type_name<in_a_namespace>().ends_with("in_a_namespace"));
}

// Programs are kept for the next call of the same kind; there are more kinds here than are kept.
BOOST_AUTO_TEST_CASE_ON_EACH_RANK(calls_of_many_kinds_take_turns) {
    for (int round = 0; round != 3; ++round) {
        for (std::size_t n = 1; n != 11; ++n) {
            auto const in = operands(rank, n);
            int const root = static_cast<int>(n) % size;
            std::vector<int> out(n);
            tutti::reduce(world, in, out, plus, root, tutti::linear{});
            if (rank == root) { check_equal(out, sums(size, n), "reduce"); }
            out = in;
            tutti::reduce(world, tutti::inplace(out), plus, 0, tutti::linear{});
            if (rank == 0) { check_equal(out, sums(size, n), "reduce in place"); }
            out = in;
            tutti::broadcast(world, out, root, tutti::linear{});
            check_equal(out, operands(root, n), "broadcast");
        }
    }
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(parameters_of_an_algorithm_make_another_program) {
    auto const in = operands(rank, 100);
    std::vector<int> out(100);
    for (auto const segments : std::vector<std::size_t>{1, 4, 1, 100, 1000, 0}) {
        out.assign(100, -1);
        tutti::reduce(world, in, out, plus, size - 1, tutti::pipeline{.segments = segments});
        if (rank == size - 1) { check_equal(out, sums(size, 100), "reduce"); }
    }
}

// The same type of operator is not the same operator.
BOOST_AUTO_TEST_CASE_ON_EACH_RANK(a_kept_program_takes_the_operator_of_each_call) {
    for (int offset = 0; offset != 5; ++offset) {
        auto const op = [offset](int a, int b) { return a + b + offset; };
        check_equal(tutti::all_reduce(world, 1, op, tutti::recursive_doubling{}), size + (size - 1) * offset,
                    "all_reduce");
    }
}

BOOST_AUTO_TEST_SUITE_END()
