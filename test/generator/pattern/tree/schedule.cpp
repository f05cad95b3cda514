// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <vector>

#include <range/v3/range/conversion.hpp>

#include <tutti/generator/pattern/tree/schedule.hpp>

BOOST_AUTO_TEST_SUITE(generator_pattern_tree_schedule)

using namespace tutti;
using namespace tutti::generators;

namespace {

std::vector<step> steps(std::size_t rank, partition const& cut) {
    return ranges::to<std::vector>(tree_schedule(grow_greedy_tree({1, 1}, 13), problem{rank, 13, 4, cut}));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_rank_receives_outwards_then_sends) {
    auto const cut = partition::equal(6, 3);
    auto const result = buffer::result();
    block_list const whole{block_range{0, 3}};
    auto const take = [&](std::size_t round, std::size_t peer, side operand) {
        return step::receive_combine(round, peer, result, whole, operand);
    };
    BOOST_TEST(tree_schedule(grow_greedy_tree({1, 1}, 13), problem{0, 13, 4, cut}).rounds() == 5U);
    // machine 0 takes 8, 5, 3, 2 and 1
    BOOST_TEST((steps(4, cut) == std::vector{take(0, 5, side::right), take(1, 3, side::left), take(2, 6, side::right),
                                             take(3, 0, side::left), take(4, 8, side::right)}));
    // machine 1 takes 9, 6 and 4
    BOOST_TEST((steps(8, cut) == std::vector{take(1, 9, side::right), take(2, 10, side::right),
                                             take(3, 11, side::right), step::send(4, 4, result, whole)}));
    BOOST_TEST((steps(12, cut) == std::vector{step::send(2, 11, result, whole)}));
}

BOOST_AUTO_TEST_CASE(nobody_sends_nothing) {
    for (std::size_t rank = 0; rank < 13; ++rank) { BOOST_TEST(steps(rank, partition::equal(0, 2)).empty()); }
}

BOOST_AUTO_TEST_SUITE_END()
