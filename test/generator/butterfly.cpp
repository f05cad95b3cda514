// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <bit>
#include <cstddef>
#include <string>
#include <vector>

#include <range/v3/range/conversion.hpp>

#include <laws/schedule_laws.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/butterfly.hpp>

BOOST_AUTO_TEST_SUITE(generator_butterfly)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::schedules;

namespace {

auto const result = buffer::result();

std::vector<step> steps_of(std::size_t rank, std::size_t size, std::size_t root, partition const& cut) {
    return ranges::to<std::vector>(generate(collective::reduce{}, butterfly{}, problem{rank, size, root, cut}));
}

std::vector<std::string> bracketing(std::size_t size, std::size_t root, std::size_t blocks) {
    return bracketings(collective::reduce{}, butterfly{}, size, root, partition::equal(blocks, blocks), root);
}

std::size_t log2_of_groups(std::size_t size) { return static_cast<std::size_t>(std::bit_width(size)) - 1; }

constexpr collective::all_reduce all_reduce;

std::vector<step> steps_of(std::size_t rank, std::size_t size, partition const& cut) {
    return ranges::to<std::vector>(generate(all_reduce, butterfly{}, problem{rank, size, 0, cut}));
}

}  // namespace

BOOST_AUTO_TEST_CASE(reduces_in_rank_order_to_any_root) {
    laws::check_schedules(collective::reduce{}, butterfly{});
    laws::check_schedules(collective::reduce{}, butterfly{}, {4, 7, 16, 23, 64},
                          {partition::equal(128, 64), partition::equal(40, 64),
                           partition::of_sizes(std::vector<std::size_t>{9, 0, 0, 1, 5, 0, 2})});
}

BOOST_AUTO_TEST_CASE(gives_a_broadcast_and_an_all_reduce) {
    std::vector<std::size_t> const sizes{1, 2, 3, 5, 8, 13, 31, 64};
    laws::check_schedules(collective::broadcast{}, reverse(butterfly{}), sizes);
    laws::check_schedules(collective::all_reduce{}, then(butterfly{}, reverse(butterfly{})), sizes);
}

