// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/bracket_sensitive.hpp>
#include <support/ranks.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/operation/minmax.hpp>
#include <tutti/selection/canonical.hpp>

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

// Which NaN a sum of two is depends on the order that a compiler gives to the operands of each of its loops.
BOOST_AUTO_TEST_CASE(nans_are_in_the_same_places_and_minima_have_the_same_bits) {
    support::on_ranks([](auto& world) {
        for (auto const n : std::vector<std::size_t>{1, 37, 5000}) {
            auto const rank = static_cast<std::size_t>(support::rank_of(world));
            std::vector<double> in(n);
            for (std::size_t i = 0; i != n; ++i) {
                auto const kind = (i * 7 + rank * (i % 5 + 1)) % 4;
                auto const payload = 0x7ff8000000000000U | (rank + 1);
                in[i] = kind == 0 ? -0.0 : kind == 1 ? 0.0 : kind == 2 ? std::bit_cast<double>(payload) : 1.0;
            }
            auto const of = [&](auto op, auto algorithm) {
                std::vector<double> result(n);
                tutti::all_reduce(world, in, result, op, algorithm);
                return result;
            };
            auto const check_all = [&](auto algorithm) {
                check(agree(world, bits(of(tutti::minimum<double>{}, algorithm))), "minima have other bits");
                check(agree(world, bits(of(tutti::maximum<double>{}, algorithm))), "maxima have other bits");
                auto sum = of(std::plus<>{}, algorithm);
                for (auto& each : sum) { each = std::isnan(each) ? std::numeric_limits<double>::quiet_NaN() : each; }
                check(agree(world, bits(sum)), "NaNs are in other places");
            };
            check_all(tutti::automatic{});
            check_all(tutti::reproducible{});
        }
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
