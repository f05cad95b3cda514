// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <laws/execution_laws.hpp>
#include <support/ranks.hpp>

#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/all.hpp>

BOOST_AUTO_TEST_SUITE(execution_node_aware)

using tutti::node_map;
using laws::check_executions;
namespace collective = tutti::collective;

// Operands show how they were combined, results may be in place, blocks may be empty.
BOOST_AUTO_TEST_CASE_ON_RANKS(hierarchical_schedules_are_executed_as_they_say) {
    for (auto const& nodes : {node_map{}, node_map::of_width(1), node_map::of_width(3)}) {
        tutti::hierarchical const generator{.nodes = nodes};
        check_executions(world, collective::reduce{}, generator);
        check_executions(world, collective::all_reduce{}, generator);
        check_executions(world, collective::broadcast{}, tutti::reverse(generator));
        check_executions(world, collective::exclusive_scan{}, generator);
        check_executions(world, collective::inclusive_scan{}, generator);
        check_executions(world, collective::scan_reduce{}, generator);
    }
}

BOOST_AUTO_TEST_CASE_ON_RANKS(multi_lane_schedules_are_executed_as_they_say) {
    std::size_t const width = support::size_of(world) % 2 == 0 ? 2 : 1;
    for (auto const& nodes : {node_map{}, node_map::of_width(width)}) {
        tutti::multi_lane const generator{.nodes = nodes};
        check_executions(world, collective::reduce{}, generator);
        check_executions(world, collective::all_reduce{}, generator);
        check_executions(world, collective::broadcast{}, tutti::reverse(generator));
        check_executions(world, collective::reduce_scatter{}, generator);
        check_executions(world, collective::all_gather{}, tutti::reverse(generator));
        check_executions(world, collective::exclusive_scan{}, generator);
        check_executions(world, collective::inclusive_scan{}, generator);
        check_executions(world, collective::scan_reduce{}, generator);
    }
}

BOOST_AUTO_TEST_SUITE_END()
