// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <bit>
#include <cstddef>

#include <laws/reduce_scatter_laws.hpp>
#include <support/reduce_scatters.hpp>
#include <tutti/generator/papers/short_vector.hpp>

BOOST_AUTO_TEST_SUITE(generator_papers_short_vector)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;

BOOST_AUTO_TEST_CASE(every_rank_gets_its_part_in_order) {
    laws::check_there_and_back(short_vector{});
    static_assert(!facts_of<collective::reduce_scatter, short_vector>.requires_commutative);
    static_assert(facts_of<collective::reduce_scatter, short_vector>.one_ported);
}

BOOST_AUTO_TEST_CASE(the_larger_half_of_the_ranks_is_the_first) {
    auto const of = [](std::size_t size) {
        return bracketings(collective::reduce_scatter{}, short_vector{}, size, 0, support::one_block_each(size),
                           size - 1)[size - 1];
    };
    BOOST_TEST(of(5) == "(((0+1)+2)+(3+4))");
    BOOST_TEST(of(6) == "(((0+1)+2)+((3+4)+5))");
    BOOST_TEST(of(7) == "(((0+1)+(2+3))+((4+5)+6))");
}

BOOST_AUTO_TEST_CASE(the_scatter_sends_what_a_half_owns) {
    laws::check_messages_of_six(short_vector{}, {.sends = {3, 1, 1, 2, 1, 1},
                                                 .elements_sent = {16, 18, 18, 19, 18, 18},
                                                 .elements_received = {54, 5, 1, 46, 0, 1}});
}

BOOST_AUTO_TEST_CASE(there_are_twice_as_many_rounds_as_levels) {
    for (std::size_t size = 1; size <= 40; ++size) {
        cost::check(collective::reduce_scatter{}, short_vector{}, size, 0, support::one_block_each(size, 2),
                    cost::rounds == 2U * static_cast<std::size_t>(std::bit_width(size - 1)),
                    cost::rounds_used == cost::rounds, cost::messages == 2 * (size - 1));
    }
}

BOOST_AUTO_TEST_SUITE_END()
