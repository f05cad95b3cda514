// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <cstddef>

#include <laws/schedule_laws.hpp>
#include <support/scan_counts.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/scan_and_broadcast.hpp>

BOOST_AUTO_TEST_SUITE(generator_scan_and_broadcast)

using namespace tutti;
using scans::both;

BOOST_AUTO_TEST_CASE(keeps_the_laws) {
    laws::check_schedules(both, scan_and_broadcast<>{});
    laws::check_schedules(both, scan_and_broadcast{reverse(pipeline{.segments = 3})}, {1, 2, 3, 7, 16});
    laws::check_lengths(both, scan_and_broadcast<>{});
}

BOOST_AUTO_TEST_CASE(every_term_is_the_canonical_tree) {
    for (std::size_t p = 1; p <= laws::most_ranks; ++p) {
        auto const verdict = verify(both, scan_and_broadcast<>{}, p, 0, partition::equal(6, 3));
        BOOST_TEST(verdict.reason == "");
        BOOST_TEST((verdict.canonical && verdict.one_term));
        BOOST_TEST(verdict.rounds == 2 * support::log2_up(p));
        if (p == 1) { continue; }
        cost::check(verdict, cost::max_volume_sent <= 6 * (2 * support::log2_up(p) - 1),
                    cost::max_combines <= 6 * (2 * support::log2_up(p) - 1));
    }
}

BOOST_AUTO_TEST_SUITE_END()
