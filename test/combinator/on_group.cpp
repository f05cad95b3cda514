// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <laws/schedule_laws.hpp>
#include <support/parts.hpp>
#include <support/sentences.hpp>
#include <tutti/combinator/on_group.hpp>
#include <tutti/combinator/regular_groups.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/recursive_doubling.hpp>

BOOST_AUTO_TEST_SUITE(combinator_on_group)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;
using namespace tutti::groups;

namespace {

/// Reduce inside each node, all_reduce between the nodes, broadcast inside each node.
auto hierarchical(std::size_t ranks_per_node) {
    nodes const inside{ranks_per_node};
    return then(on_group(inside, binomial{}), on_group(leaders{ranks_per_node}, recursive_doubling{}),
                on_group(inside, reverse(binomial{})));
}

auto const cut = partition::equal(1, 1);

}  // namespace

BOOST_AUTO_TEST_CASE(a_hierarchical_all_reduce_keeps_order_for_every_size_of_node) {
    static_assert(!facts_of<collective::all_reduce, decltype(hierarchical(4))>.requires_commutative);
    laws::check_schedules(collective::all_reduce{}, hierarchical(4));
    for (std::size_t width : {1U, 2U, 3U, 7U, 40U}) {
        laws::check_schedules(collective::all_reduce{}, hierarchical(width), {1, 2, 3, 6, 7, 13, 22});
    }
}

BOOST_AUTO_TEST_CASE(a_hierarchical_all_reduce_combines_nodes_first) {
    auto const texts = bracketings(collective::all_reduce{}, hierarchical(4), 10, 0, cut, 9);
    BOOST_TEST(texts.front() == "((((0+1)+(2+3))+((4+5)+(6+7)))+(8+9))");
    cost::check(collective::all_reduce{}, hierarchical(4), 10, 0, cut, cost::rounds == 2U + 3U + 2U,
                cost::messages == 7U + (2U + 2U) + 7U);
}

BOOST_AUTO_TEST_CASE(rows_then_columns_of_a_mesh_make_an_all_reduce) {
    auto const mesh = then(on_group(rows{3}, pipeline{}), on_group(columns{3}, recursive_doubling{}),
                           on_group(rows{3}, reverse(pipeline{})));
    static_assert(facts_of<collective::all_reduce, std::remove_cv_t<decltype(mesh)>>.requires_commutative);
    laws::check_schedules(collective::all_reduce{}, mesh, {1, 2, 3, 4, 6, 7, 12, 14});
    auto const turned = then(on_group(columns{3}, pipeline{}), on_group(rows{3}, recursive_doubling{}),
                             on_group(columns{3}, reverse(pipeline{})));
    laws::check_schedules(collective::all_reduce{}, turned, {1, 2, 3, 4, 6, 7, 12, 14});
}

BOOST_AUTO_TEST_CASE(parts_of_the_vector_may_be_reduced_along_rows_first) {
    auto const mesh = then(on_group(rows{3}, parts::bucket{}), on_group(columns{3}, recursive_doubling{}),
                           on_group(rows{3}, reverse(parts::bucket{})));
    laws::check_schedules(collective::all_reduce{}, mesh, {3, 6, 12}, {partition::equal(9, 3), partition::equal(2, 5)});
}

BOOST_AUTO_TEST_CASE(one_group_of_all_ranks_is_the_algorithm_itself) {
    laws::check_schedules(collective::reduce{}, on_group(nodes{33}, pipeline{}), {1, 2, 5, 9, 33});
    laws::check_schedules(collective::reduce{}, on_group(columns{1}, pipeline{}), {1, 2, 5, 9, 33});
}

BOOST_AUTO_TEST_CASE(rounds_are_those_of_the_slowest_group_on_every_rank) {
    for (std::size_t root : {0U, 5U, 9U}) {
        auto const blocks = partition::equal(5, 5);
        for (std::size_t rank = 0; rank < 10; ++rank) {
            problem const at{rank, 10, root, blocks};
            auto const steps = generate(collective::reduce{}, on_group(nodes{4}, pipeline{}), at);
            // four ranks with the root at an end: p + q - 2; with the root inside: 2(q - 1) + 2
            BOOST_TEST(steps.rounds() == (root == 5 ? 10U : 7U));
        }
    }
}

BOOST_AUTO_TEST_CASE(ranks_that_are_no_leaders_do_nothing) {
    problem const at{5, 16, 0, cut};
    auto const steps = generate(collective::all_reduce{}, on_group(leaders{4}, recursive_doubling{}), at);
    BOOST_TEST((steps.begin() == steps.end()));
    BOOST_TEST(steps.rounds() == 2U);
}

BOOST_AUTO_TEST_CASE(impossible_groups_are_refused) {
    problem const at{0, 7, 0, cut};
    BOOST_CHECK_THROW(static_cast<void>(generate(collective::reduce{}, on_group(nodes{0}, binomial{}), at)),
                      std::invalid_argument);
    BOOST_CHECK_EXCEPTION(
        static_cast<void>(generate(collective::all_reduce{}, on_group(nodes{4}, parts::hypercube{}), at)),
        std::invalid_argument,
        support::says("tutti: hypercube does not support a group of 3 ranks; choose other groups"));
}

BOOST_AUTO_TEST_CASE(is_named_after_groups_and_algorithm) {
    BOOST_TEST(name_of(collective::all_reduce{}, hierarchical(4)) ==
               "then(on_group(nodes, binomial), on_group(leaders, recursive_doubling), "
               "on_group(nodes, reverse(binomial)))");
    BOOST_TEST(blocks_for(collective::reduce{}, on_group(nodes{4}, pipeline{.segments = 9}), 8, 1) == 9U);
}

BOOST_AUTO_TEST_SUITE_END()
