// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/take.hpp>

#include <laws/schedule_laws.hpp>
#include <support/parts.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/papers/binary_tree.hpp>
#include <tutti/generator/papers/uni_greedy.hpp>
#include <tutti/generator/pipeline.hpp>

BOOST_AUTO_TEST_SUITE(combinator_reverse)

using namespace tutti;
using namespace tutti::generators;

namespace {

std::vector<std::size_t> const few{1, 2, 3, 5, 8, 13};

}  // namespace

BOOST_AUTO_TEST_CASE(a_reduce_backwards_is_a_broadcast) {
    laws::check_schedules(collective::broadcast{}, reverse(binomial{}), few);
    laws::check_schedules(collective::broadcast{}, reverse(pipeline{}), few);
    laws::check_schedules(collective::broadcast{}, reverse(binary_tree{}), few);
    laws::check_schedules(collective::broadcast{}, reverse(uni_greedy{.tcomm = 2, .tcomp = 1}), few);
}

BOOST_AUTO_TEST_CASE(a_reduce_scatter_backwards_is_an_all_gather) {
    laws::check_schedules(collective::all_gather{}, reverse(parts::bucket{}), few);
}

BOOST_AUTO_TEST_CASE(a_gather_backwards_is_a_scatter_and_back) {
    laws::check_schedules(collective::scatter{}, reverse(parts::direct_gather{}), few);
    laws::check_schedules(collective::gather{}, reverse(reverse(parts::direct_gather{})), few);
}

BOOST_AUTO_TEST_CASE(data_goes_back_from_result_through_scratch_into_result) {
    for (std::size_t size : few) {
        auto const cut = partition::equal(4, 2);
        cost::check(collective::broadcast{}, reverse(parts::through_scratch{}), size, 0, cut,
                    cost::volume == 4 * (size - 1));
    }
}

BOOST_AUTO_TEST_CASE(costs_what_the_reduction_costs) {
    for (std::size_t size : few) {
        auto const cut = partition::equal(10, 5);
        auto const forwards = verify(collective::reduce{}, binary_tree{}, size, 0, cut);
        cost::check(collective::broadcast{}, reverse(binary_tree{}), size, 0, cut, cost::rounds == forwards.rounds,
                    cost::rounds_used == forwards.rounds_used, cost::messages == forwards.messages,
                    cost::volume == forwards.volume, cost::max_volume_sent == forwards.max_volume_received,
                    cost::combines == 0U);
    }
}

BOOST_AUTO_TEST_CASE(the_broadcast_starts_with_block_0) {
    auto const cut = partition::equal(4, 4);
    std::size_t expected = 0;
    for (auto const& each : generate(collective::broadcast{}, reverse(pipeline{}), problem{0, 5, 0, cut})) {
        BOOST_TEST((each == step::send(expected, 1, buffer::result(), expected)));
        ++expected;
    }
    BOOST_TEST(expected == 4U);
}

BOOST_AUTO_TEST_CASE(a_schedule_of_too_many_steps_to_store_is_read_from_its_beginning) {
    std::size_t const blocks = 1'000'000'000'000;
    auto const cut = partition::equal(blocks, blocks);
    auto const steps = generate(collective::broadcast{}, reverse(pipeline{}), problem{3, 1'000, 0, cut});
    auto const first = ranges::to<std::vector>(steps | ranges::views::take(3));
    BOOST_TEST((first[0] == step::receive(2, 2, buffer::result(), 0)));
    BOOST_TEST((first[1] == step::send(3, 4, buffer::result(), 0)));
    BOOST_TEST((first[2] == step::receive(3, 2, buffer::result(), 1)));
}

BOOST_AUTO_TEST_CASE(blocks_that_only_one_direction_would_drop_travel) {
    // an equal cut of 2 elements into 3 blocks is empty at the front, not at the back
    cost::check(collective::broadcast{}, reverse(pipeline{}), 3, 0, partition::equal(2, 3), cost::messages == 4U);
}

BOOST_AUTO_TEST_CASE(states_what_it_needs) {
    static_assert(facts_of<collective::reduce, uni_greedy>.requires_commutative);
    static_assert(!facts_of<collective::broadcast, reversed<uni_greedy>>.requires_commutative);
    static_assert(facts_of<collective::broadcast, reversed<uni_greedy>>.model == ports::unidirectional);
    static_assert(!facts_of<collective::broadcast, reversed<parts::through_scratch>>.supports(4));
    static_assert(!generator_for<reversed<pipeline>, collective::reduce>);
    static_assert(!generator_for<reversed<pipeline>, collective::all_gather>);
    BOOST_TEST(name_of(collective::broadcast{}, reverse(binomial{})) == "reverse(binomial)");
    BOOST_TEST(blocks_for(collective::broadcast{}, reverse(pipeline{.segments = 9}), 4, 1) == 9U);
}

BOOST_AUTO_TEST_SUITE_END()
