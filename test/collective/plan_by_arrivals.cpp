// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/operands.hpp>
#include <support/ranks.hpp>
#include <support/sentences.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
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

BOOST_AUTO_TEST_SUITE(collective_plan_by_arrivals)

using support::operands;
using support::sums;
using tutti::arrival_aware;

namespace {

void wait(std::size_t microseconds) { std::this_thread::sleep_for(std::chrono::microseconds{microseconds}); }

template <class World>
void use_slow_network(World& world) {
    tutti::machine_model model;
    model.between_nodes = model.within_node = {.latency = 1e-6, .per_byte = 1e-6};
    tutti::use(world, model);
}

template <class World>
void check_equal_on_all(World& world, std::string const& text, std::string const& what) {
    auto const mine = std::hash<std::string>{}(text);
    support::check_equal(tutti::all_reduce(world, mine, tutti::minimum<>{}),
                         tutti::all_reduce(world, mine, tutti::maximum<>{}), what);
}

/// Two plans, started in an order of each rank's own, whose ranks come at random.
template <class World>
void run_again_and_again(World& world, unsigned seed) {
    use_slow_network(world);
    auto const rank = support::rank_of(world);
    auto const size = support::size_of(world);
    std::size_t const n = 20'000;
    auto const in = operands(rank, n);
    std::vector<int> out(n, -1), other(n);
    auto first = tutti::plan::all_reduce(world, in, out, std::plus<>{}, arrival_aware{});
    auto second = tutti::plan::all_reduce(world, tutti::inplace(other), std::plus<>{}, arrival_aware{});
    std::mt19937 random{seed + static_cast<unsigned>(rank)};
    for (std::size_t run = 0; run != 12; ++run) {
        std::copy(in.begin(), in.end(), other.begin());  // where the plan knows it
        wait(random() % 2000);
        bool const begins_with_first = random() % 2 == 0;
        begins_with_first ? first.start() : second.start();
        begins_with_first ? second.start() : first.start();
        if (random() % 2 == 0) { wait(random() % 1000); }
        if (random() % 2 == 0) {
            second.wait();
        } else {
            while (!second.test()) {}
        }
        first.wait();
        support::check(out == sums(size, n) && other == out, "run " + std::to_string(run));
        check_equal_on_all(world, first.explain() + second.explain(), "what ranks have chosen");
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE_ON_RANKS(ranks_choose_alike_whoever_is_late_and_in_whatever_order_plans_run) {
    run_again_and_again(world, 1);
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(a_rank_that_is_always_late_is_expected) {
    use_slow_network(world);
    std::size_t const n = 40'000;
    auto const in = operands(rank, n);
    std::vector<int> out(n);
    bool is_expected = false;
    // on a machine that is busy with other things all ranks may be late: then the last one has to be later
    for (std::size_t late = 10'000; late <= 160'000 && !is_expected; late *= 2) {
        auto plan = tutti::plan::all_reduce(world, in, out, std::plus<>{}, arrival_aware{});
        for (int run = 0; run != 8 && !is_expected; ++run) {
            if (rank == size - 1) { wait(late); }
            std::fill(out.begin(), out.end(), -1);
            plan.start();
            plan.wait();
            support::check(out == sums(size, n), "run " + std::to_string(run));
            auto const text = plan.explain();
            check_equal_on_all(world, text, "what ranks have chosen");
            is_expected = text.find("delays") != std::string::npos || text.find("is late") != std::string::npos;
        }
    }
    support::check_equal(is_expected, size >= 3, "whether the late rank is expected");
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(plans_that_are_dropped_end_and_other_operators_keep_their_order) {
    auto const word = [](std::size_t a, std::size_t b) { return a * 31 + b; };
    std::vector<std::size_t> const in(50'000, static_cast<std::size_t>(rank));
    std::vector<std::size_t> out(in.size()), same(in.size());
    auto ordered = tutti::plan::all_reduce(world, in, out, word, arrival_aware{});
    ordered.start();
    ordered.wait();
    tutti::all_reduce(world, in, same, word);
    support::check(out == same, "another order");

    std::vector<int> const numbers = operands(rank, 30'000);
    std::vector<int> total(numbers.size());
    {
        auto unused = tutti::plan::all_reduce(world, numbers, total, std::plus<>{}, arrival_aware{});
        auto dropped = tutti::plan::all_reduce(world, numbers, total, std::plus<>{}, arrival_aware{});
        dropped.start();  // ends in its destructor
    }
    support::check(total == sums(size, total.size()), "a plan that was dropped");
    auto once = tutti::async::all_reduce(world, numbers, total, std::plus<>{}, arrival_aware{});
    once.wait();
    support::check(total == sums(size, total.size()), "a nonblocking call");
}

#if defined(TUTTI_TEST_OVER_MPI)
BOOST_AUTO_TEST_CASE_ON_RANKS(a_plan_whose_communicator_is_gone_does_not_start) {
    MPI_Comm other = MPI_COMM_NULL;
    MPI_Comm_dup(world, &other);
    std::vector<int> const in = operands(support::rank_of(world), 30'000);
    std::vector<int> out(in.size());
    auto plan = tutti::plan::all_reduce(other, in, out, std::plus<>{}, arrival_aware{});
    plan.start();
    plan.wait();
    MPI_Comm_free(&other);
    auto const message = support::message_of<std::logic_error>([&] { plan.start(); });
    support::check(message.find("communicator has been freed") != std::string::npos, message);
}

BOOST_AUTO_TEST_CASE_ON_RANKS(after_a_failure_ranks_forget_what_they_may_not_all_know) {
    if (support::size_of(world) == 1) { return; }
    MPI_Comm other = MPI_COMM_NULL;
    MPI_Comm_dup(world, &other);
    use_slow_network(other);
    auto const rank = support::rank_of(world);
    auto const size = support::size_of(world);
    std::vector<int> const in = operands(rank, 30'000);
    std::vector<int> out(in.size());
    auto plan = tutti::plan::all_reduce(other, in, out, std::plus<>{}, arrival_aware{});
    for (int run = 0; run != 9; ++run) {
        if (rank == size - 1) { wait(3000); }
        plan.start();
        if (run == 4 && rank == 0) {
            // this rank leaves while the others are in the call
            tutti::recover(other);
        }
        auto const failed = support::sentence_of([&] { plan.wait(); });
        if (run != 4) {
            support::check(failed.empty() && out == sums(size, in.size()), "run " + std::to_string(run) + failed);
            check_equal_on_all(world, plan.explain(), "what ranks have chosen");
        } else if (rank != 0) {
            tutti::recover(other);
        }
    }
    std::vector<int> total(in.size());
    for (int call = 0; call != 4; ++call) {
        tutti::all_reduce(other, in, total, std::plus<>{}, arrival_aware{});
        support::check(total == out, "call " + std::to_string(call));
    }
    MPI_Comm_free(&other);
}
#elif !defined(TUTTI_TEST_OVER_BOOST_MPI)
BOOST_AUTO_TEST_CASE(no_order_of_events_makes_a_result_wrong) {
    for (std::uint64_t seed = 1; seed != 7; ++seed) {
        for (int const size : {2, 3, 5}) {
            tutti::threads::run(size, [seed](auto& world) { run_again_and_again(world, static_cast<unsigned>(seed)); },
                                {.perturb = seed});
        }
    }
}
#endif

BOOST_AUTO_TEST_SUITE_END()
