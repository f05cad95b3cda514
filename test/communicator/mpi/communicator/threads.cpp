// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

#include <mpi.h>

#include <tutti/communicator/mpi/communicator.hpp>
#include <tutti/mpi.hpp>
#include <tutti/tutti.hpp>

// program: threads
BOOST_AUTO_TEST_SUITE(communicator_mpi_communicator_threads)

namespace {

auto const several_threads = support::thread_level = MPI_THREAD_MULTIPLE;

[[nodiscard]] bool are_allowed() {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    return level == MPI_THREAD_MULTIPLE;
}

/// Calls of several lengths; how many results were wrong.
[[nodiscard]] int wrong_calls(MPI_Comm world, int calls) {
    int const size = support::world_size(), rank = support::world_rank();
    int wrong = 0;
    for (int i = 0; i != calls; ++i) {
        std::vector<int> x(static_cast<std::size_t>(i % 50 == 0 ? 30'000 : 1 + i % 7), rank + i), sums(x.size());
        tutti::all_reduce(world, x, sums, std::plus<>{});
        if (sums.back() != size * i + size * (size - 1) / 2) { ++wrong; }
        tutti::broadcast(world, x, i % size);
        if (x.back() != i % size + i) { ++wrong; }
    }
    return wrong;
}

}  // namespace

BOOST_AUTO_TEST_CASE(memory_is_shared_where_threads_may_call_too) {
    if (!are_allowed()) { return; }
    MPI_Comm world;
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    tutti::configure(world, tutti::execution{.shared_memory = tutti::memory_sharing::automatic});
    BOOST_TEST(wrong_calls(world, 800) == 0);
    BOOST_TEST(tutti::communicator_of<MPI_Comm>::get(world).shares_memory() == (support::world_size() > 1));
    MPI_Comm_free(&world);
}

BOOST_AUTO_TEST_CASE(each_thread_has_a_communicator_whose_ranks_share_memory) {
    if (!are_allowed()) { return; }
    std::array<MPI_Comm, 3> all;
    std::array<int, 3> wrong{};
    for (auto& each : all) {
        MPI_Comm_dup(MPI_COMM_WORLD, &each);
        tutti::configure(each, tutti::execution{.shared_memory = tutti::memory_sharing::always});
    }
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i != all.size(); ++i) {
        threads.emplace_back([&, i] { wrong[i] = wrong_calls(all[i], 200); });
    }
    for (auto& each : threads) { each.join(); }
    for (int const each : wrong) { BOOST_TEST(each == 0); }
    for (auto& each : all) { MPI_Comm_free(&each); }
}

BOOST_AUTO_TEST_SUITE_END()
