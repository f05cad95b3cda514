// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <random>
#include <vector>

#include <tutti/analysis/uni_greedy_times.hpp>
#include <tutti/generator/uni_greedy.hpp>

BOOST_AUTO_TEST_SUITE(analysis_uni_greedy_times)

using namespace tutti;

BOOST_AUTO_TEST_CASE(the_makespan_is_that_of_the_reduction_after_every_segment) {
    std::mt19937 random{11};
    for (std::size_t size = 1; size <= 40; ++size) {
        uni_greedy_progress expected{size, 0};
        uni_greedy_times before{size};
        uni_greedy_times after{1};
        for (int segment = 0; segment < 8; ++segment) {
            auto const transfer = random() % 6;
            auto const combine = random() % 4;
            expected.reduce_segment(transfer, combine, [](auto...) {});
            after.follow(before, static_cast<double>(transfer), static_cast<double>(combine));
            BOOST_REQUIRE(after.makespan() == static_cast<double>(expected.makespan()));
            std::swap(before, after);
        }
    }
}

BOOST_AUTO_TEST_CASE(what_came_before_stays) {
    uni_greedy_times const start{15};
    uni_greedy_times first{15};
    first.follow(start, 2, 1);
    uni_greedy_times second{15};
    second.follow(first, 2, 1);
    BOOST_TEST(start.makespan() == 0);
    BOOST_TEST(first.makespan() == 12);
    BOOST_TEST(second.makespan() == 20);
    second.follow(first, 2, 1);
    BOOST_TEST(second.makespan() == 20);
}

BOOST_AUTO_TEST_SUITE_END()
