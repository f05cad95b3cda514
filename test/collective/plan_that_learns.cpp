// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/operands.hpp>
#include <support/ranks.hpp>
#include <support/sentences.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/explain.hpp>
#include <tutti/communicator/recover.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/learning.hpp>
#include <tutti/operation/minmax.hpp>

BOOST_AUTO_TEST_SUITE(collective_plan_that_learns)

using support::operands;
using support::sums;

namespace {

constexpr std::size_t runs_with_a_trial = 160;  // four candidates are tried in 6 + 4 * 4 * 8 runs at most

template <class World>
void check_equal_on_all(World& world, std::string const& text, std::size_t run) {
    auto const mine = std::hash<std::string>{}(text);
    support::check_equal(tutti::all_reduce(world, mine, tutti::minimum<>{}),
                         tutti::all_reduce(world, mine, tutti::maximum<>{}), "choices in run " + std::to_string(run));
}


}  // namespace

BOOST_AUTO_TEST_CASE_ON_RANKS(ranks_choose_alike_in_whatever_order_plans_run) {
    tutti::use(world, tutti::learning{});
    auto const rank = support::rank_of(world);
    auto const size = support::size_of(world);
    std::size_t const n = 300;
    auto const in = operands(rank, n);
    std::vector<int> out(n, -1), moved(n);
    auto first = tutti::plan::all_reduce(world, in, out, std::plus<>{});
    auto second = tutti::plan::broadcast(world, moved, 0);
    std::mt19937 random{static_cast<unsigned>(rank)};
    std::size_t tries = 0;
    for (std::size_t run = 0; run != runs_with_a_trial; ++run) {
        std::fill(out.begin(), out.end(), -1);
        std::fill(moved.begin(), moved.end(), rank == 0 ? static_cast<int>(run) : -1);
        bool const begins_with_first = random() % 2 == 0;
        begins_with_first ? first.start() : second.start();
        begins_with_first ? second.start() : first.start();
        if (random() % 8 == 0) { std::this_thread::sleep_for(std::chrono::microseconds{random() % 500}); }
        if (random() % 2 == 0) {
            second.wait();
        } else {
            while (!second.test()) {}
        }
        first.wait();
        support::check(out == sums(size, n) && moved == std::vector<int>(n, static_cast<int>(run)),
                       "run " + std::to_string(run));
        auto const text = first.explain() + second.explain();
        check_equal_on_all(world, text, run);
        tries += text.find("tried in this call") != std::string::npos ? 1 : 0;
    }
    support::check(size < 3 || tries >= 8, "trials of " + std::to_string(tries) + " runs");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(a_plan_begins_with_the_choice_of_blocking_calls) {
    tutti::configure(world, tutti::execution{.shared_memory = tutti::memory_sharing::never});
    tutti::use(world, tutti::learning{});
    auto const in = operands(support::rank_of(world), 100);
    std::vector<int> out(in.size());
    for (std::size_t i = 0; i != runs_with_a_trial; ++i) { tutti::all_reduce(world, in, out, std::plus<>{}); }
    auto plan = tutti::plan::all_reduce(world, in, out, std::plus<>{});
    auto const begins = plan.explain();
    using C = std::remove_cvref_t<decltype(tutti::communicator_of<std::remove_cvref_t<decltype(world)>>::get(world))>;
    auto& ranks = tutti::communicator_of<std::remove_cvref_t<decltype(world)>>::get(world);
    auto const& records = tutti::selection::call_history<C>::of(ranks).records().all;
    support::check(!records.empty(), "a record");
    auto const& record = *records.front();
    auto const name = record.names[record.calls.chosen()].algorithm;
    support::check(begins.find(name) != std::string::npos, begins + " has " + name);
    for (std::size_t i = 0; i != 4; ++i) {  // before any trial
        plan.start();
        plan.wait();
        support::check(plan.explain() == begins && out == sums(support::size_of(world), in.size()), plan.explain());
    }
}

BOOST_AUTO_TEST_CASE_ON_RANKS(sums_of_floating_point_numbers_keep_their_bits_while_a_plan_learns) {
    std::vector<double> in(100), first(100), out(100);
    for (std::size_t i = 0; i != in.size(); ++i) {
        in[i] = 1.0 / static_cast<double>(static_cast<std::size_t>(support::rank_of(world)) * 7 + i + 3);
    }
    tutti::all_reduce(world, in, first, std::plus<>{});
    tutti::use(world, tutti::learning{});
    auto plan = tutti::plan::all_reduce(world, in, out, std::plus<>{});
    for (std::size_t i = 0; i != runs_with_a_trial; ++i) {
        plan.start();
        plan.wait();
        support::check(out == first, "bits of run " + std::to_string(i));
    }
}

BOOST_AUTO_TEST_CASE_ON_RANKS(after_recover_plans_learn_anew) {
    tutti::use(world, tutti::learning{});
    auto const in = operands(support::rank_of(world), 100);
    std::vector<int> out(in.size());
    bool throws = false;
    auto const op = [&](int a, int b) {
        if (throws) { throw std::runtime_error{"no sum"}; }
        return a + b;
    };
    auto plan = tutti::plan::all_reduce(world, in, out, std::ref(op));
    for (std::size_t i = 0; i != 30; ++i) {
        plan.start();
        plan.wait();
    }
    if (support::size_of(world) > 1) {
        throws = support::rank_of(world) == 0;
        try {
            plan.start();
            plan.wait();
        } catch (std::exception const&) {}
        throws = false;
        tutti::recover(world);
    }
    auto again = tutti::plan::all_reduce(world, in, out, std::plus<>{});
    for (std::size_t i = 0; i != 30; ++i) {
        again.start();
        again.wait();
        plan.start();
        plan.wait();
        support::check(out == sums(support::size_of(world), in.size()), "after recover");
        check_equal_on_all(world, again.explain(), i);
    }
}

BOOST_AUTO_TEST_SUITE_END()
