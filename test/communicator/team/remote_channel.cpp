// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <array>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <laws/message_laws.hpp>
#include <support/affine_maps.hpp>
#include <support/sentences.hpp>
#include <support/team.hpp>

#include <tutti/collective/all_gather.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/barrier.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/recover.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/generator/all.hpp>

// MPI is asked for no threads, so that only the thread which has initialised it may call it.
BOOST_AUTO_TEST_SUITE(communicator_team_remote_channel)

using support::composed;
using support::contains;
using support::maps_of;
using support::sentence_of;

namespace {

support::composition const compose;

void require(bool holds, std::string const& what) {
    if (!holds) { throw std::runtime_error{what}; }
}

/// Calls `body(world)` on the ranks of a team; the thread that has initialised MPI is the first one of its process.
/// Result: what each thread has thrown.
template <class Body>
std::vector<std::string> on_funneled_team(int threads, Body body) {
    tutti::team team{MPI_COMM_WORLD, threads};
    std::vector<std::string> seen(static_cast<std::size_t>(threads));
    auto const live = [&](int i) {
        seen[static_cast<std::size_t>(i)] = sentence_of([&] {
            auto world = team.rank(i);
            body(world);
        });
    };
    {
        std::vector<std::jthread> others;
        for (int i = 1; i != threads; ++i) { others.emplace_back(live, i); }
        live(0);
    }
    return seen;
}

/// Calls of several collectives, from the root or to it, that give what they should.
template <class World>
void require_results(World& world) {
    int const last = world.size() - 1;
    for (auto const n : std::vector<std::size_t>{1, 300, 50'000}) {
        auto const mine = maps_of(world.rank(), n);
        std::vector<support::affine_map> result(n);
        tutti::all_reduce(world, mine, result, compose);
        require(result == composed(0, world.size(), n), "all_reduce");
        tutti::all_reduce(world, mine, result, compose, tutti::recursive_doubling{});
        require(result == composed(0, world.size(), n), "all_reduce by recursive_doubling");
        tutti::reduce(world, mine, result, compose, last);
        require(world.rank() != last || result == composed(0, world.size(), n), "reduce");
        tutti::inclusive_scan(world, mine, result, compose);
        require(result == composed(0, world.rank() + 1, n), "inclusive_scan");
        result = mine;
        tutti::broadcast(world, result, last);
        require(result == maps_of(last, n), "broadcast");
    }
    std::vector<int> all(static_cast<std::size_t>(world.size()));
    tutti::all_gather(world, std::vector<int>{world.rank()}, all);
    for (int rank = 0; rank != world.size(); ++rank) {
        require(all[static_cast<std::size_t>(rank)] == rank, "all_gather");
    }
    tutti::barrier(world);
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_thread_posts_the_messages_of_all) {
    auto const seen = on_funneled_team(1 + support::world_rank() % 3, [](auto& world) { require_results(world); });
    for (auto const& each : seen) { BOOST_TEST(each == ""); }
}

BOOST_AUTO_TEST_CASE(messages_between_processes_keep_the_laws_of_a_communicator) {
    tutti::team team{MPI_COMM_WORLD, 1};
    auto const world = team.rank(0);
    auto& ranks = tutti::communicator_of<std::remove_cvref_t<decltype(world)>>::get(world);
    std::array none{ranks.inactive(), ranks.inactive(), ranks.inactive()};
    laws::check_inactive_requests(ranks, none);
    laws::check_waiting_for_some(ranks, (world.rank() + 1) % world.size(),
                                 (world.rank() + world.size() - 1) % world.size());
}

BOOST_AUTO_TEST_CASE(so_it_does_for_plans_and_nonblocking_calls) {
    auto const seen = on_funneled_team(1 + (support::world_rank() + 1) % 3, [](auto& world) {
        auto const total = composed(0, world.size(), 500);
        std::vector<support::affine_map> mine(500), others(500);
        auto plan = tutti::plan::all_reduce(world, tutti::inplace(mine), compose);
        for (int i = 0; i != 3; ++i) {
            mine = others = maps_of(world.rank(), 500);
            plan.start();
            auto call = tutti::async::all_reduce(world, tutti::inplace(others), compose);
            call.wait();
            plan.wait();
            require(mine == total && others == total, "results");
        }
    });
    for (auto const& each : seen) { BOOST_TEST(each == ""); }
}

BOOST_AUTO_TEST_CASE(what_ranks_exchange_beside_data_goes_through_it_too) {
    auto const seen = on_funneled_team(2, [](auto& world) {
        tutti::configure(world, tutti::execution{.check_calls = true});
        require_results(world);
        std::vector<int> values(20, 1);
        auto const wrong = sentence_of([&] {
            if (world.rank() == 1) {
                tutti::broadcast(world, values, 0);
            } else {
                tutti::all_reduce(world, tutti::inplace(values), std::plus<>{});
            }
        });
        require(contains(wrong, "broadcast of 20 int"), wrong);
        tutti::recover(world);
        require_results(world);
    });
    for (auto const& each : seen) { BOOST_TEST(each == ""); }
}

BOOST_AUTO_TEST_CASE(an_operator_that_throws_in_another_thread_leaves_the_team_usable) {
    if (support::world_size() == 1) { return; }
    for (auto const n : std::vector<std::size_t>{1, 50'000}) {
        auto const seen = on_funneled_team(2, [&](auto& world) {
            bool const throws = world.rank() == 1;
            std::vector<int> values(n, 1);
            auto const add = [&](int a, int b) { return throws ? throw std::runtime_error{"no sum"} : a + b; };
            auto const wrong = sentence_of(
                [&] { tutti::all_reduce(world, tutti::inplace(values), add, tutti::recursive_doubling{}); });
            require_results(world);
            bool const combines = world.size() == 4;  // else it may only send its operand
            require(!throws || !combines || contains(wrong, "no sum"), wrong);
            require(throws || wrong.empty() || contains(wrong, "the operator threw on another rank"), wrong);
        });
        for (auto const& each : seen) { BOOST_TEST(each == ""); }
    }
}

BOOST_AUTO_TEST_CASE(ranks_that_wait_for_a_thread_that_has_left_learn_of_it) {
    if (support::world_size() == 1) { return; }
    for (int const leaves : {0, 1}) {
        auto const seen = on_funneled_team(2, [&](auto& world) {
            if (world.rank() == leaves) { throw std::runtime_error{"left"}; }
            auto const wrong = sentence_of([&] { require_results(world); });
            auto const place = "process 0, thread " + std::to_string(leaves);
            require(contains(wrong, place + ": its thread has been left by an exception"), wrong);
        });
        bool const here = support::world_rank() == 0;
        BOOST_TEST(seen[0] == (here && leaves == 0 ? "left" : ""));
        BOOST_TEST(seen[1] == (here && leaves == 1 ? "left" : ""));
    }
}

BOOST_AUTO_TEST_CASE(a_thread_that_returns_early_is_named_whoever_sends) {
    if (support::world_size() == 1) { return; }
    for (int const leaves : {0, 1}) {
        auto const seen = on_funneled_team(2, [&](auto& world) {
            tutti::barrier(world);
            if (world.rank() == leaves) { return; }
            auto const wrong = sentence_of([&] { require_results(world); });
            require(contains(wrong, "process 0, thread " + std::to_string(leaves)) && contains(wrong, "given"), wrong);
        });
        for (auto const& each : seen) { BOOST_TEST(each == ""); }
    }
}

BOOST_AUTO_TEST_CASE(the_thread_that_has_initialised_mpi_is_the_first_rank) {
    if (support::world_size() == 1) { return; }
    tutti::team team{MPI_COMM_WORLD, 2};
    auto const wrong = sentence_of([&] { static_cast<void>(team.rank(1)); });
    BOOST_TEST(contains(wrong, "has to be rank(0) of its team; rank(1) is another one"), wrong);
}

BOOST_AUTO_TEST_SUITE_END()
