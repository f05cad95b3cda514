// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/operands.hpp>
#include <support/ranks.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <tutti/arrivals.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/explain.hpp>
#include <tutti/communicator/recover.hpp>
#include <tutti/cost/in_use.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/operation/minmax.hpp>

BOOST_AUTO_TEST_SUITE(learning_arrival_aware)

using support::operands;
using support::sums;
using tutti::arrival_aware;
using tutti::arrival_monitor;

namespace {

std::plus<> plus;
std::vector<std::size_t> const lengths{1, 900, 20'000, 60'000};

void wait(std::size_t microseconds) { std::this_thread::sleep_for(std::chrono::microseconds{microseconds}); }

/// Arrivals at random, estimates that may be as wrong as anything.
template <class World>
void reduce_again_and_again(World& world, tutti::monitoring::arrival_options const& how, unsigned seed) {
    arrival_monitor monitor{world, how};
    auto const rank = support::rank_of(world);
    std::mt19937 random{seed + static_cast<unsigned>(rank)};
    for (std::size_t call = 0; call != 16; ++call) {
        auto const n = lengths[call % lengths.size()];
        if (random() % 5 != 0) { monitor.begin_compute(); }
        wait(random() % 2000);
        if (random() % 3 != 0) { monitor.edge(0.01 * static_cast<double>(random() % 120)); }
        wait(random() % 2000);
        if (random() % 5 != 0) { monitor.end_compute(); }
        auto const in = operands(rank, n);
        std::vector<int> out(n, -1);
        tutti::all_reduce(world, in, out, plus, arrival_aware{monitor});
        support::check(out == sums(support::size_of(world), n), "call " + std::to_string(call));
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE_ON_RANKS(results_are_right_whoever_is_late_and_whatever_was_expected) {
    reduce_again_and_again(world, {}, 1);
    reduce_again_and_again(world, {.measures = false}, 2);
    // a network on which every delay matters, and one on which none does
    for (auto const& link : {tutti::loggp{.latency = 10e-9, .per_byte = 1e-12},
                             tutti::loggp{.latency = 1e-3, .per_byte = 9e-7}}) {
        tutti::machine_model model;
        model.between_nodes = model.within_node = link;
        tutti::use(world, model);
        reduce_again_and_again(world, {}, 3);
    }
}

BOOST_AUTO_TEST_CASE_ON_RANKS(all_ranks_choose_the_same) {
    tutti::machine_model model;
    model.between_nodes = model.within_node = {.latency = 100e-9, .per_byte = 1e-9};
    tutti::use(world, model);
    arrival_monitor monitor{world};
    std::vector<int> const in(200'000, 1);
    std::vector<int> out(in.size());
    for (int call = 0; call != 6; ++call) {
        monitor.begin_compute();
        auto const late = call % support::size_of(world) == support::rank_of(world);
        wait(late ? 4000 : 0);
        monitor.edge(0.5);
        wait(late ? 4000 : 0);
        monitor.end_compute();
        auto plan = tutti::plan::all_reduce(world, in, out, plus, arrival_aware{monitor});
        plan.start();
        plan.wait();
        support::check(out.front() == support::size_of(world) && out.back() == out.front(), "the result");
        auto const chosen = std::hash<std::string>{}(plan.explain());
        auto const least = tutti::all_reduce(world, chosen, tutti::minimum<>{});
        support::check_equal(chosen, least, "the hash of what a rank has chosen");
    }
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(without_a_monitor_earlier_calls_say_who_comes_late) {
    tutti::machine_model model;
    model.between_nodes = model.within_node = {.latency = 100e-9, .per_byte = 1e-9};
    tutti::use(world, model);
    for (auto const n : {lengths.back(), std::size_t{200'000}}) {
        auto const in = operands(rank, n);
        std::vector<int> out(n);
        for (int call = 0; call != 7; ++call) {
            wait(rank == size - 1 ? 4000 : 0);
            tutti::all_reduce(world, in, out, plus, arrival_aware{});
            support::check(out == sums(size, n), "call " + std::to_string(call));
            std::vector<int> again = in;
            tutti::all_reduce(world, tutti::inplace(again), plus, arrival_aware{});  // now nobody is late
            support::check(again == out, "in place, call " + std::to_string(call));
        }
        auto plan = tutti::plan::all_reduce(world, in, out, plus, arrival_aware{});
        auto const chosen = std::hash<std::string>{}(plan.explain());
        auto const least = tutti::all_reduce(world, chosen, tutti::minimum<>{});
        support::check_equal(chosen, least, "the hash of what a rank has chosen");
    }
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(keeps_the_order_of_operands_that_may_not_be_exchanged) {
    arrival_monitor monitor{world};
    monitor.begin_compute();
    wait(rank == 0 ? 3000 : 0);
    auto const word = [](std::size_t a, std::size_t b) { return a * 31 + b; };
    std::vector<std::size_t> const in(50'000, static_cast<std::size_t>(rank));
    std::vector<std::size_t> out(in.size());
    // neither commutative nor associative: any other tree than that of `automatic` shows
    std::vector<std::size_t> same(in.size());
    tutti::all_reduce(world, in, out, word, arrival_aware{monitor});
    tutti::all_reduce(world, in, same, word);
    support::check(out == same, "another order");
    tutti::all_reduce(world, in, out, word, arrival_aware{});
    support::check(out == same, "another order without a monitor");
}

#if defined(TUTTI_TEST_OVER_MPI)
BOOST_AUTO_TEST_CASE_ON_RANKS(refuses_a_monitor_of_other_ranks) {
    if (support::size_of(world) == 1) { return; }
    arrival_monitor monitor{MPI_Comm{MPI_COMM_SELF}};
    std::vector<int> x(10, 1);
    auto const message = support::message_of<std::invalid_argument>(
        [&] { tutti::all_reduce(world, tutti::inplace(x), plus, arrival_aware{monitor}); });
    support::check(message.find("a monitor of 1 rank") != std::string::npos, message);
    tutti::recover(world);  // which has failed if calls before have been learned from
}
#elif !defined(TUTTI_TEST_OVER_BOOST_MPI)
BOOST_AUTO_TEST_CASE(no_order_of_events_makes_a_result_wrong) {
    for (std::uint64_t seed = 1; seed != 7; ++seed) {
        for (int const size : {2, 3, 5}) {
            tutti::threads::run(
                size,
                [seed](auto& world) {
                    reduce_again_and_again(world, {.measures = seed % 2 == 0}, static_cast<unsigned>(seed));
                },
                {.perturb = seed});
        }
    }
}
#endif

BOOST_AUTO_TEST_SUITE_END()
