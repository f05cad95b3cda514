// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <vector>

#include <support/timed_ranks.hpp>
#include <tutti/communicator/threads.hpp>
#include <tutti/cost/measure/link_probe.hpp>
#include <tutti/node_map.hpp>

BOOST_AUTO_TEST_SUITE(cost_measure_link_probe)

namespace {

/// What ranks find out between whom messages take what `truth` says.
tutti::pricing::measuring::measured_link found(tutti::loggp const& truth,
                                      std::size_t half_duplex_from = support::timed_rank::full_duplex) {
    tutti::pricing::measuring::measured_link result;
    tutti::machine_model machine;
    machine.within_node = truth;
    tutti::threads::run(2, [&](auto& ranks) {
        support::timed_rank world{ranks, machine, {}, half_duplex_from};
        tutti::pricing::measuring::link_probe<support::timed_rank> between{world};
        if (world.rank() == 0) {
            result = between.run(1);
        } else {
            between.respond(0);
        }
    });
    return result;
}

void check_close(double seen, double expected) { BOOST_TEST(seen == expected, boost::test_tools::tolerance(0.01)); }

}  // namespace

BOOST_AUTO_TEST_CASE(costs_are_those_of_the_network) {
    for (auto const& truth : {tutti::loggp{30e-6, 10e-6, 10e-6, 8e-9},
                              {0.9e-6, 0.3e-6, 0.5e-6, 0.25e-9},
                              {100e-6, 1e-6, 3e-6, 0.08e-9},
                              {2e-6, 0.2e-6, 1.5e-6, 1e-9}}) {
        auto const seen = found(truth);
        check_close(seen.messages.latency, truth.latency);
        check_close(seen.messages.overhead, truth.overhead);
        check_close(seen.messages.gap, truth.gap);
        check_close(seen.messages.per_byte, truth.per_byte);
        check_close(seen.exchange_factor, 1);
        BOOST_TEST(seen.longest_message == tutti::machine_model{}.longest_message);
    }
}

BOOST_AUTO_TEST_CASE(links_may_be_half_duplex) {
    tutti::loggp const truth{30e-6, 10e-6, 10e-6, 8e-9};
    auto const seen = found(truth, 0);
    // all but the overheads and the latency is twice as long
    BOOST_TEST(seen.exchange_factor > 1.8);
    BOOST_TEST(seen.exchange_factor <= 2);
    BOOST_TEST(seen.longest_message == tutti::machine_model{}.longest_message);
    check_close(seen.messages.per_byte, truth.per_byte);
}

BOOST_AUTO_TEST_CASE(exchanges_that_take_turns_where_messages_are_long_are_cut) {
    auto const seen = found({30e-6, 10e-6, 10e-6, 80e-9}, 20'000);
    BOOST_TEST(seen.longest_message == 16'384);
    // and counts more than here, where nothing else goes on
    BOOST_TEST(seen.exchange_factor > 1.2);
    BOOST_TEST(seen.exchange_factor < 1.4);
}

BOOST_AUTO_TEST_SUITE_END()
