// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/allocations.hpp>
#include <support/ranks.hpp>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/barrier.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/generator/all.hpp>

// program: alone, shared memory
BOOST_AUTO_TEST_SUITE(execution_allocations)

namespace {

#if defined(TUTTI_TEST_OVER_SHARED_MEMORY) || defined(TUTTI_TEST_OVER_MPI) || defined(TUTTI_TEST_OVER_BOOST_MPI)
// Through slots, messages that come too early are copied to memory that grows until it holds as many as ever came.
support::single_copies const where_they_are{"always"};
#endif

std::plus<> plus;

/// Whether all runs after the first do without.
void check_plan(auto plan, std::string const& what) {
    plan.start();
    plan.wait();
    auto const before = support::allocations;
    for (int run = 2; run != 10; ++run) {
        plan.start();
        if (run % 3 == 0) {
            while (!plan.test()) {}
        }
        plan.wait();
    }
    auto const later = support::allocations - before;
    support::check_equal(later, 0U, what + " allocates in later runs");
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_counter_counts) {
    auto const before = support::allocations;
    std::vector<int> const some(10);
    BOOST_TEST(support::allocations == before + 1);
}

BOOST_AUTO_TEST_CASE(plans_allocate_nothing_after_their_first_run) {
    support::on_ranks_by_length({1, 1000, 3000, 60'000}, [](auto& world, std::size_t n) {
        std::vector<double> const in(n, 1.0);
        std::vector<double> out(n);
        auto const text = std::to_string(n);
        check_plan(tutti::plan::all_reduce(world, in, out, plus), "all_reduce of " + text);
        check_plan(tutti::plan::all_reduce(world, tutti::inplace(out), [](double, double b) { return b; }),
                   "ordered all_reduce of " + text);
        check_plan(tutti::plan::reduce(world, in, out, plus, 0), "reduce of " + text);
        check_plan(tutti::plan::broadcast(world, out, support::size_of(world) - 1), "broadcast of " + text);
    });
}

#if defined(TUTTI_TEST_OVER_BOOST_MPI) || defined(TUTTI_TEST_OVER_MPI)

BOOST_AUTO_TEST_CASE_ON_RANKS(plans_in_ready_mode_allocate_nothing_after_their_first_run) {
    tutti::configure(world, tutti::execution{.ready_mode = true});
    for (auto const n : std::vector<std::size_t>{1, 20'000}) {
        std::vector<double> const in(n, 1.0);
        std::vector<double> out(n);
        auto const text = std::to_string(n) + " in ready mode";
        check_plan(tutti::plan::all_reduce(world, in, out, plus, tutti::ring{}), "all_reduce of " + text);
        check_plan(tutti::plan::reduce(world, in, out, plus, 0, tutti::uni_greedy{.segments = 100}),
                   "reduce of " + text);
    }
    tutti::configure(world, {});
}

#endif

BOOST_AUTO_TEST_CASE_ON_RANKS(blocking_calls_of_the_same_kind_allocate_nothing_either) {
    std::vector<double> const in(3000, 1.0);
    std::vector<double> out(3000);
    tutti::configure(world, {});  // compares no calls, whatever the environment says
    auto const call = [&] {
        tutti::all_reduce(world, in, out, plus, tutti::uni_greedy{.segments = 16});
        tutti::reduce(world, in, out, plus, 0, tutti::linear{});
        tutti::barrier(world);
    };
    // Threads compare the ranks' last calls, and remember their words; processes share memory some time in their
    // first few hundred calls.
    for (int run = 0; run != 100; ++run) { call(); }
    auto const before = support::allocations;
    for (int run = 0; run != 20; ++run) { call(); }
    auto const later = support::allocations - before;
    support::check_equal(later, 0U, "blocking calls allocate");
}

BOOST_AUTO_TEST_SUITE_END()
