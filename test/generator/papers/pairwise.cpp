// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <cstddef>
#include <vector>

#include <range/v3/range/conversion.hpp>

#include <laws/reduce_scatter_laws.hpp>
#include <support/reduce_scatters.hpp>
#include <tutti/generator/papers/pairwise.hpp>

BOOST_AUTO_TEST_SUITE(generator_papers_pairwise)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;

BOOST_AUTO_TEST_CASE(every_rank_gets_its_part_in_order) {
    laws::check_there_and_back(pairwise{});
    static_assert(!facts_of<collective::reduce_scatter, pairwise>.requires_commutative);
    static_assert(facts_of<collective::reduce_scatter, pairwise>.one_ported);
}

BOOST_AUTO_TEST_CASE(both_accumulators_grow_on_the_left) {
    auto const of = [](std::size_t rank) {
        return bracketings(collective::reduce_scatter{}, pairwise{}, 5, 0, support::one_block_each(5), rank)[rank];
    };
    BOOST_TEST(of(0) == "(0+(1+(2+(3+4))))");
    BOOST_TEST(of(2) == "((0+(1+2))+(3+4))");
    BOOST_TEST(of(4) == "(0+(1+(2+(3+4))))");
}

BOOST_AUTO_TEST_CASE(successors_wait_in_scratch) {
    auto const cut = support::one_block_each(4);
    auto const steps =
        ranges::to<std::vector>(generate(collective::reduce_scatter{}, pairwise{}, problem{1, 4, 0, cut}));
    std::vector<step> const expected{step::send(0, 2, buffer::result(), 2),
                                     step::receive_combine(0, 0, buffer::result(), 1, side::left),
                                     step::send(1, 3, buffer::result(), 3),
                                     step::receive(1, 3, buffer::scratch(0), 1),
                                     step::send(2, 0, buffer::result(), 0),
                                     step::receive_combine(2, 2, buffer::scratch(0), 1, side::left),
                                     step::combine(2, buffer::scratch(0), buffer::result(), 1, side::right)};
    BOOST_TEST((steps == expected));
}

BOOST_AUTO_TEST_CASE(empty_parts_are_not_sent) {
    laws::check_messages_of_six(pairwise{}, {.sends = {4, 4, 4, 4, 5, 4},
                                             .elements_sent = {16, 13, 17, 9, 18, 17},
                                             .elements_received = {10, 25, 5, 45, 0, 5}});
}

BOOST_AUTO_TEST_CASE(volume_and_combines_are_the_least) {
    for (std::size_t const size : {1U, 2U, 3U, 4U, 7U, 16U, 33U}) {
        cost::check(collective::reduce_scatter{}, pairwise{}, size, 0, support::one_block_each(size, 3),
                    cost::rounds == size - 1, cost::max_volume_sent == 3 * (size - 1),
                    cost::max_combines == 3 * (size - 1));
    }
}

BOOST_AUTO_TEST_SUITE_END()
