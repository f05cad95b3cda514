// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <bit>
#include <cmath>


#include "../../../benchmarks/paper/formulas.hpp"

BOOST_AUTO_TEST_SUITE(benchmarks_paper_crossover)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::paper;

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

BOOST_AUTO_TEST_SUITE_END()
