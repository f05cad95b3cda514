// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <random>
#include <vector>

#include <tutti/cost/measure/link_probe.hpp>

BOOST_AUTO_TEST_SUITE(cost_measure_link_probe_fit)

namespace {

constexpr tutti::pricing::affine_cost truth{2e-6, 0.25e-9};

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

BOOST_AUTO_TEST_CASE(exact_samples_give_the_exact_answer) {
    check_close(tutti::pricing::fit(samples_of(truth)), truth, 1e-9);
    check_close(tutti::pricing::fit(samples_of({50e-6, 8e-9})), {50e-6, 8e-9}, 1e-9);
}

BOOST_AUTO_TEST_CASE(short_messages_count_as_much_as_long_ones) {
    std::mt19937 luck{3};
    for (int i = 0; i < 50; ++i) {
        auto noisy = samples_of(truth);
        for (auto& each : noisy) { each.seconds *= std::uniform_real_distribution{0.98, 1.02}(luck); }
        check_close(tutti::pricing::fit(noisy), truth, 0.03);
    }
}

BOOST_AUTO_TEST_CASE(outliers_do_no_harm) {
    auto const count = samples_of(truth).size();
    for (std::size_t one = 0; one < count; ++one) {
        for (std::size_t other = 0; other < one; ++other) {
            for (auto const factor : {0.1, 3.0, 1000.0}) {
                auto samples = samples_of(truth);
                samples[one].seconds *= factor;
                samples[other].seconds *= 5;
                check_close(tutti::pricing::fit(samples), truth, 1e-6);
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
