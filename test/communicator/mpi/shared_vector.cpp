// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <new>
#include <optional>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include <tutti/collective/all_gather.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/execute.hpp>
#include <tutti/collective/plan.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/reduce_scatter.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/shared_memory.hpp>
#include <tutti/communicator/mpi/shared_vector.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/operation/annotated.hpp>
#include <tutti/selection/plan_program.hpp>

namespace {

using tutti::mpi::shared_vector;

/// Counts the bytes that have to be copied out of other ranks' memory, to be combined or right into place.
struct counting : tutti::mpi::shared_memory {
    using shared_memory::shared_memory;

    [[nodiscard]] request receive(int peer, int tag, std::span<std::byte> memory) {
        received += memory.size();
        return shared_memory::receive(peer, tag, memory);
    }

    void fetch(tutti::completion const& done, std::size_t offset, std::span<std::byte> into) {
        copied += into.size();
        shared_memory::fetch(done, offset, into);
    }

    std::size_t copied = 0;
    std::size_t received = 0;
};

}  // namespace

template <>
struct tutti::communicator_of<counting> {
    static counting& get(counting const& world) { return const_cast<counting&>(world); }
};

BOOST_AUTO_TEST_SUITE(communicator_mpi_shared_vector)

namespace {

constexpr std::array lengths{std::size_t{1}, std::size_t{3000}, std::size_t{100'000}};

long element(int rank, std::size_t i) { return static_cast<long>(i % 1000) * (rank + 1); }

/// x -> a x + b: the order of operands matters.
struct affine {
    long a = 1;
    long b = 0;
    friend bool operator==(affine const&, affine const&) = default;
};
affine composed(affine const& first, affine const& second) {
    return {first.a * second.a % 1009, (second.a * first.b + second.b) % 1009};
}

template <class World>
void check_collectives(World& world) {
    int const rank = support::world_rank();
    int const size = support::world_size();
    for (auto const n : lengths) {
        shared_vector<long> in{MPI_COMM_WORLD, n};
        shared_vector<long> out{MPI_COMM_WORLD, n};
        shared_vector<long> all{MPI_COMM_WORLD, n * static_cast<std::size_t>(size)};
        for (std::size_t i = 0; i != n; ++i) { in[i] = element(rank, i); }
        auto const is_sum = [&](int last) {
            for (std::size_t i = 0; i != n; ++i) {
                if (out[i] != element(0, i) * last * (last + 1) / 2) { return false; }
            }
            return true;
        };
        tutti::all_reduce(world, in, out, std::plus<>{});
        BOOST_TEST(is_sum(size));
        tutti::all_reduce(world, in, out, std::plus<>{}, tutti::ring{});
        BOOST_TEST(is_sum(size));
        tutti::inclusive_scan(world, in, out, std::plus<>{});
        BOOST_TEST(is_sum(rank + 1));
        tutti::reduce(world, in, out, std::plus<>{}, size - 1);
        if (rank == size - 1) { BOOST_TEST(is_sum(size)); }
        tutti::all_gather(world, in, all);
        bool gathered = true;
        for (std::size_t i = 0; i != all.size(); ++i) {
            gathered = gathered && all[i] == element(static_cast<int>(i / n), i % n);
        }
        BOOST_TEST(gathered);
        tutti::broadcast(world, in, size - 1);
        bool is_the_roots = true;
        for (std::size_t i = 0; i != n; ++i) { is_the_roots = is_the_roots && in[i] == element(size - 1, i); }
        BOOST_TEST(is_the_roots);

        shared_vector<affine> maps{MPI_COMM_WORLD, n};
        std::ranges::fill(maps, affine{rank + 2, 3 * rank + 1});
        affine expected;
        for (int r = 0; r != size; ++r) { expected = composed(expected, {r + 2, 3 * r + 1}); }
        auto plan = tutti::plan::all_reduce(world, tutti::inplace(maps), composed);
        plan.start();
        plan.wait();
        BOOST_TEST((std::ranges::all_of(maps, [&](affine const& each) { return each == expected; })));
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(it_is_a_range_of_default_elements) {
    static_assert(std::ranges::contiguous_range<shared_vector<double>>);
    static_assert(std::ranges::sized_range<shared_vector<double> const>);
    shared_vector<affine> maps{MPI_COMM_WORLD, 7};
    BOOST_TEST(maps.size() == 7U);
    BOOST_TEST((std::ranges::count(maps, affine{}) == 7));
    auto const moved = std::move(maps);
    BOOST_TEST((moved.end()[-1] == affine{}));
    shared_vector<int> const none{MPI_COMM_WORLD, 0};
    BOOST_TEST(none.empty());
    BOOST_CHECK_THROW((shared_vector<double>{MPI_COMM_WORLD, static_cast<std::size_t>(-1)}), std::bad_array_new_length);
}

BOOST_AUTO_TEST_CASE(all_ranks_are_told_where_one_gets_no_memory) {
    auto const elements = support::world_rank() == 0 ? std::size_t{1} << 50 : std::size_t{1};
    BOOST_CHECK_THROW((shared_vector<double>{MPI_COMM_WORLD, elements}), std::bad_alloc);
}

BOOST_AUTO_TEST_CASE(collectives_give_what_they_give_with_any_other_memory) {
    tutti::configure(MPI_COMM_WORLD, tutti::execution{.shared_memory = tutti::memory_sharing::always});
    auto ranks = MPI_COMM_WORLD;
    check_collectives(ranks);
    tutti::configure(MPI_COMM_WORLD, tutti::execution{.shared_memory = tutti::memory_sharing::never});
    check_collectives(ranks);
    tutti::configure(MPI_COMM_WORLD, {});
    tutti::mpi::shared_memory world{MPI_COMM_WORLD};
    check_collectives(world);
}

// To combine takes three touches of memory, of both operands and the result; to receive takes two. What is copied out
// of another rank's memory to be combined is still in this processor's cache then, but is a touch more; not from where
// the operands are shared.
BOOST_AUTO_TEST_CASE(five_touches_of_memory_an_element_are_enough) {
    support::single_copies const always{"always"};
    counting world{MPI_COMM_WORLD};
    tutti::configure(world, {});  // compares no calls, whatever the environment says: these have messages, too
    std::size_t const n = 300'000;
    if (world.size() == 1 || world.lent_limit() < n) { return; }  // the kernel forbids it
    std::size_t combined = 0;
    auto const sum = tutti::commutative([&](int a, int b) { return ++combined, a + b; });
    auto const check = [&](auto const& in, auto& out, bool shared) {
        world.copied = world.received = combined = 0;
        tutti::all_reduce(world, in, out, sum, tutti::ring{});
        BOOST_TEST(static_cast<std::size_t>(std::ranges::count(out, world.size())) == n);
        BOOST_TEST(combined > 0U);
        if (shared) {
            BOOST_TEST(world.copied + world.received == 0U);
        } else {
            auto const moved = (world.copied + world.received) / sizeof(int) - combined;
            BOOST_TEST(3 * combined + 2 * moved <= 5 * n);
        }
    };
    std::vector<int> const in(n, 1);
    std::vector<int> out(n);
    check(in, out, false);
    shared_vector<int> shared_in{MPI_COMM_WORLD, n};
    shared_vector<int> shared_out{MPI_COMM_WORLD, n};
    std::ranges::fill(shared_in, 1);
    check(shared_in, shared_out, true);
}

// What comes after it may have its address.
BOOST_AUTO_TEST_CASE(one_that_has_ended_on_some_ranks_is_not_read_any_more) {
    tutti::mpi::shared_memory world{MPI_COMM_WORLD};
    std::size_t const n = 50'000;
    for (int round = 1; round != 20; ++round) {
        std::optional<shared_vector<int>> first{std::in_place, MPI_COMM_WORLD, n};
        std::ranges::fill(*first, round);
        std::vector<int> out(n);
        tutti::all_reduce(world, *first, out, std::plus<>{});
        BOOST_TEST((out == std::vector<int>(n, round * world.size())));
        if (support::world_rank() % 2 == 0) { first.reset(); }
        std::vector<int> const next(n, round + 1);  // long enough for pages of its own
        tutti::all_reduce(world, next, out, std::plus<>{});
        BOOST_TEST((out == std::vector<int>(n, (round + 1) * world.size())));
    }
}

BOOST_AUTO_TEST_SUITE_END()
