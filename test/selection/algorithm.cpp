// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <functional>

#include <tutti/generator/binomial.hpp>
#include <tutti/generator/ring.hpp>
#include <tutti/selection/algorithm.hpp>

BOOST_AUTO_TEST_SUITE(selection_algorithm)

using namespace tutti;
using namespace tutti::operators;
using namespace tutti::selection;

BOOST_AUTO_TEST_CASE(generators_and_automatic_are_algorithms) {
    BOOST_TEST((algorithm<automatic> && algorithm<binomial> && algorithm<ring>));
    BOOST_TEST((!algorithm<int> && !algorithm<std::plus<>>));
}

BOOST_AUTO_TEST_CASE(operands_may_be_reordered_where_that_changes_nothing) {
    BOOST_TEST((may_reorder<collective::reduce, std::plus<>, int>));
    BOOST_TEST((!may_reorder<collective::reduce, std::minus<>, int>));
    BOOST_TEST((may_reorder<collective::broadcast, no_operator, int>));
}

BOOST_AUTO_TEST_SUITE_END()
