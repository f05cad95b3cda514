// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <stdexcept>

#include <support/tiny_generators.hpp>
#include <tutti/analysis/broken_schedule.hpp>
#include <tutti/analysis/terms.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/butterfly.hpp>
#include <tutti/generator/direct.hpp>
#include <tutti/generator/linear.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/recursive_doubling.hpp>
#include <tutti/generator/ring.hpp>
#include <tutti/generator/split.hpp>

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

BOOST_AUTO_TEST_CASE(trees_of_combines_are_compared_and_not_ways_of_messages) {
    for (std::size_t const p : {1U, 2U, 4U, 8U, 16U}) {
        BOOST_TEST(same_terms(binomial{}, butterfly{}, p));
        BOOST_TEST(same_terms(collective::all_reduce{}, recursive_doubling{}, split{.halvings = 1}, p));
    }
    BOOST_TEST(same_terms(pipeline{.segments = 1}, pipeline{.segments = 5}, 7));
    BOOST_TEST(!same_terms(binomial{}, linear{}, 4));
    BOOST_TEST(!same_terms(binomial{}, butterfly{}, 5));  // whose first ranks are a pair, and become one group
    BOOST_TEST(!same_terms(binomial{}, pipeline{}, 4));
}

BOOST_AUTO_TEST_CASE(every_element_is_compared) {
    // of two ranks either begins every second part of a ring
    BOOST_TEST(!same_terms(collective::all_reduce{}, ring{}, recursive_doubling{}, 2));
    BOOST_TEST(same_terms(ring{}, ring{}, 5));
    BOOST_TEST(same_terms(ring{}, ring{.sub_segments = 2}, 2) == same_terms(ring{.sub_segments = 2}, ring{}, 2));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_compared_is_refused) {
    BOOST_CHECK_THROW(static_cast<void>(same_terms(tiny::exchange{}, recursive_doubling{}, 3)), std::invalid_argument);
    BOOST_CHECK_THROW(static_cast<void>(same_terms(tiny::exchange{}, tiny::chain{}, 2)), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
