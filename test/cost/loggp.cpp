// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <tutti/cost/loggp.hpp>

BOOST_AUTO_TEST_SUITE(cost_loggp)

BOOST_AUTO_TEST_CASE(a_message_takes_latency_overheads_and_its_length) {
    constexpr tutti::loggp link_probe{.latency = 5, .overhead = 2, .gap = 4, .per_byte = 0.5};
    static_assert(link_probe.transfer(0) == 9);
    static_assert(link_probe.transfer(100) == 59);
    static_assert(link_probe.interval(0) == 4);
    static_assert(link_probe.interval(7) == 4);
    static_assert(link_probe.interval(100) == 50);
    BOOST_TEST((link_probe == tutti::loggp{5, 2, 4, 0.5}));
    BOOST_TEST((link_probe != tutti::loggp{5, 2, 4, 0.25}));
}

BOOST_AUTO_TEST_SUITE_END()
