// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <csignal>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tutti/communicator/mpi/liveness.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_liveness)

using tutti::mpi::death_watch;

namespace {

/// What is found within so many seconds.
int found(death_watch& watch, double seconds) {
    for (auto const begun = MPI_Wtime(); MPI_Wtime() - begun < seconds; usleep(1000)) {
        if (auto const dead = watch.find(); dead != death_watch::no_rank) { return dead; }
    }
    return death_watch::no_rank;
}

}  // namespace

BOOST_AUTO_TEST_CASE(processes_of_a_machine_see_each_other) { BOOST_TEST(tutti::mpi::process_namespace() != 0); }

BOOST_AUTO_TEST_CASE(who_lives_is_not_believed_dead) {
    death_watch watch;
    watch.begin(MPI_COMM_WORLD);
    BOOST_TEST(found(watch, 0.6) == death_watch::no_rank);
    MPI_Barrier(MPI_COMM_WORLD);
}

// /proc cannot be read by a process that has no more files to open.
BOOST_AUTO_TEST_CASE(who_cannot_be_looked_at_is_not_believed_dead) {
    auto const parent = tutti::mpi::process_with(getppid());
    auto nobody = parent;
    nobody.number = 4'194'305;  // above what Linux gives
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    auto const before = files;
    files.rlim_cur = 0;
    setrlimit(RLIMIT_NOFILE, &files);
    bool const alive = tutti::mpi::is_alive(parent);
    setrlimit(RLIMIT_NOFILE, &before);
    BOOST_TEST(alive);
    BOOST_TEST(!tutti::mpi::is_alive(nobody));
}

BOOST_AUTO_TEST_CASE(who_is_killed_is_found_within_a_second) {
    int const last = support::world_size() - 1;
    auto const child = fork();
    if (child == 0) {
        for (;;) { pause(); }
    }
    death_watch watch;
    watch.begin(MPI_COMM_WORLD, tutti::mpi::process_with(child));
    BOOST_TEST(watch.find() == death_watch::no_rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (support::world_rank() == last) { kill(child, SIGKILL); }
    MPI_Barrier(MPI_COMM_WORLD);
    auto const expected = support::world_rank() == last ? death_watch::no_rank : last;
    BOOST_TEST(found(watch, 1) == expected);
    MPI_Barrier(MPI_COMM_WORLD);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
}

BOOST_AUTO_TEST_SUITE_END()
