// expect: tutti: sums without order are of float, double or std::complex of them, of one type in all ranges; sums of integers never depend on the order: write all_reduce(world, x, std::plus<>{})
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/sequences.hpp>

#include "over_threads.hpp"

auto call(tutti::threads::communicator& world, std::vector<int> const& all) {
#if REMEDY == 1
    return tutti::all_reduce(world, all.at(0), std::plus<>{});
#else
    return tutti::sum_without_order(world, all);
#endif
}
