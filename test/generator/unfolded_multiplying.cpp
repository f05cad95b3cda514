// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>

#include <laws/schedule_laws.hpp>
#include <tutti/generator/unfolded_doubling.hpp>

BOOST_AUTO_TEST_SUITE(generator_unfolded_doubling)

using namespace tutti;

BOOST_AUTO_TEST_CASE(keeps_the_laws) {
    laws::check_schedules(collective::all_reduce{}, unfolded_doubling{});
    laws::check_lengths(collective::all_reduce{}, unfolded_doubling{});
}

BOOST_AUTO_TEST_CASE(every_term_is_the_canonical_tree_in_the_fewest_rounds) {
    for (std::size_t p = 1; p <= laws::most_ranks; ++p) {
        auto const verdict = verify(collective::all_reduce{}, unfolded_doubling{}, p, 0, partition::equal(4, 1));
        BOOST_TEST(verdict.reason == "");
        BOOST_TEST((verdict.canonical && verdict.one_term));
        auto const rounds = static_cast<std::size_t>(std::bit_width(p - 1));
        BOOST_TEST(verdict.rounds == rounds);
        BOOST_TEST(verdict.max_combines == 4 * rounds);
        BOOST_TEST(verdict.max_messages_received == rounds);
        BOOST_TEST(verdict.max_messages_sent <= std::max(rounds, p - 1));
    }
}

BOOST_AUTO_TEST_SUITE_END()
