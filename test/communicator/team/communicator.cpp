// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include <support/affine_maps.hpp>
#include <support/team.hpp>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/doubling.hpp>
#include <tutti/generator/hierarchical.hpp>
#include <tutti/generator/recursive_doubling.hpp>

BOOST_AUTO_TEST_SUITE(communicator_team_communicator)

using namespace tutti;

namespace {

constexpr int processes = 4;
constexpr int threads = 8;
constexpr std::size_t elements = 100;

/// What a call of `body(world)` sends between the processes, beside what a team needs to begin and to end: of each to
/// each, messages and bytes.
template <class Run>
std::vector<std::size_t> traffic_of_a_call(Run run) {
    auto const with = run(3);
    auto const without = run(2);
    std::vector<std::size_t> result;
    for (int from = 0; from != processes; ++from) {
        for (int to = 0; to != processes; ++to) {
            result.push_back(with.messages(from, to) - without.messages(from, to));
            result.push_back(with.bytes(from, to) - without.bytes(from, to));
        }
    }
    return result;
}

template <class Body>
std::vector<std::size_t> traffic_of_a_team(Body body) {
    return traffic_of_a_call([&](int calls) {
        return tutti::threads::run(processes, [&](auto& outer) {
                   support::on_threads_of_team(outer, threads, [&](auto& world) {
                       for (int i = 0; i != calls; ++i) { body(world, world.complete().nodes()); }
                   });
               }).traffic();
    });
}

template <class Body>
std::vector<std::size_t> traffic_of_processes(Body body) {
    return traffic_of_a_call([&](int calls) {
        return tutti::threads::run(processes, [&](auto& world) {
                   for (int i = 0; i != calls; ++i) { body(world); }
               }).traffic();
    });
}

support::composition const compose;

}  // namespace

BOOST_AUTO_TEST_CASE(processes_of_eight_threads_send_each_other_what_four_ranks_do) {
    auto const check = [](std::string const& what, auto const& of_team, auto const& of_processes) {
        BOOST_TEST_CONTEXT(what) {
            BOOST_TEST(of_team == of_processes, boost::test_tools::per_element());
            BOOST_TEST(of_team != std::vector<std::size_t>(of_team.size()));
        }
    };
    auto const operands = [](auto& world) { return support::maps_of(world.rank(), elements); };
    auto const all_reduce = [&](auto& world, auto const&... how) {
        auto values = operands(world);
        tutti::all_reduce(world, inplace(values), compose, how...);
    };
    auto const reduce = [&](auto& world, auto const&... how) {
        auto values = operands(world);
        tutti::reduce(world, inplace(values), compose, 0, how...);
    };
    auto const scan = [&](auto& world, auto const&... how) {
        auto values = operands(world);
        tutti::exclusive_scan(world, inplace(values), compose, how...);
    };
    auto const by_leaders = [](auto const& call) {
        return traffic_of_a_team([&](auto& world, node_map const& nodes) { call(world, hierarchical{nodes}); });
    };
    auto const by = [](auto const& call, auto const& how) {
        return traffic_of_processes([&](auto& world) { call(world, how); });
    };
    check("all_reduce", by_leaders(all_reduce), by(all_reduce, recursive_doubling{}));
    check("reduce", by_leaders(reduce), by(reduce, binomial{}));
    check("exclusive_scan", by_leaders(scan), by(scan, doubling{}));
    auto const chosen = traffic_of_a_team([&](auto& world, node_map const&) { all_reduce(world); });
    check("all_reduce that tutti chooses", chosen, by(all_reduce, recursive_doubling{}));
}

BOOST_AUTO_TEST_SUITE_END()
