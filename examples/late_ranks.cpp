// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Ranks arrive at an all_reduce at different times: the early ones reduce their vectors meanwhile.
#include <tutti/tutti.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <iostream>
#include <thread>
#include <vector>

/// Half of the cells of this rank; rank 2 has more work with them than the others.
void compute(std::vector<double>& cells, std::size_t first, std::size_t last, int rank) {
    for (auto i = first; i != last; ++i) { cells[i] += rank; }
    std::this_thread::sleep_for(std::chrono::milliseconds{rank == 2 ? 8 : 1});
}

int main() {
    auto const iterate = [](auto& world) {
        std::vector<double> cells(300'000);
        std::vector<double> total(cells.size());
        auto const half = cells.size() / 2;

        tutti::arrival_monitor monitor{world};
        for (int iteration = 0; iteration < 5; ++iteration) {
            monitor.begin_compute();
            compute(cells, 0, half, world.rank());
            monitor.edge(0.5);  // half of the work is done: tells the others when to expect this rank
            compute(cells, half, cells.size(), world.rank());
            monitor.end_compute();
            tutti::all_reduce(world, cells, total, std::plus<>{}, tutti::arrival_aware{monitor});
        }

        if (world.rank() == 0) { std::cout << "the total of a cell is " << total.back() << '\n'; }
    };
    tutti::threads::run(4, iterate);
}
