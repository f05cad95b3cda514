// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <random>
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

constexpr tutti::pricing::affine_cost straight_line{2e-6, 0.25e-9};

std::vector<tutti::pricing::sample> samples_of(tutti::pricing::affine_cost cost) {
    std::vector<tutti::pricing::sample> result;
    for (double bytes = 16; bytes <= 1 << 20; bytes *= 4) { result.push_back({bytes, cost.at(bytes)}); }
    return result;
}

void check_close(tutti::pricing::affine_cost seen, tutti::pricing::affine_cost expected, double relative) {
    BOOST_TEST(seen.constant == expected.constant, boost::test_tools::tolerance(relative));
    BOOST_TEST(seen.per_byte == expected.per_byte, boost::test_tools::tolerance(relative));
}

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

BOOST_AUTO_TEST_CASE(exact_samples_give_the_exact_answer) {
    check_close(tutti::pricing::fit(samples_of(straight_line)), straight_line, 1e-9);
    check_close(tutti::pricing::fit(samples_of({50e-6, 8e-9})), {50e-6, 8e-9}, 1e-9);
}

BOOST_AUTO_TEST_CASE(short_messages_count_as_much_as_long_ones) {
    std::mt19937 luck{3};
    for (int i = 0; i < 50; ++i) {
        auto noisy = samples_of(straight_line);
        for (auto& each : noisy) { each.seconds *= std::uniform_real_distribution{0.98, 1.02}(luck); }
        check_close(tutti::pricing::fit(noisy), straight_line, 0.03);
    }
}

BOOST_AUTO_TEST_CASE(outliers_do_no_harm) {
    auto const count = samples_of(straight_line).size();
    for (std::size_t one = 0; one < count; ++one) {
        for (std::size_t other = 0; other < one; ++other) {
            for (auto const factor : {0.1, 3.0, 1000.0}) {
                auto samples = samples_of(straight_line);
                samples[one].seconds *= factor;
                samples[other].seconds *= 5;
                check_close(tutti::pricing::fit(samples), straight_line, 1e-6);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(costs_are_never_negative) {
    // the longer, the faster
    std::vector<tutti::pricing::sample> const falling{{16, 3e-6}, {64, 2e-6}, {256, 1e-6}};
    BOOST_TEST(tutti::pricing::fit(falling).is_possible());
    BOOST_TEST(tutti::pricing::fit(falling).per_byte == 0);
    // more than in proportion to the length
    std::vector<tutti::pricing::sample> const steep{{16, 1e-9}, {64, 1e-8}, {256, 1e-6}};
    BOOST_TEST(tutti::pricing::fit(steep).is_possible());
    BOOST_TEST(tutti::pricing::fit(steep).per_byte >= 0);
}

BOOST_AUTO_TEST_CASE(few_samples_are_enough) {
    BOOST_TEST((tutti::pricing::fit({}) == tutti::pricing::affine_cost{}));
    std::vector<tutti::pricing::sample> const one{{16, 3e-6}};
    BOOST_TEST((tutti::pricing::fit(one) == tutti::pricing::affine_cost{3e-6, 0}));
    std::vector<tutti::pricing::sample> const two{{0, 3e-6}, {100, 4e-6}};
    check_close(tutti::pricing::fit(two), {3e-6, 1e-8}, 1e-9);
}

BOOST_AUTO_TEST_SUITE_END()
