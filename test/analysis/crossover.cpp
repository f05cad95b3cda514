// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#define BOOST_TEST_MODULE analysis_crossover
#include <boost/test/unit_test.hpp>

#include <bit>
#include <cmath>

#include <tutti/analysis/crossover.hpp>
#include <tutti/analysis/table_formulas.hpp>

using namespace tutti;

BOOST_AUTO_TEST_CASE(thresholds_are_those_published) {
    BOOST_TEST((butterfly_threshold(4) == fraction{7, 2}));
    BOOST_TEST((butterfly_threshold(5) == fraction{7, 1}));
    BOOST_TEST((butterfly_threshold(8) == fraction{5, 2}));
    BOOST_TEST((butterfly_threshold(16) == fraction{53, 22}));
    BOOST_TEST((butterfly_threshold(64) == fraction{109, 38}));
    BOOST_TEST((butterfly_threshold(100) == fraction{76, 23}));
    BOOST_TEST((butterfly_threshold(500) == fraction{401, 98}));
    BOOST_TEST((butterfly_threshold(1000) == fraction{9011, 1978}));
    BOOST_TEST(std::isinf(butterfly_threshold(2).value()));
    BOOST_TEST(std::isinf(butterfly_threshold(3).value()));
}

BOOST_AUTO_TEST_CASE(only_five_ranks_are_above_five) {
    for (std::size_t size = 4; size <= 1000; ++size) {
        BOOST_REQUIRE((butterfly_threshold(size).value() < 5 || size == 5));
    }
}

BOOST_AUTO_TEST_CASE(below_the_threshold_a_butterfly_is_faster_for_some_length) {
    auto const gain = [](std::size_t size, double ratio) {
        // where they touch: u² = (L+1)²/(L-1)
        auto const rounds = static_cast<double>(std::bit_width(size - 1));
        auto const costs = cost_model::linear(1e6, ratio, 1);
        auto most = -1e300;
        for (auto u = 0.5; u < 2; u += 0.01) {
            auto const elements = u * (rounds + 1) * (rounds + 1) / (rounds - 1) * 1e6 / (1 + ratio);
            auto const greedy = *table_formula(bi_greedy{}, size, static_cast<std::size_t>(elements), costs);
            most = std::max(most, greedy.best_time() - butterfly_time(size, elements, costs));
        }
        return most;
    };
    for (std::size_t size : {4U, 5U, 8U, 16U, 64U, 100U, 1000U}) {
        auto const threshold = butterfly_threshold(size).value();
        BOOST_TEST(gain(size, threshold * 0.98) > 0);
        BOOST_TEST(gain(size, threshold * 1.02) < 0);
    }
}

BOOST_AUTO_TEST_CASE(two_segments_pay_from_where_two_are_faster_than_one) {
    auto const costs = cost_model::linear(60, 2, 1);
    for (std::size_t size : {3U, 8U, 100U}) {
        auto const formula = *table_formula(round_optimal{}, size, 1, costs);
        auto const time = [&](double elements, double segments) {
            return (formula.first + segments - 1) * (formula.latency + formula.per_element * elements / segments);
        };
        auto const length = segments_pay_from(size, costs);
        BOOST_TEST(time(length, 1) == time(length, 2), boost::test_tools::tolerance(1e-12));
        BOOST_TEST(time(length * 0.9, 1) < time(length * 0.9, 2));
    }
    BOOST_TEST(segments_pay_from(8, costs) == 2 * 60 / (2.0 * 3));
    BOOST_TEST(std::isinf(segments_pay_from(2, costs)));
}

BOOST_AUTO_TEST_CASE(halving_pays_from_where_both_take_as_long) {
    auto const costs = cost_model::linear(60, 2, 1);
    // 8 ranks: 3 (α + βm) + 5 γm  =  6 α + 7/8 m (2β + γ)
    auto const length = halving_pays_from(8, costs);
    auto const tolerance = boost::test_tools::tolerance(1e-12);
    BOOST_TEST(3 * (60 + 2 * length) + 5 * length == 6 * 60 + 7.0 / 8 * length * 5, tolerance);
    // 3 ranks: 2 (α + βm) + 2 γm  =  4 α + 2/3 m (2β + γ)
    auto const three = halving_pays_from(3, costs);
    BOOST_TEST(2 * (60 + 2 * three) + 2 * three == 4 * 60 + 2.0 / 3 * three * 5, tolerance);
}
