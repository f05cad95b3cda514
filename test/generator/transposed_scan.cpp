// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <cstddef>

#include <laws/schedule_laws.hpp>
#include <tutti/generator/transposed_scan.hpp>

BOOST_AUTO_TEST_SUITE(generator_transposed_scan)

using namespace tutti;

namespace {

template <class Scan>
void check(Scan which, std::size_t messages) {
    laws::check_schedules(which, transposed_scan{});
    laws::check_lengths(which, transposed_scan{});
    for (std::size_t p = 1; p <= laws::most_ranks; ++p) {
        auto const verdict = verify(which, transposed_scan{}, p, 0, partition::equal(2 * p, p));
        BOOST_TEST(verdict.reason == "");
        BOOST_TEST((verdict.canonical && verdict.one_term));
        cost::check(verdict, cost::rounds == 2 * (p - 1), cost::max_volume_sent <= messages * 2 * (p - 1));
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(inclusive_scans) { check(collective::inclusive_scan{}, 2); }
BOOST_AUTO_TEST_CASE(exclusive_scans) { check(collective::exclusive_scan{}, 2); }
BOOST_AUTO_TEST_CASE(scans_with_totals) { check(collective::scan_reduce{}, 3); }

BOOST_AUTO_TEST_SUITE_END()
