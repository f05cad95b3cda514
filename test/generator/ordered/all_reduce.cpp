// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <bit>
#include <cstddef>

#include <laws/schedule_laws.hpp>

#include <tutti/analysis/verify.hpp>
#include <tutti/generator/ordered.hpp>

BOOST_AUTO_TEST_SUITE(generator_ordered_all_reduce)

using namespace tutti;
using namespace tutti::generators;

BOOST_AUTO_TEST_CASE(keeps_the_laws) {
    laws::check_schedules(collective::all_reduce{}, ordered{});
    laws::check_lengths(collective::all_reduce{}, ordered{});
    static_assert(!facts_of<collective::all_reduce, ordered>.requires_commutative);
    static_assert(facts_of<collective::all_reduce, ordered>.identical_on_all_ranks);
}

BOOST_AUTO_TEST_CASE(takes_the_rounds_and_the_volume_it_states) {
    for (std::size_t p = 2; p <= 64; ++p) {
        auto const cost = verify(collective::all_reduce{}, ordered{}, p, 0, partition::equal(4 * p, p));
        BOOST_TEST_CONTEXT(p << " ranks") {
            BOOST_TEST(cost.ok, cost.reason);
            BOOST_TEST(cost.rounds == 2 * static_cast<std::size_t>(std::bit_width(p - 1)));
            // reduce_scatter at most 3/2 (p - 1) parts, all_gather p - 1
            BOOST_TEST(2 * cost.max_volume_sent <= 5 * 4 * (p - 1));
            BOOST_TEST(cost.max_combines <= 4 * p);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
