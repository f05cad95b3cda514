// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>

#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/bucket.hpp>
#include <tutti/generator/butterfly.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/direct_exchange.hpp>
#include <tutti/generator/linear.hpp>
#include <tutti/generator/pattern/tree/greedy.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/ported_circulant.hpp>
#include <tutti/generator/postal_tree.hpp>
#include <tutti/generator/recursive_multiplying.hpp>
#include <tutti/generator/ring.hpp>
#include <tutti/generator/round_optimal.hpp>
#include <tutti/generator/split.hpp>
#include <tutti/generator/two_tree.hpp>

#include "support/expected_times.hpp"

BOOST_AUTO_TEST_SUITE(cost_price_expected_time)

using namespace tutti;
using namespace tutti::generators;

namespace {

/// What 16 MiB take where `factor` is `value`, beside what they take where it is 1.
template <class Collective, class Generator>
double times_as_long(Collective which, Generator const& generator, std::size_t size, double machine_model::*factor,
                     double value) {
    auto now = on_ethernet(size, 1 << 24);
    auto const before = expected_time(which, generator, now);
    now.its.*factor = value;
    return expected_time(which, generator, now) / before;
}

}  // namespace

BOOST_AUTO_TEST_CASE(vectors_read_in_place_take_one_pass_to_combine_and_one_to_copy) {
    auto const time_with = [](std::size_t bytes, double combine_per_byte) {
        auto now = on_ethernet(2, bytes);
        now.nodes = node_map{};
        now.lends_objects = true;
        now.combine_per_byte = combine_per_byte;
        return expected_time(collective::all_reduce{}, direct_exchange{}, now);
    };
    BOOST_TEST(time_with(1000, 0.001) == 2 * 50 + 1000 * 0.008, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(time_with(1000, 0.02) == 2 * 50 + 500 * 0.02 + 500 * 0.008, boost::test_tools::tolerance(1e-9));
    // in four stretches
    BOOST_TEST(time_with(1 << 21, 0) == 8 * 50 + (1 << 21) * 0.008, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_reversal_takes_as_long_if_nothing_is_combined) {
    auto const now = on_ethernet(12, 5000);
    BOOST_TEST(expected_time(collective::broadcast{}, reverse(two_tree{.segments = 3}), now) ==
               expected_time(collective::reduce{}, two_tree{.segments = 3}, now));
    auto combines = now;
    combines.combine_per_byte = 1;
    BOOST_TEST(expected_time(collective::broadcast{}, reverse(two_tree{.segments = 3}), combines) ==
               expected_time(collective::reduce{}, two_tree{.segments = 3}, now));
    BOOST_TEST(expected_time(collective::reduce{}, two_tree{.segments = 3}, combines) >
               expected_time(collective::reduce{}, two_tree{.segments = 3}, now));
}

// Only ranks that send to each other can get in each other's way.
BOOST_AUTO_TEST_CASE(half_duplex_links_slow_down_exchanges) {
    auto const slowdown = [](auto which, auto const& generator, std::size_t size) {
        return times_as_long(which, generator, size, &machine_model::exchange_factor, 2);
    };
    constexpr collective::all_reduce all_reduce;
    constexpr collective::reduce reduce;
    auto const roughly = boost::test_tools::tolerance(0.01);
    BOOST_TEST(slowdown(all_reduce, split{.halvings = 4}, 16) == 2, roughly);
    BOOST_TEST(slowdown(all_reduce, ring{}, 16) == 1, roughly);
    BOOST_TEST(slowdown(all_reduce, ring{}, 2) == 2, roughly);
    BOOST_TEST(slowdown(collective::reduce_scatter{}, bucket{}, 3) == 1, roughly);
    BOOST_TEST(slowdown(reduce, butterfly{}, 16) == 1.5, roughly);
    BOOST_TEST(slowdown(reduce, pipeline{.segments = 64}, 2) == 1, roughly);
}

// Where ranks send to the same one all the time, nothing of another round can be in the way.
BOOST_AUTO_TEST_CASE(changes_of_distance_slow_down_rounds) {
    auto const slowdown = [](auto which, auto const& generator, std::size_t size) {
        return times_as_long(which, generator, size, &machine_model::partner_change_factor, 1.44);
    };
    constexpr collective::all_reduce all_reduce;
    constexpr collective::reduce reduce;
    auto const roughly = boost::test_tools::tolerance(0.01);
    BOOST_TEST(slowdown(all_reduce, ring{}, 16) == 1, roughly);
    BOOST_TEST(slowdown(collective::reduce_scatter{}, bucket{}, 16) == 1, roughly);
    BOOST_TEST(slowdown(reduce, pipeline{.segments = 64}, 16) == 1, roughly);
    BOOST_TEST(slowdown(all_reduce, split{.halvings = 4}, 16) == 1.44, roughly);
    BOOST_TEST(slowdown(all_reduce, recursive_multiplying{.radix = 2}, 16) == 1.44, roughly);
    BOOST_TEST(slowdown(all_reduce, then(circulant{}, reverse(circulant{})), 16) == 1.44, roughly);
    BOOST_TEST(slowdown(reduce, butterfly{}, 16) == 1.44, roughly);
    BOOST_TEST(slowdown(reduce, two_tree{.segments = 512}, 16) > 1.1);
    BOOST_TEST(slowdown(reduce, round_optimal{.segments = 4096}, 16) > 1.1);
    BOOST_TEST(slowdown(collective::broadcast{}, reverse(two_tree{.segments = 512}), 16) > 1.1);
}

BOOST_AUTO_TEST_CASE(one_rank_takes_no_time) {
    BOOST_TEST(expected_time(collective::reduce{}, pipeline{.segments = 3}, on_ethernet(1, 100)) == 0);
}

BOOST_AUTO_TEST_CASE(more_bytes_take_no_less) {
    for (std::size_t const size : {2U, 5U, 16U, 100U}) {
        double before = 0;
        for (std::size_t bytes = 1; bytes < (1U << 26); bytes *= 3) {
            auto const now = on_ethernet(size, bytes);
            auto const time = expected_time(collective::reduce_scatter{}, ported_circulant{.ports = 3}, now);
            BOOST_TEST(time >= before);
            before = time;
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
