// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <bit>

#include <range/v3/range/conversion.hpp>

#include <laws/schedule_laws.hpp>
#include <support/left_shifted.hpp>
#include <tutti/generator/papers/binary_tree.hpp>

BOOST_AUTO_TEST_SUITE(generator_papers_binary_tree)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;
using namespace tutti::schedules;

namespace {

std::string bracketing(std::size_t size, std::size_t root) {
    return bracketings(collective::reduce{}, binary_tree{}, size, root, partition::equal(1, 1), root).front();
}

/// Members of the heap-numbered subtree of `node`.
std::size_t heap_subtree(std::size_t node, std::size_t size) {
    return node >= size ? 0 : 1 + heap_subtree(2 * node + 1, size) + heap_subtree(2 * node + 2, size);
}

}  // namespace

BOOST_AUTO_TEST_CASE(reduces_in_rank_order_to_any_root) { laws::check_schedules(collective::reduce{}, binary_tree{}); }

BOOST_AUTO_TEST_CASE(has_the_shape_of_a_heap) {
    for (std::size_t size = 1; size <= 200; ++size) {
        heap_interval const heap{0, size, side::right};
        BOOST_TEST(heap.second().size == heap_subtree(1, size));
        BOOST_TEST(heap.first().size == heap_subtree(2, size));
        BOOST_TEST(heap.first().top == 1U);
        BOOST_TEST(heap.second().top == 1 + heap.first().size);
    }
}

BOOST_AUTO_TEST_CASE(combines_the_child_with_the_higher_number_in_the_heap_first) {
    BOOST_TEST(bracketing(7, 0) == "((0+((1+2)+3))+((4+5)+6))");
    BOOST_TEST(bracketing(7, 6) == "((0+(1+2))+((3+(4+5))+6))");
    BOOST_TEST(bracketing(6, 0) == "((0+(1+2))+((3+4)+5))");
    BOOST_TEST(bracketing(7, 3) == "((0+(1+2))+(3+((4+5)+6)))");
    BOOST_TEST(bracketing(5, 1) == "((0+1)+((2+3)+4))");
}

BOOST_AUTO_TEST_CASE(takes_the_rounds_of_table_III_for_full_trees_and_no_more_for_others) {
    for (std::size_t size = 2; size <= 70; ++size) {
        auto const levels = static_cast<std::size_t>(std::bit_width(size));
        for (std::size_t blocks : {1U, 2U, 9U}) {
            auto const cost = verify(collective::reduce{}, binary_tree{}, size, 0, partition::equal(blocks, blocks));
            auto const published = 2 * (levels + blocks - 2);
            if (std::has_single_bit(size + 1)) { BOOST_TEST(cost.rounds == published); }
            cost::check(cost, cost::rounds <= published, cost::rounds_used == cost::rounds,
                        cost::messages == (size - 1) * blocks, cost::max_messages_received <= 2 * blocks);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_root_inside_costs_two_rounds_more_than_the_larger_side_at_most) {
    for (std::size_t size = 3; size <= 40; ++size) {
        for (std::size_t root = 1; root + 1 < size; ++root) {
            auto const rounds = binary_tree_position{root, size, root}.rounds;
            auto const larger = std::max(root, size - 1 - root);
            heap_interval const side_tree{0, larger, side::right};
            BOOST_TEST(rounds <= side_tree.rounds() + 2);
            BOOST_TEST(rounds >= side_tree.rounds() + 1);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_rank_finds_its_place_among_very_many) {
    std::size_t const size = std::size_t{1} << 40;
    auto const cut = partition::equal(1, 1);
    auto const steps = ranges::to<std::vector>(
        generate(collective::reduce{}, binary_tree{}, problem{size - 1, size, 12'345'678'901, cut}));
    BOOST_REQUIRE(steps.size() == 1U);
    BOOST_TEST((steps.front().what == action::send));
}

BOOST_AUTO_TEST_CASE(left_shifted_makespans_are_those_published) {
    struct row { std::size_t size, blocks, transfer, combine, makespan; };
    for (auto const& [size, blocks, transfer, combine, makespan] : std::vector<row>{
             {5, 1, 1, 0, 3},   {5, 1, 2, 1, 9},   {5, 3, 1, 0, 9},   {5, 3, 2, 1, 25},  {5, 8, 1, 0, 24},
             {5, 8, 2, 1, 65},  {7, 1, 1, 0, 4},   {7, 1, 2, 1, 12},  {7, 3, 1, 0, 10},  {7, 3, 2, 1, 28},
             {7, 8, 1, 0, 25},  {7, 8, 2, 1, 68},  {16, 1, 1, 0, 6},  {16, 1, 2, 1, 18}, {16, 3, 1, 0, 12},
             {16, 3, 2, 1, 34}, {16, 8, 1, 0, 27}, {16, 8, 2, 1, 74}, {31, 1, 1, 0, 8},  {31, 1, 2, 1, 24},
             {31, 3, 1, 0, 14}, {31, 3, 2, 1, 40}, {31, 8, 1, 0, 29}, {31, 8, 2, 1, 80}}) {
        BOOST_TEST(test::left_shifted(binary_tree{}, size, blocks, transfer, combine) == makespan);
    }
}

BOOST_AUTO_TEST_SUITE_END()
