// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <support/wild_numbers.hpp>
#include <support/operands.hpp>
#include <tutti/collective/all_gather.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/reduce_scatter.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/collective/scan_reduce.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/operation/minmax.hpp>
#include <tutti/selection/canonical.hpp>

BOOST_AUTO_TEST_SUITE(collective_same_bits)

using support::bits;
using support::bracket_sensitive;
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

std::plus<> plus;

/// Whether all ranks have the same.
bool agree(auto& world, std::vector<double> const& mine) {
    auto const size = static_cast<std::size_t>(support::size_of(world));
    std::vector<double> all(size * mine.size());
    tutti::all_gather(world, mine, all);
    for (std::size_t rank = 0; rank != size; ++rank) {
        auto const first = all.begin() + static_cast<std::ptrdiff_t>(rank * mine.size());
        if (bits({first, first + static_cast<std::ptrdiff_t>(mine.size())}) != bits(mine)) { return false; }
    }
    return true;
}

/// Calls `collective(in, out)` several times: always the same bits.
std::vector<double> repeated(std::vector<double> const& in, std::size_t n, auto const& collective) {
    std::vector<double> first(n);
    collective(in, first);
    for (int again = 0; again != 5; ++again) {
        std::vector<double> next(n);
        collective(in, next);
        check(bits(next) == bits(first), "the next run has different bits");
    }
    return first;
}

void check_totals(auto& world, std::size_t n, auto const& algorithm) {
    auto const in = bracket_sensitive(support::rank_of(world), n);
    std::vector<double> prefix(n);
    auto const total =
        repeated(in, n, [&](auto const& x, auto& out) { tutti::scan_reduce(world, x, prefix, out, plus, algorithm); });
    check(agree(world, total), "ranks have different bits");
    auto both = in;
    std::vector<double> of_both(n);
    tutti::scan_reduce(world, tutti::inplace(both), of_both, plus, algorithm);
    check(bits(of_both) == bits(total), "in place the bits of the total are different");
    check(bits(both) == bits(prefix), "in place the bits of the prefix are different");
}

}  // namespace

BOOST_AUTO_TEST_CASE_ON_RANKS(all_ranks_and_all_runs_have_the_same_bits) {
    for (auto const n : std::vector<std::size_t>{1, 100, 20'000}) { check_all_reduce(world, n, tutti::automatic{}); }
    check_all_reduce(world, 100, tutti::ring{});
    check_all_reduce(world, 100, tutti::uni_greedy{.segments = 9});
}

// Which NaN a sum of two is depends on the order that a compiler gives to the operands of each of its loops.
BOOST_AUTO_TEST_CASE_ON_RANKS(nans_are_in_the_same_places_and_minima_have_the_same_bits) {
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
}

BOOST_AUTO_TEST_CASE_ON_RANKS(a_reduction_has_the_same_bits_each_time) {
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

BOOST_AUTO_TEST_CASE_ON_RANKS(all_ranks_have_the_same_totals) {
    for (auto const n : std::vector<std::size_t>{1, 100, 20'000}) { check_totals(world, n, tutti::automatic{}); }
    check_totals(world, 100, tutti::direct{});
    check_totals(world, 100, tutti::linear{});
    check_totals(world, 100, tutti::split{});
}

BOOST_AUTO_TEST_CASE(scans_have_the_same_bits_each_time) {
    support::on_ranks_by_length({1, 100, 20'000}, [](auto& world, std::size_t n) {
        auto const in = bracket_sensitive(support::rank_of(world), n);
        auto const inclusive =
            repeated(in, n, [&](auto const& x, auto& out) { tutti::inclusive_scan(world, x, out, plus); });
        auto both = in;
        tutti::inclusive_scan(world, tutti::inplace(both), plus);
        check(bits(both) == bits(inclusive), "in place the bits are different");
        auto const exclusive =
            repeated(in, n, [&](auto const& x, auto& out) { tutti::exclusive_scan(world, x, out, plus); });
        both = in;
        tutti::exclusive_scan(world, tutti::inplace(both), plus);
        check(bits(both) == bits(exclusive), "in place the bits are different");
    });
}

BOOST_AUTO_TEST_CASE(reduce_scatters_have_the_same_bits_each_time) {
    support::on_ranks_by_length({1, 100, 20'000}, [](auto& world, std::size_t n) {
        int const rank = support::rank_of(world);
        auto const counts = support::uneven(support::size_of(world), n);
        auto const in = bracket_sensitive(rank, n);
        auto const own = support::part_size(counts, rank);
        auto const part =
            repeated(in, own, [&](auto const& x, auto& out) { tutti::reduce_scatter(world, x, out, counts, plus); });
        auto both = in;
        tutti::reduce_scatter(world, tutti::inplace(both), counts, plus);
        both.resize(own);
        check(bits(both) == bits(part), "in place the bits are different");
    });
}

#if !defined(TUTTI_TEST_OVER_MPI) && !defined(TUTTI_TEST_OVER_BOOST_MPI)

BOOST_AUTO_TEST_CASE(delays_do_not_change_bits_of_scans_and_parts) {
    for (int const size : {5, 8}) {
        std::vector<std::vector<double>> first(static_cast<std::size_t>(size));
        for (std::uint64_t seed = 0; seed != 10; ++seed) {
            tutti::threads::run(
                size,
                [&](auto& world) {
                    auto const n = static_cast<std::size_t>(12 * size);
                    auto const in = bracket_sensitive(world.rank(), n);
                    std::vector<double> inclusive(n), exclusive(n), prefix(n), total(n), part(12), whole(n);
                    // all of them in flight together
                    auto a = tutti::async::inclusive_scan(world, in, inclusive, plus, tutti::two_tree{.segments = 5});
                    auto b = tutti::async::exclusive_scan(world, in, exclusive, plus, tutti::doubling{});
                    auto c = tutti::async::scan_reduce(world, in, prefix, total, plus, tutti::split{});
                    tutti::reduce_scatter(world, in, part, plus, tutti::circulant{});
                    tutti::all_gather(world, part, whole);
                    c.wait();
                    b.wait();
                    a.wait();
                    std::vector<double> seen;
                    for (auto const* each : {&inclusive, &exclusive, &prefix, &total, &whole}) {
                        seen.insert(seen.end(), each->begin(), each->end());
                    }
                    auto& expected = first[static_cast<std::size_t>(world.rank())];
                    if (seed == 0) { expected = seen; }
                    check(bits(seen) == bits(expected), "delays have changed the bits");
                },
                {.perturb = seed});
        }
    }
    BOOST_TEST(true);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