BOOST_AUTO_TEST_CASE(neighbours_combine_first_in_every_block) {
    std::string const eight = "(((0+1)+(2+3))+((4+5)+(6+7)))";
    BOOST_TEST(bracketing(8, 0, 8) == std::vector<std::string>(8, eight), boost::test_tools::per_element());
    BOOST_TEST(bracketing(8, 5, 8) == std::vector<std::string>(8, eight), boost::test_tools::per_element());
    std::string const six = "(((0+1)+(2+3))+(4+5))";
    BOOST_TEST(bracketing(6, 0, 4) == std::vector<std::string>(4, six), boost::test_tools::per_element());
    BOOST_TEST(bracketing(6, 3, 4) == std::vector<std::string>(4, six), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(only_the_partner_away_from_the_root_sends_in_the_gather) {
    auto const cut = partition::equal(4, 4);
    auto const left = side::left;
    auto const right = side::right;
    BOOST_TEST((steps_of(0, 4, 0, cut) ==
                std::vector<step>{step::send(0, 1, result, block_range{2, 4}),
                                  step::receive_combine(0, 1, result, block_range{0, 2}, right),
                                  step::send(1, 2, result, 1), step::receive_combine(1, 2, result, 0, right),
                                  step::receive(2, 2, result, 1), step::receive(3, 1, result, block_range{2, 4})}));
    BOOST_TEST((steps_of(1, 4, 0, cut) ==
                std::vector<step>{step::send(0, 0, result, block_range{0, 2}),
                                  step::receive_combine(0, 0, result, block_range{2, 4}, left),
                                  step::send(1, 3, result, 3), step::receive_combine(1, 3, result, 2, right),
                                  step::receive(2, 3, result, 3), step::send(3, 0, result, block_range{2, 4})}));
    BOOST_TEST(
        (steps_of(3, 4, 0, cut) ==
         std::vector<step>{step::send(0, 2, result, block_range{0, 2}),
                           step::receive_combine(0, 2, result, block_range{2, 4}, left), step::send(1, 1, result, 2),
                           step::receive_combine(1, 1, result, 3, left), step::send(2, 1, result, 3)}));
}

BOOST_AUTO_TEST_CASE(the_root_acts_for_its_pair) {
    auto const cut = partition::equal(2, 2);
    BOOST_TEST((steps_of(0, 3, 1, cut) == std::vector<step>{step::send(0, 1, result, block_range{0, 2})}));
    BOOST_TEST((steps_of(1, 3, 1, cut) ==
                std::vector<step>{step::receive_combine(0, 0, result, block_range{0, 2}, side::left),
                                  step::send(1, 2, result, 1), step::receive_combine(1, 2, result, 0, side::right),
                                  step::receive(2, 2, result, 1)}));
    BOOST_TEST((steps_of(0, 3, 2, cut).front() == step::receive_combine(0, 1, result, block_range{0, 2}, side::right)));
}

BOOST_AUTO_TEST_CASE(costs_what_table_III_says_for_powers_of_two) {
    for (std::size_t size : {1U, 2U, 4U, 8U, 16U, 64U}) {
        auto const elements = 3 * size;
        auto const levels = log2_of_groups(size);
        auto const reduced = 3 * (size - 1);  // (p-1)/p m
        auto const cut = partition::equal(elements, size);
        for (std::size_t root : {std::size_t{0}, size / 2, size - 1}) {
            cost::check(collective::reduce{}, butterfly{}, size, root, cut, cost::rounds == 2 * levels,
                        cost::rounds_used == cost::rounds, cost::max_messages_received == 2 * levels,
                        cost::max_volume_received == 2 * reduced,
                        cost::max_volume_sent == (size == 1 ? 0 : reduced + elements / 2),
                        cost::max_combines == reduced, cost::messages == size * levels + size - 1,
                        cost::combines == reduced * size);
            auto const line =
                simulate(collective::reduce{}, butterfly{}, size, root, cut, cost_model::linear(100, 2, 1));
            BOOST_TEST(line.finish[root] == static_cast<double>(2 * levels * 100 + 2 * reduced * 2 + reduced));
            BOOST_TEST(line.makespan() == line.finish[root]);
        }
    }
}

BOOST_AUTO_TEST_CASE(other_sizes_fold_in_one_round_more) {
    for (std::size_t size = 3; size <= 70; ++size) {
        if (std::has_single_bit(size)) { continue; }
        auto const groups = std::bit_floor(size);
        auto const cut = partition::equal(2 * groups, groups);
        for (std::size_t root : {std::size_t{0}, std::size_t{1}, size / 2, size - 1}) {
            cost::check(collective::reduce{}, butterfly{}, size, root, cut,
                        cost::rounds == 1 + 2 * log2_of_groups(size), cost::rounds_used == cost::rounds,
                        cost::max_combines == 2 * groups + 2 * (groups - 1),
                        cost::max_volume_received <= 2 * groups + 2 * 2 * (groups - 1),
                        cost::messages == size - groups + groups * log2_of_groups(size) + groups - 1);
        }
    }
}

BOOST_AUTO_TEST_CASE(one_block_takes_the_way_of_a_binomial_tree) {
    for (std::size_t size = 1; size <= 40; ++size) {
        cost::check(collective::reduce{}, butterfly{}, size, size / 3, partition::equal(5, 1),
                    cost::messages == size - 1, cost::volume == 5 * (size - 1), cost::max_messages_sent <= 1U);
    }
}

BOOST_AUTO_TEST_CASE(wants_a_block_for_every_group) {
    BOOST_TEST(blocks_for(butterfly{}, 1, 8) == 1U);
    BOOST_TEST(blocks_for(butterfly{}, 16, 8) == 16U);
    BOOST_TEST(blocks_for(butterfly{}, 31, 8) == 16U);
}

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

BOOST_AUTO_TEST_CASE(neighbours_combine_first_in_every_block_of_an_all_reduce) {
    auto const texts = bracketings(all_reduce, butterfly{}, 7, 0, partition::equal(4, 4), 6);
    BOOST_TEST(texts == std::vector<std::string>(4, "(((0+1)+(2+3))+((4+5)+6))"), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(costs_two_thirds_of_a_reduce_and_a_broadcast_for_powers_of_two) {
    for (std::size_t size : {1U, 2U, 4U, 8U, 16U, 64U}) {
        auto const levels = log2_of_groups(size);
        auto const cut = partition::equal(3 * size, size);
        cost::check(all_reduce, butterfly{}, size, 0, cut, cost::rounds == 2 * levels,
                    cost::rounds_used == cost::rounds, cost::messages == 2 * size * levels,
                    cost::max_volume_sent == 2 * 3 * (size - 1), cost::max_volume_received == 2 * 3 * (size - 1),
                    cost::max_combines == 3 * (size - 1));
        auto const line = simulate(all_reduce, butterfly{}, size, 0, cut, cost_model::linear(100, 2, 1));
        BOOST_TEST(line.makespan() == static_cast<double>(2 * levels * 100 + 3 * (size - 1) * (2 * 2 + 1)));
    }
}

BOOST_AUTO_TEST_CASE(other_sizes_take_two_rounds_more) {
    for (std::size_t size = 3; size <= 70; ++size) {
        if (std::has_single_bit(size)) { continue; }
        auto const groups = std::bit_floor(size);
        cost::check(all_reduce, butterfly{}, size, 0, partition::equal(2 * groups, groups),
                    cost::rounds == 2 + 2 * log2_of_groups(size), cost::rounds_used == cost::rounds,
                    cost::messages == 2 * (size - groups) + 2 * groups * log2_of_groups(size),
                    cost::max_volume_sent == 2 * groups + 4 * (groups - 1),
                    cost::max_combines == 2 * groups + 2 * (groups - 1));
    }
}

BOOST_AUTO_TEST_SUITE_END()
