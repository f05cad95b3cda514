// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Figure 3 of Lowery and Langou: 15 ranks reduce 5 segments, and a segment takes 2 to send and 1 to combine.
#include <fstream>
#include <iostream>

#include <tutti/tutti.hpp>

int main() {
    tutti::uni_greedy const greedy{.tcomm = 2, .tcomp = 1};
    auto const segments = tutti::partition::equal(5, 5);
    auto const costs = tutti::cost_model::per_block(2, 1, tutti::ports::unidirectional);
    auto const times = tutti::simulate(tutti::collective::reduce{}, greedy, 15, 0, segments, costs);

    std::ofstream file{"schedule_drawing.svg"};
    file << tutti::to_svg(times);
    std::cout << "makespan " << times.makespan() << '\n';
    return file ? 0 : 1;
}
