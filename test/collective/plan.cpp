// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/operands.hpp>
#include <support/ranks.hpp>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/barrier.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/reduce.hpp>

// program: team
BOOST_AUTO_TEST_SUITE(collective_plan)

using support::check_equal;
using support::operands;
using support::sums;

namespace {

std::plus<> plus;

}  // namespace

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(a_plan_runs_many_times_on_the_same_memory) {
    std::vector<int> in(3);
    std::vector<int> out(3);
    auto sum = tutti::plan::all_reduce(world, in, out, plus);
    auto to_last = tutti::plan::reduce(world, in, out, plus, size - 1);
    for (int round = 1; round != 6; ++round) {
        in.assign(3, round * rank);
        out.assign(3, -1);
        sum.start();
        sum.wait();
        check_equal(out, std::vector<int>(3, round * size * (size - 1) / 2), "all_reduce");
        out.assign(3, -1);
        to_last.start();
        to_last.wait();
        check_equal(out, std::vector<int>(3, rank == size - 1 ? round * size * (size - 1) / 2 : -1), "reduce");
    }
    sum.wait();
    support::check(sum.test(), "a plan that is not running has ended");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(a_plan_can_be_tested_until_it_has_ended) {
    auto both = operands(support::rank_of(world), 20'000);
    auto sum = tutti::plan::all_reduce(world, tutti::inplace(both), plus);
    sum.start();
    while (!sum.test()) {}
    support::check(both == sums(support::size_of(world), 20'000), "all_reduce");
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(plans_in_flight_together_are_waited_for_in_any_order) {
    constexpr std::size_t count = 6;
    std::vector<std::vector<int>> in;
    std::vector<std::vector<int>> out(count);
    using plan = decltype(tutti::plan::all_reduce(world, out[0], out[0], plus));
    std::vector<plan> plans;
    for (std::size_t i = 0; i != count; ++i) {
        auto const length = 1 + i * 4000;
        in.push_back(operands(rank, length));
        out[i].resize(length);
    }
    for (std::size_t i = 0; i != count; ++i) { plans.push_back(tutti::plan::all_reduce(world, in[i], out[i], plus)); }
    for (std::size_t round = 0; round != 3; ++round) {
        auto const mine = static_cast<std::size_t>(rank) + round;
        for (std::size_t i = 0; i != count; ++i) { plans[(i + mine) % count].start(); }
        // other collectives come in between
        check_equal(tutti::all_reduce(world, 1, plus), size, "blocking call between");
        int from_first = rank;
        auto also = tutti::async::broadcast(world, from_first, 0);
        tutti::barrier(world);
        for (std::size_t i = 0; i != count; ++i) { plans[(i * 5 + mine) % count].wait(); }
        also.wait();
        check_equal(from_first, 0, "broadcast");
        for (std::size_t i = 0; i != count; ++i) {
            support::check(out[i] == sums(size, out[i].size()), "plan " + std::to_string(i));
            out[i].assign(out[i].size(), -1);
        }
    }
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(nonblocking_forms_are_started_plans) {
    auto const in = operands(rank, 100);
    std::vector<int> sum(100);
    std::vector<int> at_root(100);
    auto both = in;
    auto first = tutti::async::all_reduce(world, in, sum, plus);
    auto second = tutti::async::reduce(world, in.data(), 100, at_root.data(), plus, 0);
    auto third = tutti::async::broadcast(world, both, size - 1);
    third.wait();
    while (!first.test()) {}
    second.wait();
    check_equal(sum, sums(size, 100), "all_reduce");
    check_equal(at_root, rank == 0 ? sums(size, 100) : std::vector<int>(100), "reduce");
    check_equal(both, operands(size - 1, 100), "broadcast");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(starting_twice_is_refused_and_harmless) {
    auto both = operands(support::rank_of(world), 100);
    auto sum = tutti::plan::all_reduce(world, tutti::inplace(both), plus);
    sum.start();
    if (support::size_of(world) > 1) {
        auto const said = support::message_of<std::logic_error>([&] { sum.start(); });
        check_equal(said, "tutti: start() on a plan that is still running; wait() for it first", "message");
    }
    sum.wait();
    check_equal(both, sums(support::size_of(world), 100), "all_reduce");
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(a_running_plan_that_is_destroyed_takes_part_until_its_end) {
    auto both = operands(rank, 5000);
    {
        auto sum = tutti::async::all_reduce(world, tutti::inplace(both), plus);
        if (rank % 2 == 0) { sum.wait(); }
    }
    support::check(both == sums(size, 5000), "all_reduce");
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(a_plan_has_an_operator_of_its_own) {
    auto const in = operands(rank, 5);
    std::vector<std::vector<int>> out(4, std::vector<int>(5));
    auto const plan_with = [&](int offset) {
        auto const op = [offset, text = std::string(100, 'x')](int a, int b) {
            return a + b + offset * static_cast<int>(text.size());
        };
        return tutti::async::all_reduce(world, in, out[static_cast<std::size_t>(offset)], op);
    };
    // What runs is ended by what takes its place; a move to another owner neither ends nor harms it.
    auto pending = plan_with(0);
    for (int offset = 1; offset != 4; ++offset) { pending = plan_with(offset); }
    auto moved = std::move(pending);
    moved.wait();
    for (int offset = 0; offset != 4; ++offset) {
        auto expected = sums(size, 5);
        for (auto& each : expected) { each += (size - 1) * 100 * offset; }
        check_equal(out[static_cast<std::size_t>(offset)], expected, "all_reduce");
    }
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(a_plan_may_refer_to_the_caller_s_operator) {
    int const mine = 1;
    int out = 0;
    int offset = 0;
    auto const op = [&offset](int a, int b) { return a + b + offset; };
    auto sum = tutti::plan::all_reduce(world, mine, out, std::ref(op));
    for (offset = 0; offset != 3; ++offset) {
        sum.start();
        sum.wait();
        check_equal(out, size + (size - 1) * offset, "all_reduce");
    }
}

BOOST_AUTO_TEST_SUITE_END()
