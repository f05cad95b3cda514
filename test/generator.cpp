// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>

#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/generator/named.hpp>

BOOST_AUTO_TEST_SUITE(generator)

using namespace tutti;
using namespace tutti::generators;

namespace test {

struct no_generator {};

struct described_only {};
constexpr facts describe(collective::reduce, std::type_identity<described_only>) { return {.name = "described_only"}; }

}  // namespace test

static_assert(generator_for<binomial, collective::reduce> && !generator_for<binomial, collective::all_reduce>);
static_assert(generator_for<ring, collective::all_reduce> && !generator_for<ring, collective::reduce>);
static_assert(generator_for<reversed<binomial>, collective::broadcast>);
static_assert(!generator_for<test::no_generator, collective::reduce>);
static_assert(!generator_for<test::described_only, collective::reduce>);
static_assert(facts_of<collective::reduce, uni_greedy>.requires_commutative);
static_assert(!facts_of<collective::reduce, binomial>.requires_commutative);

BOOST_AUTO_TEST_CASE(generators_have_the_names_that_users_type) {
    BOOST_TEST(name_of(collective::reduce{}, binomial{}) == "binomial");
    BOOST_TEST(name_of(collective::all_reduce{}, ring{}) == "ring");
    BOOST_TEST(name_of(collective::broadcast{}, reverse(pipeline{})) == "reverse(pipeline)");
}

BOOST_AUTO_TEST_CASE(pipelines_cut_into_default_segments_unless_told_otherwise) {
    BOOST_TEST(blocks_for(pipeline{}, 8, 0) == 1U);
    BOOST_TEST(blocks_for(pipeline{}, 8, default_segment) == 1U);
    BOOST_TEST(blocks_for(pipeline{}, 8, default_segment + 1) == 2U);
    BOOST_TEST(blocks_for(pipeline{}, 8, 10 * default_segment) == 10U);
    BOOST_TEST(blocks_for(pipeline{.segments = 7}, 8, 1) == 7U);
}

BOOST_AUTO_TEST_CASE(others_cut_as_their_algorithm_says) {
    BOOST_TEST(blocks_for(binomial{}, 8, std::size_t{1} << 40) == 1U);
    BOOST_TEST(blocks_for(ring{}, 8, 1) == 8U);
    BOOST_TEST(blocks_for(butterfly{}, 13, 1) == 8U);
}

BOOST_AUTO_TEST_SUITE_END()
