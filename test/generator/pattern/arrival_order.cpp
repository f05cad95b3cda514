// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/generator/pattern/arrival_order.hpp>

BOOST_AUTO_TEST_SUITE(generator_pattern_arrival_order)

using namespace tutti;
using namespace tutti::generators;

namespace {

using times = std::vector<double>;
using numbers = std::vector<std::size_t>;

constexpr double infinite = std::numeric_limits<double>::infinity();

template <class Function>
std::string refusal_of(Function function) {
    try {
        function();
    } catch (std::invalid_argument const& error) { return error.what(); }
    return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(of_ranks_that_arrive_at_once_the_lowest_is_first) {
    BOOST_TEST(arrival_order("x", {2, 0, 0, 0}, 4) == (numbers{1, 2, 3, 0}), boost::test_tools::per_element());
    BOOST_TEST(arrival_order("x", {3, 4, 3, 1}, 4) == (numbers{3, 0, 2, 1}), boost::test_tools::per_element());
    BOOST_TEST(arrival_order("x", {0, 0, 3, 3, 1}, 5) == (numbers{0, 1, 4, 2, 3}), boost::test_tools::per_element());
    BOOST_TEST(arrival_order("x", {-1, -2.5}, 2) == (numbers{1, 0}), boost::test_tools::per_element());
    BOOST_TEST(arrival_order("x", {}, 3) == (numbers{0, 1, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(another_order_can_break_ties) {
    BOOST_TEST(sorted_by_arrival({2, 1, 0}, {5, 5, 1}) == (numbers{2, 1, 0}), boost::test_tools::per_element());
    BOOST_TEST(sorted_by_arrival({2, 0, 1}, {}) == (numbers{2, 0, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(refuses_what_are_no_arrivals) {
    BOOST_TEST(refusal_of([] {
                   check_arrivals("chain", {0, 1}, 3);
               }) == "tutti: chain needs one arrival time for every rank, or none, not 2 for 3 ranks");
    auto const not_finite = std::string{"tutti: chain needs arrival times that are finite"};
    BOOST_TEST(refusal_of([] { check_arrivals("chain", {0, infinite}, 2); }) == not_finite);
    BOOST_TEST(refusal_of([] { static_cast<void>(arrival_order("chain", {std::nan(""), 1}, 2)); }) == not_finite);
    BOOST_TEST(refusal_of([] { check_arrivals("chain", {}, 3); }) == "");
    BOOST_TEST(refusal_of([] { check_arrivals("chain", {0, 0, -3}, 3); }) == "");
}

BOOST_AUTO_TEST_CASE(refuses_a_tau_that_is_not_positive) {
    for (auto const tau : {0.0, -1.0, std::nan("")}) {
        BOOST_TEST(refusal_of([&] { check_tau("chain", tau); }) ==
                   "tutti: chain needs a positive, finite tau, the time to send and combine a block");
    }
    BOOST_TEST(refusal_of([] { check_tau("chain", 1e-9); }) == "");
}

BOOST_AUTO_TEST_SUITE_END()
