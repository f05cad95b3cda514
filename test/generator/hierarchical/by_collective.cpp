// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <laws/schedule_laws.hpp>
#include <tutti/generator/hierarchical.hpp>
#include <tutti/generator/multi_lane.hpp>

BOOST_AUTO_TEST_SUITE(generator_hierarchical_by_collective)

using namespace tutti;
using namespace tutti::generators;

BOOST_AUTO_TEST_CASE(each_collective_has_the_generator_that_is_named_for_it) {
    static_assert(generator_for<fewest_rounds, collective::reduce>);
    static_assert(!generator_for<fewest_rounds, collective::reduce_scatter>);
    static_assert(generator_for<least_volume, collective::reduce_scatter>);
    BOOST_TEST(name_of(collective::reduce{}, fewest_rounds{}) == "binomial");
    BOOST_TEST(name_of(collective::all_reduce{}, fewest_rounds{}) == "recursive_doubling");
    BOOST_TEST(name_of(collective::reduce{}, least_volume{}) == "butterfly");
    BOOST_TEST(blocks_for(collective::reduce{}, least_volume{}, 9, 1 << 20) == 8U);
    BOOST_TEST(blocks_for(collective::reduce{}, fewest_rounds{}, 9, 1 << 20) == 1U);
}

BOOST_AUTO_TEST_CASE(schedules_are_those_of_that_generator) {
    laws::check_schedules(collective::reduce{}, fewest_rounds{}, {1, 2, 7, 9});
    laws::check_schedules(collective::reduce_scatter{}, least_volume{}, {1, 2, 7, 9});
}

BOOST_AUTO_TEST_SUITE_END()
