// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>

#include <range/v3/range/conversion.hpp>
#include <range/v3/view/take.hpp>

#include <laws/schedule_laws.hpp>
#include <support/left_shifted.hpp>
#include <tutti/generator/pipeline.hpp>

BOOST_AUTO_TEST_SUITE(generator_pipeline)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::schedules;

BOOST_AUTO_TEST_CASE(reduces_in_rank_order_to_any_root) { laws::check_schedules(collective::reduce{}, pipeline{}); }

BOOST_AUTO_TEST_CASE(one_chain_takes_p_plus_q_minus_2_rounds) {
    for (std::size_t size = 2; size <= 20; ++size) {
        for (std::size_t blocks : {1U, 2U, 7U}) {
            for (auto const root : {std::size_t{0}, size - 1}) {
                auto const cut = partition::equal(3 * blocks, blocks);
                cost::check(collective::reduce{}, pipeline{}, size, root, cut, cost::rounds == size + blocks - 2,
                            cost::rounds_used == cost::rounds, cost::messages == (size - 1) * blocks,
                            cost::max_volume_sent == 3 * blocks);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(two_chains_advance_every_second_round) {
    for (std::size_t size = 3; size <= 20; ++size) {
        for (std::size_t root = 1; root + 1 < size; ++root) {
            for (std::size_t blocks : {1U, 2U, 7U}) {
                auto const cut = partition::equal(blocks, blocks);
                auto const cost = verify(collective::reduce{}, pipeline{}, size, root, cut);
                auto const left = root;
                auto const right = size - 1 - root;
                cost::check(cost, cost::rounds == std::max(left, right) + (left == right ? 1 : 0) + 2 * (blocks - 1),
                            cost::rounds_used == cost::rounds, cost::messages == (size - 1) * blocks);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_rank_sends_a_block_in_the_round_after_it_came) {
    auto const cut = partition::equal(4, 4);
    std::size_t const size = 6;
    for (std::size_t rank = 1; rank + 1 < size; ++rank) {
        problem const at{rank, size, 0, cut};
        auto const steps = ranges::to<std::vector>(generate(collective::reduce{}, pipeline{}, at));
        BOOST_REQUIRE(steps.size() == 8U);
        for (std::size_t block = 0; block < 4; ++block) {
            auto const round = size - 2 - rank + block;
            auto const result = buffer::result();
            BOOST_TEST((steps[2 * block] == step::receive_combine(round, rank + 1, result, block, side::right)));
            BOOST_TEST((steps[2 * block + 1] == step::send(round + 1, rank - 1, result, block)));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_schedule_of_too_many_steps_to_store_is_read_from_its_beginning) {
    std::size_t const blocks = 1'000'000'000'000;
    auto const cut = partition::equal(blocks, blocks);
    auto const steps = generate(collective::reduce{}, pipeline{}, problem{500, 1'000'000, 0, cut});
    auto const first = ranges::to<std::vector>(steps | ranges::views::take(3));
    BOOST_TEST(first.back().round == 999'500U - 1);
    BOOST_TEST((first.back().blocks == block_list{1}));
}

BOOST_AUTO_TEST_CASE(left_shifted_makespans_are_those_published) {
    struct row { std::size_t size, blocks, transfer, combine, makespan; };
    for (auto const& [size, blocks, transfer, combine, makespan] : std::vector<row>{
             {5, 1, 1, 0, 4},    {5, 1, 2, 1, 12},   {5, 3, 1, 0, 8},    {5, 3, 2, 1, 22},   {5, 8, 1, 0, 18},
             {5, 8, 2, 1, 47},   {7, 1, 1, 0, 6},    {7, 1, 2, 1, 18},   {7, 3, 1, 0, 10},   {7, 3, 2, 1, 28},
             {7, 8, 1, 0, 20},   {7, 8, 2, 1, 53},   {16, 1, 1, 0, 15},  {16, 1, 2, 1, 45},  {16, 3, 1, 0, 19},
             {16, 3, 2, 1, 55},  {16, 8, 1, 0, 29},  {16, 8, 2, 1, 80},  {31, 1, 1, 0, 30},  {31, 1, 2, 1, 90},
             {31, 3, 1, 0, 34},  {31, 3, 2, 1, 100}, {31, 8, 1, 0, 44},  {31, 8, 2, 1, 125}}) {
        BOOST_TEST(test::left_shifted(pipeline{}, size, blocks, transfer, combine) == makespan);
    }
}

BOOST_AUTO_TEST_CASE(cuts_into_the_segments_it_is_given) {
    BOOST_TEST(blocks_for(pipeline{.segments = 12}, 4, 1) == 12U);
    BOOST_TEST(blocks_for(pipeline{}, 4, 100 * 128 * 1024) == 100U);
}

BOOST_AUTO_TEST_SUITE_END()
