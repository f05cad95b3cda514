// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <laws/execution_laws.hpp>
#include <support/message_limit.hpp>
#include <support/operands.hpp>
#include <support/ranks.hpp>

#include <cmath>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/error.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/operation/annotated.hpp>

BOOST_AUTO_TEST_SUITE(execution_ready_mode)

using support::check;
using support::operands;
using support::sums;

namespace {

/// Threads have no ready mode, and run as they are.
void ready_mode([[maybe_unused]] auto& world, [[maybe_unused]] bool wanted) {
#if defined(TUTTI_TEST_OVER_BOOST_MPI) || defined(TUTTI_TEST_OVER_MPI)
    tutti::configure(world, tutti::execution{.ready_mode = wanted});
#endif
}

std::plus<> plus;

/// Sums of these are rounded, so that they show in which order they were made.
[[nodiscard]] std::vector<double> uneven(int rank, std::size_t n) {
    std::vector<double> result(n);
    for (std::size_t i = 0; i != n; ++i) { result[i] = std::sin(static_cast<double>(i) + 7.0 * rank) + 1e-9 * rank; }
    return result;
}

[[nodiscard]] bool same_bits(std::vector<double> const& a, std::vector<double> const& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// `call(vector)` in place, in both modes, again and again.
void check_modes(auto& world, std::size_t n, std::string const& what, auto call) {
    auto const in = uneven(support::rank_of(world), n);
    auto standard = in;
    ready_mode(world, false);
    call(standard);
    for (int run = 0; run != 3; ++run) {
        ready_mode(world, run != 1);
        auto both = in;
        call(both);
        check(same_bits(both, standard), what + " of " + std::to_string(n) + ", run " + std::to_string(run));
    }
    ready_mode(world, false);
}

void check_collectives(auto& world, std::size_t n) {
    int const last = support::size_of(world) - 1;
    auto const all = [&](std::string const& name, auto const& algorithm) {
        check_modes(world, n, "all_reduce by " + name,
                    [&](auto& both) { tutti::all_reduce(world, tutti::inplace(both), plus, algorithm); });
    };
    auto const one = [&](std::string const& name, auto const& algorithm) {
        check_modes(world, n, "reduce by " + name, [&](auto& both) {
            auto const in = both;
            tutti::reduce(world, in, both, plus, last, algorithm);
        });
        check_modes(world, n, "broadcast by " + name,
                    [&](auto& both) { tutti::broadcast(world, both, last, algorithm); });
    };
    all("ring", tutti::ring{});
    all("recursive_doubling", tutti::recursive_doubling{});
    all("bi_greedy", tutti::bi_greedy{.segments = 9});
    one("bi_greedy", tutti::bi_greedy{.segments = 9});
}

}  // namespace

BOOST_AUTO_TEST_CASE_ON_RANKS(results_are_those_of_standard_mode) {
    for (auto const n : std::vector<std::size_t>{30, 20'000}) { check_collectives(world, n); }
}

// Every root, every cut, empty blocks among them, and operands that show how they were combined.
BOOST_AUTO_TEST_CASE_ON_RANKS(schedules_are_executed_as_they_say) {
    ready_mode(world, true);
    laws::check_executions(world, tutti::collective::reduce{}, tutti::pipeline{});
    laws::check_executions(world, tutti::collective::all_reduce{}, tutti::recursive_doubling{});
    laws::check_executions(world, tutti::collective::broadcast{}, tutti::reverse(tutti::binary_tree{}));
    ready_mode(world, false);
}

BOOST_AUTO_TEST_CASE(messages_are_cut_to_the_limit) {
    support::on_ranks_with_limit(72, [](auto& world) { check_collectives(world, 200); });
}

BOOST_AUTO_TEST_CASE_ON_RANKS(long_messages_are_cut_into_pieces) {
    constexpr std::size_t n = 300'000;
    ready_mode(world, true);
    auto both = operands(support::rank_of(world), n);
    tutti::all_reduce(world, tutti::inplace(both), plus, tutti::recursive_doubling{});
    check(both == sums(support::size_of(world), n), "all_reduce");
    ready_mode(world, false);
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(plans_run_again_and_again_and_together) {
    auto const in = operands(rank, 3000);
    std::vector<int> sum(3000);
    std::vector<int> other_sum(3000);
    std::vector<int> at_root(3000);
    ready_mode(world, true);
    auto all = tutti::plan::all_reduce(world, in, sum, plus, tutti::ring{});
    auto same = tutti::plan::all_reduce(world, in, other_sum, plus, tutti::recursive_doubling{});
    auto one = tutti::plan::reduce(world, in, at_root, plus, size - 1, tutti::pipeline{.segments = 10});
    for (int run = 0; run != 8; ++run) {
        // the choice is for what starts from now on; what is under way ends as it began
        ready_mode(world, run % 4 != 3);
        sum.assign(3000, 0);
        other_sum.assign(3000, 0);
        all.start();
        ready_mode(world, run % 4 != 2);
        // plans may start in another order on every rank
        (rank % 2 == 0 ? same.start() : one.start());
        (rank % 2 == 0 ? one.start() : same.start());
        int last = rank;
        tutti::broadcast(world, last, size - 1, tutti::binomial{});
        check(last == size - 1, "a call between");
        one.wait();
        while (!same.test()) {}
        all.wait();
        check(sum == sums(size, 3000) && other_sum == sum, "all_reduce");
        check(rank != size - 1 || at_root == sum, "reduce");
    }
    ready_mode(world, false);
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(consecutive_calls_of_many_kinds) {
    ready_mode(world, true);
    for (int round = 0; round != 10; ++round) {
        auto const n = static_cast<std::size_t>(1 + round % 5 * 100);
        auto both = operands(rank, n);
        tutti::all_reduce(world, tutti::inplace(both), plus, tutti::recursive_doubling{});
        check(both == sums(size, n), "all_reduce");
        both = operands(rank, n);
        tutti::broadcast(world, both, round % size, tutti::binomial{});
        check(both == operands(round % size, n), "broadcast");
    }
    ready_mode(world, false);
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(an_operator_that_throws_leaves_nobody_waiting) {
    for (int thrower = 0; thrower < size; thrower += size > 4 ? 3 : 1) {
        ready_mode(world, true);
        bool threw = false;
        bool missing = false;
        auto both = operands(rank, 100);
        try {
            tutti::all_reduce(world, tutti::inplace(both), tutti::commutative([&](int a, int b) {
                                  if (rank == thrower) { throw std::domain_error{"refused"}; }
                                  return a + b;
                              }),
                              tutti::ring{});
        } catch (std::domain_error const&) {
            threw = true;
        } catch (tutti::operand_missing const&) { missing = true; }
        check(size == 1 || threw == (rank == thrower), "whoever throws gets the operator's own exception");
        check(size == 1 || threw || missing, "nobody has all elements");
        both = operands(rank, 100);
        tutti::all_reduce(world, tutti::inplace(both), plus, tutti::ring{});
        check(both == sums(size, 100), "the next call");
        ready_mode(world, false);
    }
}

#if defined(TUTTI_TEST_OVER_BOOST_MPI)

BOOST_AUTO_TEST_CASE_ON_RANKS(serialised_elements_go_in_standard_mode) {
    ready_mode(world, true);
    std::string const mine(static_cast<std::size_t>(5000 * support::rank_of(world)), 'x');
    auto const all = tutti::all_reduce(world, mine, plus, tutti::recursive_doubling{});
    auto const size = static_cast<std::size_t>(support::size_of(world));
    check(all == std::string(5000 * size * (size - 1) / 2, 'x'), "concatenation");
    ready_mode(world, false);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
