// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <bit>
#include <cstddef>

#include <tutti/generator/binary_blocks.hpp>
#include <tutti/generator/butterfly.hpp>
#include <tutti/generator/split.hpp>

#include "support/expected_times.hpp"

BOOST_AUTO_TEST_SUITE(generator_binary_blocks_expected_time)

using namespace tutti;
using namespace tutti::pricing;

namespace {

template <class Collective>
double time(Collective which, std::size_t size, std::size_t bytes) {
    return expected_time(which, binary_blocks{}, on_ethernet(size, bytes));
}

}  // namespace

BOOST_AUTO_TEST_CASE(on_powers_of_two_it_is_a_butterfly) {
    for (std::size_t const size : {2U, 4U, 16U, 64U}) {
        for (std::size_t const bytes : {64U, 1U << 20U}) {
            auto const now = on_ethernet(size, bytes);
            BOOST_TEST(time(collective::all_reduce{}, size, bytes) ==
                           expected_time(collective::all_reduce{}, split{.halvings = size}, now),
                       boost::test_tools::tolerance(0.25));
            BOOST_TEST(time(collective::reduce{}, size, bytes) == expected_time(collective::reduce{}, butterfly{}, now),
                       boost::test_tools::tolerance(0.05));
        }
    }
}

BOOST_AUTO_TEST_CASE(other_numbers_take_no_less_than_the_power_of_two_below) {
    for (std::size_t const bytes : {64U, 1U << 20U}) {
        for (std::size_t const size : {5U, 7U, 12U, 33U}) {
            auto const below = std::bit_floor(size);
            BOOST_TEST(time(collective::all_reduce{}, size, bytes) >= time(collective::all_reduce{}, below, bytes));
            BOOST_TEST(time(collective::all_reduce{}, size, bytes) < 3 * time(collective::all_reduce{}, below, bytes));
            BOOST_TEST(time(collective::reduce_scatter{}, size, bytes) >
                       time(collective::reduce_scatter{}, below, bytes));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
