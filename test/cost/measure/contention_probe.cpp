// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <mutex>
#include <utility>

#include <tutti/communicator/threads.hpp>
#include <tutti/cost/measure/contention_probe.hpp>

BOOST_AUTO_TEST_SUITE(cost_measure_contention_probe)

using namespace tutti;
using namespace tutti::pricing;

namespace {

machine_model measured(int size, loggp const& alone) {
    std::mutex one_at_a_time;
    machine_model result;
    threads::run(size, [&](auto& world) {
        machine_model here{.between_nodes = alone};
        measuring::contention_probe{world}.measure(here, 16'384);
        std::scoped_lock const lock{one_at_a_time};
        if (world.rank() == 0) { result = here; }
    });
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(there_is_an_entry_for_every_power_of_two_up_to_half_of_the_ranks) {
    for (auto const& [size, distances] : {std::pair{1, 0U}, {2, 1U}, {3, 1U}, {4, 2U}, {7, 2U}, {8, 3U}}) {
        BOOST_TEST(measured(size, {.latency = 1e-6, .per_byte = 1e-10}).distances.size() == distances);
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_slower_than_between_two_ranks_alone_costs_the_same) {
    for (auto const& each : measured(4, {.latency = 1e3, .gap = 1e3, .per_byte = 1}).distances) {
        BOOST_TEST((each == contention{}));
    }
}

BOOST_AUTO_TEST_CASE(what_is_much_slower_says_so) {
    for (auto const& each : measured(4, {.latency = 1e-12, .per_byte = 1e-18}).distances) {
        BOOST_TEST(each.latency > 1);
        BOOST_TEST(each.per_byte >= 1);
        BOOST_TEST(each.overhead >= 1);
    }
}

BOOST_AUTO_TEST_CASE(the_slowest_route_is_there_and_back) {
    BOOST_TEST(measured(4, {.latency = 1e-12, .per_byte = 1e-18}).slowest_route > 1);
    BOOST_TEST(measured(4, {.latency = 1e3, .gap = 1e3, .per_byte = 1}).slowest_route == 1);
}

BOOST_AUTO_TEST_CASE(of_one_distance_there_is_no_change) {
    for (int const size : {1, 2, 3}) { BOOST_TEST(measured(size, {.per_byte = 1e-10}).partner_change_factor == 1); }
    auto const change = measured(8, {.per_byte = 1e-10}).partner_change_factor;
    BOOST_TEST((change == 1 || (change > 1.2 && change <= 2)));
}

BOOST_AUTO_TEST_SUITE_END()
