// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// The ranks of each node count the letters that they have seen, in memory that they share.

#include <array>
#include <iostream>
#include <string_view>

#include <tutti/communicator/mpi/shared_memory.hpp>
#include <tutti/mpi.hpp>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm near = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &near);

    std::array<long, 26> letters{};
    for (char const each : std::string_view{"the quick brown fox"}.substr(0, 5 * static_cast<std::size_t>(rank + 1))) {
        if (each != ' ') { ++letters[static_cast<std::size_t>(each - 'a')]; }
    }

    {
        tutti::mpi::shared_memory node{near};  // it ends before MPI does
        tutti::all_reduce(node, tutti::inplace(letters), std::plus<>{});
    }

    if (rank == 0) {
        std::cout << "on the node of rank 0: " << letters['o' - 'a'] << " times o, " << letters['t' - 'a']
                  << " times t\n";
    }
    MPI_Comm_free(&near);
    MPI_Finalize();
}
