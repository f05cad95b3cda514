// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>

#include <laws/schedule_laws.hpp>
#include <support/parts.hpp>
#include <tutti/combinator/relabel.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/recursive_doubling.hpp>

BOOST_AUTO_TEST_SUITE(combinator_relabel)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;

namespace {

ordering shuffled(std::size_t size) {
    ordering order;
    for (std::size_t rank = 0; rank < size; ++rank) { order.ranks.push_back(rank); }
    std::shuffle(order.ranks.begin(), order.ranks.end(), std::mt19937{3});
    return order;
}

}  // namespace

BOOST_AUTO_TEST_CASE(reduces_in_any_order_to_any_root) {
    laws::check_schedules(collective::reduce{}, relabel(rotation{5}, pipeline{}), {1, 2, 3, 7, 12});
    laws::check_schedules(collective::reduce{}, relabel(root_first{}, binomial{}), {1, 2, 3, 7, 12});
    for (std::size_t size : {1U, 2U, 5U, 9U}) {
        laws::check_schedules(collective::reduce{}, relabel(shuffled(size), pipeline{}), {size});
        laws::check_schedules(collective::all_reduce{}, relabel(shuffled(size), recursive_doubling{}), {size});
    }
}

BOOST_AUTO_TEST_CASE(ranks_keep_their_own_blocks) {
    for (std::size_t size : {1U, 2U, 5U, 9U}) {
        laws::check_schedules(collective::reduce_scatter{}, relabel(shuffled(size), parts::bucket{}), {size});
        laws::check_schedules(collective::gather{}, relabel(shuffled(size), parts::direct_gather{}), {size});
    }
    auto const cut = partition::of_sizes(std::vector<std::size_t>{3, 0, 5, 1});
    auto const verdict = verify(collective::reduce_scatter{}, relabel(rotation{1}, parts::bucket{}), 4, 0, cut);
    BOOST_TEST(verdict.reason == "");
    BOOST_TEST(verdict.volume == 3U * 9U);
}

BOOST_AUTO_TEST_CASE(operands_stand_in_the_order_of_positions) {
    auto const cut = partition::equal(1, 1);
    auto const by_arrival = relabel(ordering{{2, 0, 3, 1}}, pipeline{});
    BOOST_TEST(bracketings(collective::reduce{}, by_arrival, 4, 2, cut, 2).front() == "(2+(0+(3+1)))");
    auto const turned = relabel(root_first{}, pipeline{});
    BOOST_TEST(bracketings(collective::reduce{}, turned, 4, 3, cut, 3).front() == "(3+(0+(1+2)))");
}

BOOST_AUTO_TEST_CASE(costs_what_the_algorithm_costs) {
    auto const cut = partition::equal(6, 6);
    auto const plain = verify(collective::reduce{}, pipeline{}, 8, 0, cut);
    auto const turned = verify(collective::reduce{}, relabel(root_first{}, pipeline{}), 8, 5, cut);
    BOOST_TEST(turned.rounds == plain.rounds);
    BOOST_TEST(turned.messages == plain.messages);
    BOOST_TEST(turned.volume == plain.volume);
}

BOOST_AUTO_TEST_CASE(states_what_it_needs) {
    using turned = relabelled<rotation, pipeline>;
    static_assert(facts_of<collective::reduce, turned>.requires_commutative);
    static_assert(!facts_of<collective::gather, relabelled<rotation, parts::direct_gather>>.requires_commutative);
    static_assert(!generator_for<turned, collective::all_reduce>);
    static_assert(generator_for<parts::some_scan, collective::inclusive_scan>);
    static_assert(!generator_for<relabelled<rotation, parts::some_scan>, collective::inclusive_scan>);
    BOOST_TEST(name_of(collective::reduce{}, relabel(root_first{}, pipeline{})) == "relabel(root_first, pipeline)");
    BOOST_TEST(blocks_for(collective::reduce{}, relabel(rotation{1}, pipeline{.segments = 9}), 4, 1) == 9U);
    BOOST_TEST((relabel(rotation{1}, pipeline{}) != relabel(rotation{2}, pipeline{})));
}

BOOST_AUTO_TEST_CASE(an_ordering_names_every_rank_once) {
    auto const cut = partition::equal(1, 1);
    for (auto const& wrong : {ordering{{0, 1}}, ordering{{0, 1, 1}}, ordering{{0, 1, 3}}, ordering{{0, 1, 2, 3}}}) {
        problem const at{0, 3, 0, cut};
        BOOST_CHECK_THROW(static_cast<void>(generate(collective::reduce{}, relabel(wrong, binomial{}), at)),
                          std::invalid_argument);
    }
}

BOOST_AUTO_TEST_SUITE_END()
