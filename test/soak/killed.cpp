// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

// killed CONFIGURATION SEED 1 rounds: ranks make the same calls over MPI until one is killed, at any instruction. The
// others have to say so, each by itself, in time. For launchers that leave the others alone; see killed.sh.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>

#include "limits.hpp"
#include "steady_call.hpp"

namespace {

extern "C" void die(int) { raise(SIGKILL); }
extern "C" void time_is_up(int) {
    constexpr char said[] = "waits for a rank that is dead\n";
    if (write(STDOUT_FILENO, said, sizeof said - 1) < 0) { _exit(3); }
    _exit(1);
}

void after(std::size_t microseconds, void (*what)(int)) {
    signal(SIGALRM, what);
    itimerval when{};
    when.it_value.tv_sec = static_cast<time_t>(microseconds / 1'000'000);
    when.it_value.tv_usec = static_cast<suseconds_t>(microseconds % 1'000'000 + 1);
    setitimer(ITIMER_REAL, &when, nullptr);
}

}  // namespace

int main(int argc, char* argv[]) {
    auto const asked = soak::read_limits(argc, argv);
    if (!asked) { return 2; }
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    soak::draw from{soak::mixed(asked->seed, 7)};
    auto const victim = static_cast<int>(from.below(static_cast<std::size_t>(size)));
    auto const moment = from.below(300'000);
    bool const shares_memory = from.one_in(2);
    auto world = MPI_COMM_WORLD;
    tutti::communicator_of<MPI_Comm>::get(world).share_memory(shares_memory);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == victim) {
        after(moment, die);
    } else {
        after(60'000'000, time_is_up);
    }
    std::size_t passed = 0;
    std::string why;
    try {
        for (;; ++passed) { soak::perform(world, rank, size, soak::drawn_call(from, size)); }
    } catch (std::exception const& wrong) { why = wrong.what(); }
    bool const is_right = why.find("was killed") != std::string::npos;
    std::printf("%s %zu: %s\n", is_right ? "passed" : "failed", passed, why.c_str());
    std::fflush(stdout);
    _exit(0);  // MPI_Finalize would wait for the dead
}
