// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include <support/meshes.hpp>
#include <tutti/generator/mesh.hpp>

BOOST_AUTO_TEST_SUITE(generator_mesh_choice)

using namespace tutti;
using namespace tutti::generators;
using support::mesh_time;

namespace {

using algorithm = std::variant<bucket, short_vector>;
std::vector<algorithm> const choices{bucket{}, short_vector{}};

/// "3 long, 2 short".
std::string text(std::vector<mesh_phase<algorithm>> const& phases) {
    std::string result;
    for (auto const& phase : phases) {
        result += (result.empty() ? "" : ", ") + std::to_string(phase.ranks) +
                  (std::holds_alternative<bucket>(phase.algorithm) ? " long" : " short");
    }
    return result;
}

struct fastest {
    double time;
    std::size_t phases;
};

/// By trying all.
fastest by_trial(mesh_costs const& costs, std::size_t size, double elements) {
    fastest best{std::numeric_limits<double>::infinity(), 0};
    for (auto const& factors : support::factorisations(size, size)) {
        for (auto const& algorithms : support::tuples(choices, factors.size())) {
            std::vector<mesh_phase<algorithm>> phases;
            for (std::size_t i = 0; i < factors.size(); ++i) { phases.push_back({factors[i], algorithms[i]}); }
            auto const time = mesh_time(phases, costs, elements);
            bool const same = best.phases != 0 && std::abs(time - best.time) <= 1e-9 * best.time;
            if (same ? phases.size() < best.phases : time < best.time) { best = {time, phases.size()}; }
        }
    }
    return best;
}

mesh_costs const published{1000, 1, 0.25};

}  // namespace

BOOST_AUTO_TEST_CASE(costs_are_those_published) {
    auto const two_decimals = boost::test_tools::tolerance(0.5e-6);
    struct row {
        std::size_t size;
        double all_short, all_long, long_then_short;
        std::size_t rows;
        double best;
    };
    for (auto const& [size, all_short, all_long, long_then_short, rows, best] :
         std::vector<row>{{12, 32234.67, 15693.33, 12461.33, 6, 8693.33},
                          {16, 32320, 19800, 14168, 4, 8800},
                          {48, 46730.67, 52013.33, 18424, 6, 11013.33}}) {
        BOOST_TEST(phase_time(short_vector{}, published, size, 4096) == all_short, two_decimals);
        BOOST_TEST(phase_time(bucket{}, published, size, 4096) == all_long, two_decimals);
        std::size_t best_rows = 0;
        auto least = std::numeric_limits<double>::infinity();
        for (std::size_t r = 2; r < size; ++r) {
            if (size % r != 0) { continue; }
            std::vector<mesh_phase<algorithm>> const mesh{{r, bucket{}}, {size / r, short_vector{}}};
            auto const time = mesh_time(mesh, published, 4096);
            if (time < least) {
                least = time;
                best_rows = r;
            }
        }
        BOOST_TEST(least == long_then_short, two_decimals);
        BOOST_TEST(best_rows == rows);
        BOOST_TEST(mesh_time(cheapest_mesh(choices, published, size, 4096), published, 4096) == best, two_decimals);
    }
    BOOST_TEST(phase_time(bucket{}, published, 13, 64) == 12073.85, two_decimals);
    BOOST_TEST(mesh_time(cheapest_mesh(choices, published, 13, 64), published, 64) == 8379.08, two_decimals);
}

BOOST_AUTO_TEST_CASE(small_factors_are_long_and_all_apart) {
    BOOST_TEST(text(cheapest_mesh(choices, published, 1, 4096)) == "");
    BOOST_TEST(text(cheapest_mesh(choices, published, 12, 4096)) == "3 long, 2 long, 2 long");
    BOOST_TEST(text(cheapest_mesh(choices, published, 16, 4096)) == "2 long, 2 long, 2 long, 2 long");
    BOOST_TEST(text(cheapest_mesh(choices, published, 210, 1)) == "7 long, 5 long, 3 long, 2 long");
}

BOOST_AUTO_TEST_CASE(large_primes_are_short_for_short_vectors) {
    BOOST_TEST(text(cheapest_mesh(choices, published, 13, 64)) == "13 short");
    BOOST_TEST(text(cheapest_mesh(choices, published, 13, 4096)) == "13 long");
    BOOST_TEST(text(cheapest_mesh(choices, published, 26, 600)) == "2 long, 13 short");
    BOOST_TEST(text(cheapest_mesh(choices, published, 22, 0)) == "11 short, 2 long");
}

BOOST_AUTO_TEST_CASE(of_equally_fast_meshes_the_one_with_fewest_dimensions_is_chosen) {
    for (std::size_t const size : {6U, 12U, 30U, 64U}) {
        BOOST_TEST(text(cheapest_mesh(choices, {0, 1, 1}, size, 1000)) == std::to_string(size) + " long");
    }
}

BOOST_AUTO_TEST_CASE(no_mesh_is_faster) {
    for (auto const& costs : std::vector<mesh_costs>{published, {0, 1, 1}, {1, 0, 0}, {10, 1, 0}, {10, 0, 1}}) {
        for (double const elements : {0.0, 1.0, 50.0, 100000.0}) {
            for (std::size_t size = 2; size <= 48; ++size) {
                auto const chosen = cheapest_mesh(choices, costs, size, elements);
                auto const best = by_trial(costs, size, elements);
                BOOST_TEST(mesh_time(chosen, costs, elements) == best.time, boost::test_tools::tolerance(1e-9));
                BOOST_TEST(chosen.size() == best.phases);
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
