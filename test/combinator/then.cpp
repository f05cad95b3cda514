// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/take.hpp>

#include <laws/schedule_laws.hpp>
#include <support/parts.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/linear.hpp>
#include <tutti/generator/papers/uni_greedy.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/recursive_doubling.hpp>
#include <tutti/generator/round_optimal.hpp>
#include <tutti/generator/split.hpp>

BOOST_AUTO_TEST_SUITE(combinator_then)

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::schedules;

namespace {

std::vector<std::size_t> const few{1, 2, 3, 5, 8, 13};

}  // namespace

BOOST_AUTO_TEST_CASE(reduce_and_broadcast_make_an_all_reduce) {
    laws::check_schedules(collective::all_reduce{}, then(binomial{}, reverse(binomial{})));
    laws::check_schedules(collective::all_reduce{}, then(pipeline{}, reverse(pipeline{})), few);
    laws::check_schedules(collective::all_reduce{}, then(uni_greedy{}, reverse(pipeline{})), few);
}

BOOST_AUTO_TEST_CASE(reduce_scatter_and_all_gather_make_an_all_reduce) {
    auto const both = then(parts::bucket{}, reverse(parts::bucket{}));
    laws::check_schedules(collective::all_reduce{}, both, few);
    cost::check(collective::all_reduce{}, both, 6, 0, partition::equal(18, 6), cost::rounds == 10U,
                cost::max_volume_sent == 2U * 15U);
    BOOST_TEST(blocks_for(collective::all_reduce{}, both, 6, 1) == 6U);
}

BOOST_AUTO_TEST_CASE(reduce_scatter_and_gather_make_a_reduce) {
    auto const both = then(circulant{}, reverse(binomial{}));
    laws::check_schedules(collective::reduce{}, both, few);
    laws::check_schedules(collective::reduce{}, then(split{}, reverse(linear{})), few);
    laws::check_schedules(collective::broadcast{}, reverse(both), few);
    auto const cost = verify(collective::reduce{}, both, 8, 3, partition::equal(16, 8));
    BOOST_TEST(cost.rounds == 6U);
    BOOST_TEST(name_of(collective::reduce{}, both) == "then(circulant, reverse(binomial))");
}

BOOST_AUTO_TEST_CASE(stages_that_offer_both_pairs_go_through_the_root) {
    using both = chained<round_optimal, reversed<round_optimal>>;
    static_assert(generator_for<round_optimal, collective::reduce> &&
                  generator_for<round_optimal, collective::reduce_scatter>);
    static_assert(!chain_of<round_optimal, reversed<round_optimal>>::scatters);
    static_assert(!facts_of<collective::all_reduce, both>.one_ported);
    auto const stages = then(round_optimal{.segments = 10}, reverse(round_optimal{}));
    BOOST_TEST(blocks_for(collective::all_reduce{}, stages, 48, 1) == 10U);
    BOOST_TEST(verify(collective::all_reduce{}, stages, 48, 0, partition::equal(10, 10)).rounds == 9U + 2 * 6);
    // where only one of them is offered, that one
    static_assert(chain_of<parts::bucket, reversed<round_optimal>>::scatters);
    static_assert(!chain_of<binomial, reversed<round_optimal>>::scatters);
    laws::check_schedules(collective::all_reduce{}, then(parts::bucket{}, reverse(round_optimal{})), few);
}

BOOST_AUTO_TEST_CASE(stages_between_the_ends_follow_one_another) {
    // to be an all_reduce it takes groups, see on_group: here rounds are all that is of interest
    static_assert(generator_for<chained<binomial, recursive_doubling, reversed<binomial>>, collective::all_reduce>);
    auto const three = then(binomial{}, recursive_doubling{}, reverse(binomial{}));
    auto const cut = partition::equal(1, 1);
    BOOST_TEST(generate(collective::all_reduce{}, three, problem{0, 8, 0, cut}).rounds() == 9U);
}

BOOST_AUTO_TEST_CASE(a_block_is_broadcast_as_soon_as_the_root_has_it) {
    for (std::size_t size = 2; size <= 9; ++size) {
        for (std::size_t blocks : {1U, 2U, 6U}) {
            auto const cut = partition::equal(blocks, blocks);
            auto const both = then(pipeline{}, reverse(pipeline{}));
            cost::check(collective::all_reduce{}, both, size, 0, cut, cost::rounds == 2 * size + blocks - 3,
                        cost::rounds_used == cost::rounds);
            for (auto const& each : generate(collective::all_reduce{}, both, problem{0, size, 0, cut})) {
                auto const block = each.blocks.begin()->first;
                BOOST_TEST(each.round == block + (each.what == action::send ? size - 1 : size - 2));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(without_blocks_to_overlap_the_broadcast_waits_for_the_reduction) {
    auto const cut = partition::equal(4, 1);
    for (std::size_t size : {2U, 5U, 8U}) {
        auto const both = verify(collective::all_reduce{}, then(linear{}, reverse(binomial{})), size, 0, cut);
        auto const back = verify(collective::broadcast{}, reverse(binomial{}), size, 0, cut);
        BOOST_TEST(both.rounds == size - 1 + back.rounds);
    }
}

BOOST_AUTO_TEST_CASE(a_schedule_is_read_from_its_beginning) {
    auto const cut = partition::equal(100'000, 100'000);
    problem const at{2'000, 4'096, 0, cut};
    auto const steps = generate(collective::all_reduce{}, then(pipeline{}, reverse(pipeline{})), at);
    auto const first = ranges::to<std::vector>(steps | ranges::views::take(1));
    BOOST_TEST(first.front().round == 4'096U - 2 - 2'000);
    BOOST_TEST(steps.rounds() == 2U * 4'096 + 100'000 - 3);
}

BOOST_AUTO_TEST_CASE(states_what_its_stages_need) {
    using in_order = chained<binomial, reversed<binomial>>;
    static_assert(!facts_of<collective::all_reduce, in_order>.requires_commutative);
    static_assert(facts_of<collective::all_reduce, in_order>.identical_on_all_ranks);
    static_assert(!facts_of<collective::all_reduce, in_order>.one_ported);
    static_assert(facts_of<collective::all_reduce, chained<uni_greedy, reversed<pipeline>>>.requires_commutative);
    static_assert(facts_of<collective::all_reduce, chained<parts::bucket, reversed<parts::bucket>>>.one_ported);
    static_assert(!generator_for<chained<binomial, binomial>, collective::all_reduce>);
    static_assert(!generator_for<chained<binomial, reversed<parts::bucket>>, collective::all_reduce>);
    static_assert(!generator_for<chained<binomial, pipeline, reversed<binomial>>, collective::all_reduce>);
    BOOST_TEST((!facts_of<collective::all_reduce, chained<parts::through_scratch, reversed<binomial>>>.supports(4)));
    BOOST_TEST((facts_of<collective::all_reduce, chained<parts::through_scratch, reversed<binomial>>>.supports(5)));
}

BOOST_AUTO_TEST_CASE(is_named_after_its_stages) {
    auto const both = then(binomial{}, reverse(pipeline{.segments = 3}));
    BOOST_TEST(name_of(collective::all_reduce{}, both) == "then(binomial, reverse(pipeline))");
    BOOST_TEST(blocks_for(collective::all_reduce{}, both, 4, 1) == 3U);
}

BOOST_AUTO_TEST_SUITE_END()
