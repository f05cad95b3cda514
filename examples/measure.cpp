// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Measures the costs of messages and combines, and saves them for later runs. mpirun -n 4 measure [FILE]
#include <cstddef>
#include <functional>
#include <iostream>
#include <string>

#include <mpi.h>

#include <tutti/mpi.hpp>
#include <tutti/tutti.hpp>

/// The expected time of a reduce of doubles by an algorithm, in µs.
template <class Algorithm>
double time_of(Algorithm const& algorithm, tutti::machine_model const& machine, std::size_t ranks) {
    auto const gamma = tutti::pricing::combine_cost<std::plus<>, double>(machine);
    auto const costs = tutti::analysis::cost_model_of(machine.between_nodes, gamma, sizeof(double));
    auto const cut = tutti::partition::equal(100'000, 16);
    return tutti::predict(algorithm, ranks, cut, costs).time * 1e6;
}

void run(MPI_Comm world, std::string const& file) {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);

    // All ranks get the same model. The operators of your program can be measured, too.
    auto const measured = tutti::measure(world, tutti::combining<float>(tutti::maximum<>{}));
    if (rank == 0) { tutti::save(measured, file); }
    tutti::barrier(world);

    // In later runs the file is enough.
    tutti::use(world, tutti::load_machine(file));

    auto const& machine = tutti::machine_of(world);
    bool const same = tutti::all_reduce(world, machine == measured, std::logical_and<>{});
    if (rank != 0) { return; }
    std::cout << (same ? "all ranks use" : "some ranks do not use") << " what was measured\n";
    std::cout << "a message of 1 MiB: " << machine.between_nodes.transfer(1 << 20) * 1e6 << " us\n";
    auto const ranks = static_cast<std::size_t>(size);
    std::cout << "a reduce of 100000 doubles: " << time_of(tutti::binomial{}, machine, ranks) << " us by binomial, "
              << time_of(tutti::pipeline{}, machine, ranks) << " us by pipeline\n";
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    run(MPI_COMM_WORLD, argc > 1 ? argv[1] : "machine.txt");
    MPI_Finalize();
}
