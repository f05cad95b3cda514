// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/affine_maps.hpp>
#include <support/ranks.hpp>

#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

#include <tutti/collectives.hpp>
#include <tutti/generators.hpp>

// Every collective in every shape that a call can have, on few and on many elements whose combine does not commute.
// What each of them does beyond that is tested beside its header.

// program: shared memory, team
BOOST_AUTO_TEST_SUITE(collectives)

using support::affine_map;
using support::check_equal;
using support::composed;
using support::maps_of;

namespace {

support::composition const compose;

using maps = std::vector<affine_map>;

std::size_t const lengths[]{0, 1, 5, 3000};

/// Of all ranks' vectors of `length` elements, one after the other.
maps concatenated(int size, std::size_t length) {
    maps result;
    for (int rank = 0; rank != size; ++rank) {
        for (auto const& each : maps_of(rank, length)) { result.push_back(each); }
    }
    return result;
}

/// Elements per rank, some without any.
std::vector<std::size_t> uneven(int size) {
    std::vector<std::size_t> result;
    for (int rank = 0; rank != size; ++rank) { result.push_back(static_cast<std::size_t>(rank) % 3 * 7); }
    return result;
}

maps part_of(maps const& whole, std::vector<std::size_t> const& counts, int rank) {
    std::size_t first = 0;
    for (int before = 0; before != rank; ++before) { first += counts[static_cast<std::size_t>(before)]; }
    auto const begin = whole.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(counts[static_cast<std::size_t>(rank)])};
}

/// Calls `body(world, rank, size, length)` on all ranks.
template <class Body>
void for_each_length(Body body) {
    support::on_ranks([body](auto& world) {
        for (auto const length : lengths) { body(world, support::rank_of(world), support::size_of(world), length); }
    });
}

}  // namespace

BOOST_AUTO_TEST_CASE(reduce) {
    for_each_length([](auto& world, int rank, int size, std::size_t n) {
        int const root = size / 2;
        auto const in = maps_of(rank, n);
        auto const all = composed(0, size, n);
        maps out(n);
        tutti::reduce(world, in, out, compose, root);
        if (rank == root) { check_equal(out, all, "reduce"); }
        auto both = in;
        tutti::reduce(world, tutti::inplace(both), compose, root, tutti::binomial{});
        if (rank == root) { check_equal(both, all, "reduce in place, binomial"); }
        out.assign(n, {});
        auto plan = tutti::plan::reduce(world, in, out, compose, root);
        plan.start();
        plan.wait();
        if (rank == root) { check_equal(out, all, "plan::reduce"); }
        affine_map one;
        tutti::reduce(world, maps_of(rank, 1).front(), one, compose, root);
        if (rank == root) { check_equal(one, composed(0, size, 1).front(), "reduce of a value"); }
    });
}

BOOST_AUTO_TEST_CASE(all_reduce) {
    for_each_length([](auto& world, int rank, int size, std::size_t n) {
        auto const in = maps_of(rank, n);
        auto const all = composed(0, size, n);
        maps out(n);
        tutti::all_reduce(world, in, out, compose);
        check_equal(out, all, "all_reduce");
        auto both = in;
        tutti::all_reduce(world, tutti::inplace(both), compose, tutti::recursive_doubling{});
        check_equal(both, all, "all_reduce in place, recursive_doubling");
        out.assign(n, {});
        auto pending = tutti::async::all_reduce(world, in, out, compose);
        pending.wait();
        check_equal(out, all, "async::all_reduce");
        check_equal(tutti::all_reduce(world, maps_of(rank, 1).front(), compose), composed(0, size, 1).front(),
                    "all_reduce of a value");
        check_equal(tutti::all_reduce(world, rank + 1, std::plus<>{}), size * (size + 1) / 2, "a sum");
    });
}

