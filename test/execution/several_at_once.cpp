// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <laws/execution_laws.hpp>

#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/direct_exchange.hpp>
#include <tutti/generator/ported_circulant.hpp>
#include <tutti/generator/postal_tree.hpp>
#include <tutti/generator/recursive_multiplying.hpp>

// program: shared memory
BOOST_AUTO_TEST_SUITE(execution_several_at_once)

using namespace tutti;

// Ranks that send several messages before they wait for any.

BOOST_AUTO_TEST_CASE_ON_RANKS(groups_exchange_what_they_have) {
    laws::check_executions(world, collective::all_reduce{}, recursive_multiplying{.radix = 2});
    laws::check_executions(world, collective::all_reduce{}, recursive_multiplying{.radix = 3});
    laws::check_executions(world, collective::all_reduce{}, recursive_multiplying{.radix = 8});
    laws::check_executions(world, collective::all_reduce{}, direct_exchange{});
    laws::check_executions(world, collective::all_reduce{}, direct_exchange{.segments = 3});
}

BOOST_AUTO_TEST_CASE_ON_RANKS(parts_go_through_several_ports) {
    laws::check_executions(world, collective::reduce_scatter{}, ported_circulant{.ports = 2});
    laws::check_executions(world, collective::reduce_scatter{}, ported_circulant{.ports = 7});
    laws::check_executions(world, collective::all_gather{}, reverse(ported_circulant{.ports = 2}));
}

BOOST_AUTO_TEST_CASE_ON_RANKS(a_rank_receives_from_many) {
    laws::check_executions(world, collective::reduce{}, postal_tree{});
    laws::check_executions(world, collective::broadcast{}, reverse(postal_tree{}));
}

BOOST_AUTO_TEST_SUITE_END()
