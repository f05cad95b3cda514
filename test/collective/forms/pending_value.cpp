// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <functional>
#include <optional>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/collective/scan_reduce.hpp>
#include <tutti/operation/annotated.hpp>

BOOST_AUTO_TEST_SUITE(collective_forms_pending_value)

using support::check_equal;

namespace {

std::plus<> plus;

}  // namespace

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(the_result_is_given_once_it_is_there) {
    check_equal(tutti::async::all_reduce(world, rank + 1, plus).get(), size * (size + 1) / 2, "all_reduce");
    check_equal(tutti::async::inclusive_scan(world, 1, plus).get(), rank + 1, "inclusive_scan");
    check_equal(tutti::async::exclusive_scan(world, 1, tutti::with_identity(plus, 0)).get(), rank, "exclusive_scan");
    auto const both = tutti::async::scan_reduce(world, 1, plus).get();
    check_equal(both.prefix, rank, "prefix");
    check_equal(both.total, size, "total");
    std::optional<int> const sum = tutti::async::reduce(world, 1, plus, size - 1).get();
    check_equal(sum.has_value(), rank == size - 1, "the root's result");
    check_equal(sum.value_or(size), size, "reduce");
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(operand_and_operator_may_be_gone) {
    auto const start = [&world](int operand, int offset) {
        return tutti::async::all_reduce(world, operand, [offset](int a, int b) { return a + b + offset; });
    };
    auto first = start(1, 0);
    auto second = start(2, 1);
    auto moved = std::move(first);
    second.wait();
    while (!moved.test()) {}
    check_equal(second.get(), 2 * size + size - 1, "second");
    check_equal(moved.get(), size, "first");
}

BOOST_AUTO_TEST_SUITE_END()
