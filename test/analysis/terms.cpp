// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <support/tiny_generators.hpp>
#include <tutti/analysis/broken_schedule.hpp>
#include <tutti/analysis/terms.hpp>
#include <tutti/generator/direct.hpp>
#include <tutti/generator/ring.hpp>

BOOST_AUTO_TEST_SUITE(analysis_terms)

using namespace tutti;
using namespace tutti::analysis;

BOOST_AUTO_TEST_CASE(blocks_and_ranks_are_compared) {
    auto const by_ring = terms_of(collective::all_reduce{}, ring{}, 3, 0, partition::equal(3, 3));
    BOOST_TEST(by_ring.first == "((0+1)+2)");
    BOOST_TEST((!by_ring.same_everywhere && !by_ring.canonical));
}

BOOST_AUTO_TEST_CASE(every_rank_of_a_scan_has_its_own_term) {
    auto const found = terms_of(collective::inclusive_scan{}, direct{}, 7, 0, partition::equal(4, 2));
    BOOST_TEST(found.first == "(((0+1)+(2+3))+((4+5)+6))");
    BOOST_TEST((found.same_everywhere && found.canonical));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_carried_out_has_none) {
    tiny::scripted<> const waits{1, {{step::receive(0, 1, buffer::result(), 0)}, {}}};
    BOOST_CHECK_THROW(static_cast<void>(terms_of(collective::reduce{}, waits, 2, 0, partition::equal(1, 1))),
                      broken_schedule);
}

BOOST_AUTO_TEST_SUITE_END()
