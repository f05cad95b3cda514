// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

#include <mpi.h>

#include <tutti/communicator/mpi/duplicates.hpp>

// program: threads
BOOST_AUTO_TEST_SUITE(communicator_mpi_duplicates)

namespace {

auto const several_threads = support::thread_level = MPI_THREAD_MULTIPLE;

using tutti::mpi::duplicates;

}  // namespace

BOOST_AUTO_TEST_CASE(a_communicator_has_one_as_long_as_it_lives) {
    auto const& of_all = duplicates::find_or_make(MPI_COMM_WORLD);
    auto const alive = tutti::mpi::communicator::alive();
    MPI_Comm own;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    auto& found = duplicates::find_or_make(own);
    BOOST_TEST(&found == &duplicates::find_or_make(own));
    BOOST_TEST(&found != &of_all);
    BOOST_TEST(tutti::mpi::communicator::alive() == alive + 1);
    BOOST_TEST(found.size() == support::world_size());
    MPI_Comm_free(&own);
    BOOST_TEST(tutti::mpi::communicator::alive() == alive);
}

// The handle of the one before, or another one.
BOOST_AUTO_TEST_CASE(a_communicator_that_is_made_after_one_has_ended_has_another) {
    std::array expected{support::world_size(), 1};
    for (int turn = 0; turn != 20; ++turn) {
        MPI_Comm own;
        MPI_Comm_split(MPI_COMM_WORLD, turn % 2 == 0 ? 0 : support::world_rank(), 0, &own);
        BOOST_TEST(duplicates::find_or_make(own).size() == expected[static_cast<std::size_t>(turn % 2)]);
        BOOST_TEST(&duplicates::find_or_make(own) == &duplicates::find_or_make(own));
        MPI_Comm_free(&own);
    }
}

// MPICH lets attributes end when the last operation on the communicator has ended on this rank: at once on rank 1, and
// on the others after they have waited for what needs rank 1.
BOOST_AUTO_TEST_CASE(a_communicator_is_freed_while_operations_are_under_way_on_some_ranks) {
    for (bool const by_memory : {false, true}) {
        MPI_Comm own;
        MPI_Comm_dup(MPI_COMM_WORLD, &own);
        auto& found = duplicates::find_or_make(own);
        if (by_memory) { BOOST_WARN(found.share_memory(true)); }
        MPI_Request under_way;
        MPI_Ibarrier(own, &under_way);
#ifdef OPEN_MPI  // 4.1 crashes where a communicator is freed before its nonblocking calls have ended
        bool const has_ended_before = true;
#else
        bool const has_ended_before = support::world_rank() == 1;
#endif
        if (has_ended_before) { MPI_Wait(&under_way, MPI_STATUS_IGNORE); }
        MPI_Comm_free(&own);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&under_way, MPI_STATUS_IGNORE);
    }
}

// The ranks come to them in different orders, in MPI_Finalize.
BOOST_AUTO_TEST_CASE(those_of_several_threads_end_in_any_order) {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    if (level != MPI_THREAD_MULTIPLE) { return; }
    std::array<MPI_Comm, 8> all;
    for (auto& each : all) { MPI_Comm_dup(MPI_COMM_WORLD, &each); }
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i != all.size(); ++i) {
        auto const later = support::world_rank() % 2 == 0 ? i : all.size() - i;
        threads.emplace_back([&, i, later] {
            std::this_thread::sleep_for(later * std::chrono::milliseconds{1});
            static_cast<void>(duplicates::find_or_make(all[i]));
        });
    }
    for (auto& each : threads) { each.join(); }
    for (auto const each : all) { BOOST_WARN(duplicates::find_or_make(each).share_memory(true)); }
}

BOOST_AUTO_TEST_SUITE_END()
