// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/bracket_sensitive.hpp>
#include <support/division.hpp>
#include <support/ranks.hpp>

#include <cstdint>

#include <tutti/collective/all_gather.hpp>
#include <tutti/collective/reduce_scatter.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/collective/scan_reduce.hpp>
#include <tutti/generator/all.hpp>

BOOST_AUTO_TEST_SUITE(collective_same_bits_parts)

using support::bits;
using support::bracket_sensitive;
using support::check;

namespace {

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
    auto const total = repeated(in, n, [&](auto const& x, auto& out) {
        tutti::scan_reduce(world, x, prefix, out, plus, algorithm);
    });
    check(agree(world, total), "ranks have different bits");
    auto both = in;
    std::vector<double> of_both(n);
    tutti::scan_reduce(world, tutti::inplace(both), of_both, plus, algorithm);
    check(bits(of_both) == bits(total), "in place the bits of the total are different");
    check(bits(both) == bits(prefix), "in place the bits of the prefix are different");
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_ranks_have_the_same_totals) {
    support::on_ranks([](auto& world) {
        for (auto const n : std::vector<std::size_t>{1, 100, 20'000}) { check_totals(world, n, tutti::automatic{}); }
        check_totals(world, 100, tutti::direct{});
        check_totals(world, 100, tutti::linear{});
        check_totals(world, 100, tutti::split{});
    });
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

BOOST_AUTO_TEST_CASE(delays_do_not_change_bits) {
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
