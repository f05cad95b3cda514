// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <bit>

#include <laws/schedule_laws.hpp>
#include <tutti/generator/recursive_doubling.hpp>

BOOST_AUTO_TEST_SUITE(generator_recursive_doubling)

using namespace tutti;
using namespace tutti::analysis;

BOOST_AUTO_TEST_CASE(gives_every_rank_the_same_result_in_rank_order) {
    laws::check_schedules(collective::all_reduce{}, recursive_doubling{});
}

BOOST_AUTO_TEST_CASE(takes_log2_rounds_and_two_more_unless_the_size_is_a_power_of_two) {
    for (std::size_t size = 1; size <= 40; ++size) {
        auto const doublings = static_cast<std::size_t>(std::bit_width(size)) - 1;
        auto const groups = std::bit_floor(size);
        cost::check(collective::all_reduce{}, recursive_doubling{}, size, 0, partition::equal(5, 1),
                    cost::rounds == doublings + (size == groups ? 0U : 2U), cost::rounds_used == cost::rounds,
                    cost::messages == groups * doublings + 2 * (size - groups),
                    cost::max_volume_sent == 5 * (doublings + (size == groups ? 0U : 1U)));
    }
}

BOOST_AUTO_TEST_CASE(neighbours_fold_from_the_left) {
    auto const texts = bracketings(collective::all_reduce{}, recursive_doubling{}, 6, 0, partition::equal(1, 1), 5);
    BOOST_TEST(texts.front() == "(((0+1)+(2+3))+(4+5))");
    auto const seven = bracketings(collective::all_reduce{}, recursive_doubling{}, 7, 0, partition::equal(1, 1), 0);
    BOOST_TEST(seven.front() == "(((0+1)+(2+3))+((4+5)+6))");
}

BOOST_AUTO_TEST_SUITE_END()
