// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <tutti/arrival/pattern.hpp>

BOOST_AUTO_TEST_SUITE(arrival_pattern)

namespace {

std::vector<std::size_t> order_of(std::vector<std::int64_t> arrivals) {
    tutti::process_arrival_pattern pattern;
    pattern.arrivals = std::move(arrivals);
    return pattern.order();
}

}  // namespace

BOOST_AUTO_TEST_CASE(ranks_are_sorted_by_arrival_and_then_by_rank) {
    using boost::test_tools::per_element;
    using ranks = std::vector<std::size_t>;
    BOOST_TEST(order_of({2, 0, 0, 0}) == (ranks{1, 2, 3, 0}), per_element());
    BOOST_TEST(order_of({3, 4, 3, 1}) == (ranks{3, 0, 2, 1}), per_element());
    BOOST_TEST(order_of({0, 0, 3, 3, 1}) == (ranks{0, 1, 4, 2, 3}), per_element());
    BOOST_TEST(order_of({5, 1, 2, 2, 2, 1}) == (ranks{1, 5, 2, 3, 4, 0}), per_element());
    BOOST_TEST(order_of({}).empty());
}

BOOST_AUTO_TEST_CASE(patterns_are_compared_in_all_they_say) {
    tutti::process_arrival_pattern const one{.iteration = 1, .arrivals = {0, 5}, .heard = 2};
    auto other = one;
    BOOST_TEST((other == one));
    other.slowness.learn(2, 1);
    BOOST_TEST((other != one));
    other = one;
    other.iteration = 2;
    BOOST_TEST((other != one));
    other = one;
    other.heard = 1;
    BOOST_TEST((other != one));
    other = one;
    other.arrivals = {5, 0};
    BOOST_TEST((other != one));
}

BOOST_AUTO_TEST_SUITE_END()
