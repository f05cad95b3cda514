// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <laws/execution_laws.hpp>

#include <tutti/generator/all.hpp>

// program: shared memory, team
BOOST_AUTO_TEST_SUITE(execution_scans)

using namespace tutti;

// Collectives with a prefix, which is empty on the first rank and may take the place of the input.

namespace {

template <class Collective>
void check_all(Collective which) {
    support::on_ranks([which](auto& world) {
        laws::check_executions(world, which, direct{});
        laws::check_executions(world, which, recursive_multiplying{});
        laws::check_executions(world, which, doubling{});
        laws::check_executions(world, which, linear{});
        laws::check_executions(world, which, split{});
        laws::check_executions(world, which, split{.halvings = 1, .placement = split::folded});
        laws::check_executions(world, which, two_tree{});
    });
}

}  // namespace

BOOST_AUTO_TEST_CASE(inclusive_scans) { check_all(collective::inclusive_scan{}); }

BOOST_AUTO_TEST_CASE(exclusive_scans) { check_all(collective::exclusive_scan{}); }

BOOST_AUTO_TEST_CASE(prefixes_with_totals) { check_all(collective::scan_reduce{}); }

BOOST_AUTO_TEST_SUITE_END()
