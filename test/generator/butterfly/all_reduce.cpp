// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <bit>
#include <cstddef>
#include <string>
#include <vector>

#include <range/v3/range/conversion.hpp>

#include <laws/schedule_laws.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/generator/butterfly.hpp>

BOOST_AUTO_TEST_SUITE(generator_butterfly_all_reduce)

using namespace tutti;
using namespace tutti::analysis;

namespace {

constexpr collective::all_reduce all_reduce;
auto const result = buffer::result();

std::vector<step> steps_of(std::size_t rank, std::size_t size, partition const& cut) {
    return ranges::to<std::vector>(generate(all_reduce, butterfly{}, problem{rank, size, 0, cut}));
}

std::size_t log2_of_groups(std::size_t size) { return static_cast<std::size_t>(std::bit_width(size)) - 1; }

}  // namespace

BOOST_AUTO_TEST_CASE(gives_every_rank_the_same_result_in_rank_order) {
    laws::check_schedules(all_reduce, butterfly{});
    laws::check_lengths(all_reduce, butterfly{});
}

BOOST_AUTO_TEST_CASE(halves_and_doubles) {
    auto const cut = partition::equal(4, 4);
    BOOST_TEST((steps_of(1, 4, cut) ==
                std::vector<step>{step::send(0, 0, result, block_range{0, 2}),
                                  step::receive_combine(0, 0, result, block_range{2, 4}, side::left),
                                  step::send(1, 3, result, 3), step::receive_combine(1, 3, result, 2, side::right),
                                  step::send(2, 3, result, 2), step::receive(2, 3, result, 3),
                                  step::send(3, 0, result, block_range{2, 4}),
                                  step::receive(3, 0, result, block_range{0, 2})}));
}

BOOST_AUTO_TEST_CASE(pairs_fold) {
    auto const cut = partition::equal(2, 2);
    block_range const all{0, 2};
    BOOST_TEST((steps_of(1, 3, cut) ==
                std::vector<step>{step::send(0, 0, result, all), step::receive(3, 0, result, all)}));
    BOOST_TEST((steps_of(0, 3, cut) ==
                std::vector<step>{step::receive_combine(0, 1, result, all, side::right), step::send(1, 2, result, 1),
                                  step::receive_combine(1, 2, result, 0, side::right), step::send(2, 2, result, 0),
                                  step::receive(2, 2, result, 1), step::send(3, 1, result, all)}));
}

BOOST_AUTO_TEST_CASE(neighbours_combine_first_in_every_block) {
    auto const texts = bracketings(all_reduce, butterfly{}, 7, 0, partition::equal(4, 4), 6);
    BOOST_TEST(texts == std::vector<std::string>(4, "(((0+1)+(2+3))+((4+5)+6))"), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(costs_two_thirds_of_a_reduce_and_a_broadcast_for_powers_of_two) {
    for (std::size_t size : {1U, 2U, 4U, 8U, 16U, 64U}) {
        auto const levels = log2_of_groups(size);
        auto const cut = partition::equal(3 * size, size);
        auto const cost = verify(all_reduce, butterfly{}, size, 0, cut);
        BOOST_TEST(cost.rounds == 2 * levels);
        BOOST_TEST(cost.rounds_used == cost.rounds);
        BOOST_TEST(cost.messages == 2 * size * levels);
        BOOST_TEST(cost.max_volume_sent == 2 * 3 * (size - 1));
        BOOST_TEST(cost.max_volume_received == 2 * 3 * (size - 1));
        BOOST_TEST(cost.max_combines == 3 * (size - 1));
        auto const line = simulate(all_reduce, butterfly{}, size, 0, cut, cost_model::linear(100, 2, 1));
        BOOST_TEST(line.makespan() == static_cast<double>(2 * levels * 100 + 3 * (size - 1) * (2 * 2 + 1)));
    }
}

BOOST_AUTO_TEST_CASE(other_sizes_take_two_rounds_more) {
    for (std::size_t size = 3; size <= 70; ++size) {
        if (std::has_single_bit(size)) { continue; }
        auto const groups = std::bit_floor(size);
        auto const cost = verify(all_reduce, butterfly{}, size, 0, partition::equal(2 * groups, groups));
        BOOST_TEST(cost.rounds == 2 + 2 * log2_of_groups(size));
        BOOST_TEST(cost.rounds_used == cost.rounds);
        BOOST_TEST(cost.messages == 2 * (size - groups) + 2 * groups * log2_of_groups(size));
        BOOST_TEST(cost.max_volume_sent == 2 * groups + 4 * (groups - 1));
        BOOST_TEST(cost.max_combines == 2 * groups + 2 * (groups - 1));
    }
}

BOOST_AUTO_TEST_SUITE_END()