BOOST_AUTO_TEST_CASE(scans) {
    for_each_length([](auto& world, int rank, int size, std::size_t n) {
        auto const in = maps_of(rank, n);
        maps out(n, affine_map{7, 7});
        tutti::inclusive_scan(world, in, out, compose);
        check_equal(out, composed(0, rank + 1, n), "inclusive_scan");
        auto const before = rank == 0 ? maps(n, affine_map{7, 7}) : composed(0, rank, n);
        out.assign(n, {7, 7});
        tutti::exclusive_scan(world, in, out, compose);
        check_equal(out, before, "exclusive_scan");
        auto both = in;
        tutti::exclusive_scan(world, tutti::inplace(both), tutti::with_identity(compose, affine_map{}));
        check_equal(both, rank == 0 ? maps(n) : before, "exclusive_scan in place");
        maps total(n);
        out.assign(n, {7, 7});
        tutti::scan_reduce(world, in, out, total, compose);
        check_equal(out, before, "prefix of scan_reduce");
        check_equal(total, composed(0, size, n), "total of scan_reduce");
        check_equal(tutti::inclusive_scan(world, maps_of(rank, 1).front(), compose),
                    composed(0, rank + 1, 1).front(), "inclusive_scan of a value");
        out.assign(n, {});
        auto plan = tutti::plan::inclusive_scan(world, in, out, compose);
        plan.start();
        plan.wait();
        check_equal(out, composed(0, rank + 1, n), "plan::inclusive_scan");
    });
}

BOOST_AUTO_TEST_CASE(reduce_scatter) {
    for_each_length([](auto& world, int rank, int size, std::size_t n) {
        auto const equal = std::vector<std::size_t>(static_cast<std::size_t>(size), n);
        for (auto const& counts : {equal, uneven(size)}) {
            auto const elements = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
            auto const in = maps_of(rank, elements);
            auto const mine = part_of(composed(0, size, elements), counts, rank);
            maps out(mine.size());
            tutti::reduce_scatter(world, in, out, counts, compose);
            check_equal(out, mine, "reduce_scatter");
            out.assign(mine.size(), {});
            auto plan = tutti::plan::reduce_scatter(world, in, out, counts, compose);
            plan.start();
            plan.wait();
            check_equal(out, mine, "plan::reduce_scatter");
        }
        maps out(n);
        tutti::reduce_scatter(world, maps_of(rank, n * equal.size()), out, compose);
        check_equal(out, part_of(composed(0, size, n * equal.size()), equal, rank), "reduce_scatter of equal parts");
    });
}

BOOST_AUTO_TEST_CASE(broadcast_and_barrier) {
    for_each_length([](auto& world, int rank, int size, std::size_t n) {
        int const root = size - 1;
        auto inout = maps_of(rank, n);
        tutti::broadcast(world, inout, root);
        check_equal(inout, maps_of(root, n), "broadcast");
        tutti::barrier(world);
        int value = rank;
        tutti::broadcast(world, value, root);
        check_equal(value, root, "broadcast of a value");
        inout = maps_of(rank, n);
        auto plan = tutti::plan::broadcast(world, inout, 0);
        plan.start();
        plan.wait();
        check_equal(inout, maps_of(0, n), "plan::broadcast");
    });
}

BOOST_AUTO_TEST_CASE(gathers_and_scatter) {
    for_each_length([](auto& world, int rank, int size, std::size_t n) {
        int const root = size / 2;
        auto const all = concatenated(size, n);
        maps out(all.size());
        tutti::all_gather(world, maps_of(rank, n), out);
        check_equal(out, all, "all_gather");
        out.assign(all.size(), {});
        tutti::gather(world, maps_of(rank, n), out, root);
        if (rank == root) { check_equal(out, all, "gather"); }
        maps part(n);
        tutti::scatter(world, all, part, root);
        check_equal(part, maps_of(rank, n), "scatter");

        auto const counts = uneven(size);
        auto const elements = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
        auto const whole = maps_of(0, elements);
        auto const mine = part_of(whole, counts, rank);
        out.assign(elements, {});
        tutti::all_gather(world, mine, out, counts);
        check_equal(out, whole, "all_gather of counts");
        out.assign(elements, {});
        tutti::gather(world, mine, out, counts, root);
        if (rank == root) { check_equal(out, whole, "gather of counts"); }
        part.assign(mine.size(), {});
        tutti::scatter(world, whole, part, counts, root);
        check_equal(part, mine, "scatter of counts");
    });
}

BOOST_AUTO_TEST_SUITE_END()
