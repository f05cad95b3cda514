// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <functional>

#include <support/operands.hpp>
#include <support/throwing.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/reduce_scatter.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/collective/scan_reduce.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/operation/annotated.hpp>

// program: team
BOOST_AUTO_TEST_SUITE(collective_operator_throws)

using support::check;
using support::check_equal;
using support::check_throwing_on_each_rank;
using support::operands;
using support::outcome;
using support::outcome_of;
using support::picky_sum;
using support::refused;

BOOST_AUTO_TEST_CASE_ON_RANKS(one_rank_throws) {
    for (int const calls : {0, 5}) {
        auto const all = [&](auto const& algorithm) {
            check_throwing_on_each_rank(world, 20, calls, [&](picky_sum& op, auto& out) {
                tutti::all_reduce(world, tutti::inplace(out), tutti::commutative(std::ref(op)), algorithm);
            });
        };
        all(tutti::recursive_doubling{});
        all(tutti::ring{});
        all(tutti::pipeline{.segments = 5});
        for (int root = 0; root < support::size_of(world); root += 2) {
            check_throwing_on_each_rank(world, 20, calls, [&](picky_sum& op, auto& out) {
                auto const in = out;
                tutti::reduce(world, in, out, std::ref(op), root, tutti::binary_tree{.segments = 5});
            });
        }
    }
}

// Nobody has anything to send, in both directions at once.
BOOST_AUTO_TEST_CASE_ON_RANKS(all_ranks_throw) {
    auto const check_all = [&](auto const& algorithm) {
        auto both = operands(support::rank_of(world), 20);
        auto const ended = outcome_of([&] {
            tutti::all_reduce(world, tutti::inplace(both), tutti::commutative([](int, int) -> int {
                                  throw refused{"the operator does not like this"};
                              }), algorithm);
        });
        check((ended == outcome::result) == (support::size_of(world) == 1), "somebody has a result");
    };
    check_all(tutti::recursive_doubling{});
    check_all(tutti::ring{});
    check_all(tutti::binomial{});
    check_equal(tutti::all_reduce(world, 1, std::plus<>{}), support::size_of(world), "the next call");
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(a_plan_may_run_again_after_its_operator_threw) {
    int const mine = 1;
    int out = 0;
    int worst = size;
    auto plan = tutti::plan::all_reduce(world, mine, out, [&](int a, int b) {
        if (a + b >= worst) { throw refused{"the operator does not like this"}; }
        return a + b;
    });
    for (int round = 0; round != 3; ++round) {
        worst = round % 2 == 0 ? size : size + 1;
        plan.start();
        auto const ended = outcome_of([&] {
            while (!plan.test()) {}
        });
        check((ended == outcome::result) == (size == 1 || round % 2 == 1), "outcome of run " + std::to_string(round));
        if (ended == outcome::result && size > 1) { check_equal(out, size, "result"); }
    }
}

#if defined(TUTTI_TEST_OVER_BOOST_MPI)

BOOST_AUTO_TEST_CASE_ON_RANKS(serialised_elements_that_are_missing) {
    for (int thrower = 0; thrower != support::size_of(world); ++thrower) {
        std::vector<std::string> both(20, "x");
        bool threw = false;
        auto const ended = outcome_of([&] {
            tutti::all_reduce(world, tutti::inplace(both), [&](std::string const& a, std::string const& b) {
                threw = support::rank_of(world) == thrower;
                if (threw) { throw refused{"the operator does not like this"}; }
                return a + b;
            });
        });
        check((ended == outcome::refused) == threw, "whoever throws gets the operator's own exception");
        check_equal(tutti::all_reduce(world, 1, std::plus<>{}), support::size_of(world), "the next call");
    }
}

#elif !defined(TUTTI_TEST_OVER_MPI)

BOOST_AUTO_TEST_CASE(an_exception_that_nobody_catches_ends_the_team) {
    for (int const thrower : {0, 1, 3}) {
        auto const said = support::message_of<refused>([&] {
            tutti::threads::run(4, [&](auto& world) {
                picky_sum op{world.rank() == thrower, 0};
                for (int i = 0; i != 10; ++i) {
                    auto both = operands(world.rank(), 10);
                    tutti::all_reduce(world, tutti::inplace(both), std::ref(op), tutti::linear{});
                    tutti::all_reduce(world, tutti::inplace(both), std::ref(op), tutti::recursive_doubling{});
                }
            });
        });
        BOOST_TEST(said == "the operator does not like this");
    }
}

#endif

// Ranks need not miss what another one failed to compute: only those after it do.
BOOST_AUTO_TEST_CASE_ON_RANKS(one_rank_throws_in_a_scan) {
    auto const scan = [&](int calls, auto const& algorithm) {
        check_throwing_on_each_rank(world, 20, calls, [&](picky_sum& op, auto& out) {
            tutti::inclusive_scan(world, tutti::inplace(out), std::ref(op), algorithm);
        });
    };
    auto const scan_reduce = [&](int calls, auto const& algorithm) {
        check_throwing_on_each_rank(world, 20, calls, [&](picky_sum& op, auto& out) {
            auto const in = out;
            std::vector<int> total(20);
            tutti::scan_reduce(world, in, out, total, std::ref(op), algorithm);
        });
    };
    scan(0, tutti::direct{});
    scan(5, tutti::two_tree{.segments = 5});
    scan_reduce(5, tutti::direct{});
    scan_reduce(0, tutti::two_tree{.segments = 5});
}

BOOST_AUTO_TEST_CASE_ON_RANKS(one_rank_throws_in_a_reduce_scatter) {
    auto const check_with = [&](int calls, auto const& algorithm) {
        check_throwing_on_each_rank(world, 20, calls, [&](picky_sum& op, auto& both) {
            std::vector<int> counts(static_cast<std::size_t>(support::size_of(world)));
            counts.front() = 5;
            counts.back() += 15;
            tutti::reduce_scatter(world, tutti::inplace(both), counts, tutti::commutative(std::ref(op)), algorithm);
        });
    };
    check_with(5, tutti::bucket{});
    check_with(0, tutti::ordered{});
}

BOOST_AUTO_TEST_SUITE_END()
