// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <laws/execution_laws.hpp>
#include <support/ranks.hpp>

#include <tutti/combinator/on_group.hpp>
#include <tutti/combinator/regular_groups.hpp>
#include <tutti/combinator/relabel.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/all.hpp>

// program: team
BOOST_AUTO_TEST_SUITE(execution)

using namespace tutti;
using namespace tutti::groups;

BOOST_AUTO_TEST_CASE_ON_RANKS(reductions_are_executed_as_the_schedules_say) {
    laws::check_executions(world, collective::reduce{}, linear{});
    laws::check_executions(world, collective::reduce{}, binomial{});
    laws::check_executions(world, collective::reduce{}, pipeline{});
    laws::check_executions(world, collective::reduce{}, binary_tree{});
    laws::check_executions(world, collective::reduce{}, uni_greedy{.tcomm = 2, .tcomp = 1});
    laws::check_executions(world, collective::reduce{}, relabel(generators::rotation{2}, pipeline{}));
}

BOOST_AUTO_TEST_CASE_ON_RANKS(reductions_with_the_fewest_rounds_are_executed_as_the_schedules_say) {
    laws::check_executions(world, collective::reduce{}, bi_greedy{});
    laws::check_executions(world, collective::reduce{}, round_optimal{});
    laws::check_executions(world, collective::reduce{}, two_tree{});
    laws::check_executions(world, collective::reduce{}, butterfly{});
}

BOOST_AUTO_TEST_CASE_ON_RANKS(reductions_of_whole_vectors_are_executed_as_the_schedules_say) {
    laws::check_executions(world, collective::reduce{}, overlapped_greedy{.transfer = 1, .combine = 3});
    laws::check_executions(world, collective::reduce{}, limited_transfers{.at_most = 2});
    laws::check_executions(world, collective::reduce{}, limited_reducers{.at_most = 2});
    laws::check_executions(world, collective::reduce{}, fibonacci{});
}

BOOST_AUTO_TEST_CASE_ON_RANKS(reductions_in_the_order_of_arrival_are_executed_as_the_schedules_say) {
    std::vector<double> arrivals;
    for (int rank = 0; rank != support::size_of(world); ++rank) { arrivals.push_back(rank * 7 % 5); }
    laws::check_executions(world, collective::reduce{}, arrival_ordered{.arrivals = arrivals});
}

BOOST_AUTO_TEST_CASE_ON_RANKS(all_reductions_in_the_order_of_arrival_are_executed_as_the_schedules_say) {
    std::vector<double> arrivals;
    for (int rank = 0; rank != support::size_of(world); ++rank) { arrivals.push_back(rank * 7 % 5); }
    laws::check_executions(world, collective::all_reduce{}, pre_reduced_ring{.arrivals = arrivals});
    laws::check_executions(world, collective::all_reduce{}, sorted_linear_tree{.arrivals = arrivals});
    laws::check_executions(world, collective::all_reduce{}, front_loaded_ring{.arrivals = arrivals});
}

BOOST_AUTO_TEST_CASE_ON_RANKS(all_reductions_are_executed_as_the_schedules_say) {
    laws::check_executions(world, collective::all_reduce{}, ring{});
    laws::check_executions(world, collective::all_reduce{}, recursive_doubling{});
    laws::check_executions(world, collective::all_reduce{}, then(pipeline{}, reverse(pipeline{})));
    laws::check_executions(world, collective::all_reduce{}, then(uni_greedy{}, reverse(binomial{})));
    laws::check_executions(world, collective::all_reduce{}, then(round_optimal{}, round_optimal{}));
    laws::check_executions(world, collective::all_reduce{}, then(two_tree{}, reverse(two_tree{})));
    laws::check_executions(world, collective::all_reduce{},
                           then(on_group(nodes{3}, binomial{}), on_group(leaders{3}, recursive_doubling{}),
                                on_group(nodes{3}, reverse(binomial{}))));
}

BOOST_AUTO_TEST_CASE_ON_RANKS(broadcasts_are_executed_as_the_schedules_say) {
    laws::check_executions(world, collective::broadcast{}, reverse(linear{}));
    laws::check_executions(world, collective::broadcast{}, reverse(binomial{}));
    laws::check_executions(world, collective::broadcast{}, reverse(pipeline{}));
    laws::check_executions(world, collective::broadcast{}, reverse(binary_tree{}));
    laws::check_executions(world, collective::broadcast{}, reverse(uni_greedy{}));
    laws::check_executions(world, collective::broadcast{}, reverse(bi_greedy{}));
    laws::check_executions(world, collective::broadcast{}, reverse(butterfly{}));
    laws::check_executions(world, collective::broadcast{}, reverse(two_tree{}));
    laws::check_executions(world, collective::broadcast{}, reverse(fibonacci{}));
    laws::check_executions(world, collective::broadcast{}, round_optimal{});
}

BOOST_AUTO_TEST_SUITE_END()
