// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <laws/execution_laws.hpp>

#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/all.hpp>

// program: shared memory
BOOST_AUTO_TEST_SUITE(execution_parts)

using namespace tutti;

// Collectives of which every rank has a part, in memory of the part's size.

BOOST_AUTO_TEST_CASE_ON_RANKS(reduce_scatters) {
    laws::check_executions(world, collective::reduce_scatter{}, circulant{});
    laws::check_executions(world, collective::reduce_scatter{}, short_vector{});
    laws::check_executions(world, collective::reduce_scatter{}, bucket{});
    laws::check_executions(world, collective::reduce_scatter{}, pairwise{});
    laws::check_executions(world, collective::reduce_scatter{}, ordered{});
}

BOOST_AUTO_TEST_CASE_ON_RANKS(all_gathers) {
    laws::check_executions(world, collective::all_gather{}, reverse(circulant{}));
    laws::check_executions(world, collective::all_gather{}, reverse(bucket{}));
}

BOOST_AUTO_TEST_CASE_ON_RANKS(gathers_and_scatters) {
    laws::check_executions(world, collective::scatter{}, linear{});
    laws::check_executions(world, collective::scatter{}, binomial{});
    laws::check_executions(world, collective::gather{}, reverse(linear{}));
    laws::check_executions(world, collective::gather{}, reverse(binomial{}));
}

BOOST_AUTO_TEST_SUITE_END()
