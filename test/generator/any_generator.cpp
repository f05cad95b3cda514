// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <cstddef>

#include <laws/schedule_laws.hpp>
#include <tutti/generator/any_generator.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/recursive_multiplying.hpp>
#include <tutti/generator/ring.hpp>

BOOST_AUTO_TEST_SUITE(generator_any_generator)

using namespace tutti;
using namespace tutti::generators;

namespace {

constexpr collective::all_reduce all_reduce{};
using any_all_reduce = any_generator<collective::all_reduce>;

/// Whatever is asked of a generator, the same is answered by it as any generator.
template <class Generator>
void is_the_same(Generator const& generator) {
    any_all_reduce const any = generator;
    BOOST_TEST(name_of(all_reduce, any) == name_of(all_reduce, generator));
    BOOST_TEST(ports_of(any) == ports_of(generator));
    BOOST_TEST(facts_about(all_reduce, any).requires_commutative ==
               facts_about(all_reduce, generator).requires_commutative);
    BOOST_TEST(facts_about(all_reduce, any).keeps_round_order == facts_about(all_reduce, generator).keeps_round_order);
    auto const blocks = blocks_for(all_reduce, any, 6, 1 << 20);
    BOOST_TEST(blocks == blocks_for(all_reduce, generator, 6, 1 << 20));
    for (std::size_t rank = 0; rank != 6; ++rank) {
        auto const cut = partition::equal(100, blocks);
        problem const at{rank, 6, 0, cut};
        laws::check_same(all_reduce, any, generator, at);
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(answers_as_what_it_holds) {
    static_assert(generator_for<any_all_reduce, collective::all_reduce>);
    is_the_same(ring{});
    is_the_same(recursive_multiplying{.radix = 3});
    is_the_same(then(pipeline{.segments = 4}, reverse(pipeline{.segments = 4})));  // not of the type of lazy schedules
}

BOOST_AUTO_TEST_CASE(equal_if_of_one_type_and_equal) {
    any_all_reduce const ternary = recursive_multiplying{.radix = 3};
    BOOST_TEST((ternary == any_all_reduce{recursive_multiplying{.radix = 3}}));
    BOOST_TEST((ternary != any_all_reduce{recursive_multiplying{.radix = 4}}));
    BOOST_TEST((ternary != any_all_reduce{ring{}}));
    BOOST_TEST(ternary.as<recursive_multiplying>()->radix == 3U);
    BOOST_TEST((ternary.as<ring>() == nullptr));
}

BOOST_AUTO_TEST_CASE(before_it_is_there_nothing_is_promised) {
    constexpr auto stated = facts_of<collective::all_reduce, any_all_reduce>;
    static_assert(stated.requires_commutative && !stated.one_ported && !stated.identical_on_all_ranks);
}

BOOST_AUTO_TEST_SUITE_END()
