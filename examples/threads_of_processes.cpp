// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Threads of several processes as ranks of one world. Here process r has r + 1 threads.
#include <algorithm>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <mpi.h>

#include <tutti/mpi.hpp>
#include <tutti/team.hpp>

/// A half-open interval of a line on which cars drive: x -> max(x + length, end), which does not commute.
struct stretch {
    int length = 0;
    int end = 0;
};
stretch then(stretch const& first, stretch const& second) {
    return {first.length + second.length, std::max(first.end + second.length, second.end)};
}

int main(int argc, char** argv) {
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    {
        int process = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &process);
        tutti::team team{MPI_COMM_WORLD, process + 1};
        std::vector<std::jthread> threads;
        for (int i = 0; i != team.threads(); ++i) {
            threads.emplace_back([&team, i] {
                auto const world = team.rank(i);
                auto const whole = tutti::all_reduce(world, stretch{world.rank(), 7 * (world.rank() % 3)}, then);
                if (world.rank() == 0) {
                    std::cout << world.size() << " threads: " << whole.length << ' ' << whole.end << '\n';
                }
            });
        }
    }
    MPI_Finalize();
}
