// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/bracket_sensitive.hpp>
#include <support/ranks.hpp>

#include <cstdint>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/generator/all.hpp>

BOOST_AUTO_TEST_SUITE(collective_same_bits)

using support::bits;
using support::check;

namespace {

/// Whether all ranks have the same.
bool agree(auto& world, std::vector<std::uint64_t> const& mine) {
    std::vector<std::uint64_t> any(mine.size());
    std::vector<std::uint64_t> all(mine.size());
    tutti::all_reduce(world, mine, any, std::bit_or<>{});
    tutti::all_reduce(world, mine, all, std::bit_and<>{});
    return any == all;
}

void check_all_reduce(auto& world, std::size_t n, auto const& algorithm) {
    auto const in = support::bracket_sensitive(support::rank_of(world), n);
    std::vector<double> first(n);
    tutti::all_reduce(world, in, first, std::plus<>{}, algorithm);
    check(agree(world, bits(first)), "ranks have different bits");
    auto both = in;
    tutti::all_reduce(world, tutti::inplace(both), std::plus<>{}, algorithm);
    check(bits(both) == bits(first), "in place the bits are different");
    auto plan = tutti::plan::all_reduce(world, in, both, std::plus<>{}, algorithm);
    for (int round = 0; round != 5; ++round) {
        plan.start();
        plan.wait();
        check(bits(both) == bits(first), "the next run has different bits");
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_ranks_and_all_runs_have_the_same_bits) {
    support::on_ranks([](auto& world) {
        for (auto const n : std::vector<std::size_t>{1, 100, 20'000}) {
            check_all_reduce(world, n, tutti::automatic{});
        }
        check_all_reduce(world, 100, tutti::ring{});
        check_all_reduce(world, 100, tutti::uni_greedy{.segments = 9});
    });
}

BOOST_AUTO_TEST_CASE(a_reduction_has_the_same_bits_each_time) {
    support::on_ranks([](auto& world) {
        auto const in = support::bracket_sensitive(support::rank_of(world), 100);
        std::vector<double> first(100);
        std::vector<double> again(100);
        for (int root = 0; root != support::size_of(world); ++root) {
            tutti::reduce(world, in, first, std::plus<>{}, root, tutti::uni_greedy{.segments = 9});
            for (int round = 0; round != 5; ++round) {
                tutti::reduce(world, in, again, std::plus<>{}, root, tutti::uni_greedy{.segments = 9});
                check(bits(again) == bits(first), "the next run has different bits");
            }
        }
    });
}

#if !defined(TUTTI_TEST_OVER_MPI) && !defined(TUTTI_TEST_OVER_BOOST_MPI)

BOOST_AUTO_TEST_CASE(delays_do_not_change_bits) {
    for (int const size : {5, 8}) {
        std::vector<double> first;
        for (std::uint64_t seed = 0; seed != 10; ++seed) {
            tutti::threads::run(
                size,
                [&](auto& world) {
                    std::vector<double> both = support::bracket_sensitive(world.rank(), 60);
                    tutti::all_reduce(world, tutti::inplace(both), std::plus<>{}, tutti::uni_greedy{.segments = 9});
                    if (world.rank() != 0) { return; }
                    if (seed == 0) { first = both; }
                    check(bits(both) == bits(first), "delays have changed the bits");
                },
                {.perturb = seed});
        }
    }
    BOOST_TEST(true);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
