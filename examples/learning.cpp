// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// The times of repeated calls correct the choice of algorithms; a file keeps the result for later runs.
#include <tutti/measure.hpp>
#include <tutti/tutti.hpp>

#include <filesystem>
#include <functional>
#include <iostream>
#include <vector>

int main() {
    auto const file = std::filesystem::temp_directory_path() / "tutti_learned.tuning";
    tutti::threads::run(4, [&](auto& world) {
        std::vector<long> cells(2000, 1 + world.rank());
        std::vector<long> total(cells.size());

        tutti::use(world, tutti::learning{});
        for (int step = 0; step < 500; ++step) { tutti::all_reduce(world, cells, total, std::plus<>{}); }

        if (world.rank() == 0) {
            std::cout << tutti::explain_learning(world);  // algorithms tried, their times, decisions
            tutti::save(tutti::learned(world), file);     // for tutti::use(world, tutti::load_machine(file))
            std::cout << "the total of a cell is " << total.back() << '\n';
        }
    });
    std::filesystem::remove(file);
}
